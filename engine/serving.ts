import { setTimeout as sleep } from 'node:timers/promises'
import { type Damage, damageLeft, damageOf, findProblem, isForWantOfFiles, isOfFiles, RepairWatch } from './damage.ts'
import { Database, type DatabaseOptions } from './database.ts'
import { EngineError } from './errors.ts'
import { type FileProblem, notSound } from './lake-error.ts'
import { readSealedManifest, snapshotIds } from './manifest.ts'
import { type Pointer, readPointer } from './pointer.ts'
import { commandLine } from './program.ts'
import { scrub } from './scrub.ts'
import { Snapshot, type SnapshotOptions } from './snapshot.ts'
import { damagedFile } from './verify.ts'

export type ServingOptions = SnapshotOptions &
  DatabaseOptions & {
    /** The files of the snapshot that is served are hashed again within this many hours; never where absent. */
    scrub_hours?: number | undefined
  }

/** How long plans made before a switch still find their snapshot open. */
const GRACE_SECONDS = 60
const HOUR_MS = 3_600_000

const nothingIn = (lake: string): EngineError =>
  new EngineError(
    'NOT_READY',
    `There is no snapshot in ${lake}. Make one: ${commandLine('sample', '--out data/feeds --listings 2000')} && ` +
      commandLine('refresh', `--feeds data/feeds --lake ${lake}`),
  )

const MISSING = { file: 'current', reason: 'missing' }

const numberOf = (id: string): number => Number.parseInt(id, 10)

/** What of a lake is served, and what cannot be. */
export type Served = {
  /** Null where nothing can be served. */
  snapshot_id: string | null
  /** What the pointer names; what it named last where it cannot be read. */
  published_id: string | null
  /** Of the published snapshot or of the pointer: why another one is served, or none. */
  damage: Damage | null
}

/** A snapshot that was found damaged, how a question about it is refused, and when it is worth another look. */
type Condemned = { damage: Damage; refusal: EngineError; watch: RepairWatch }

/**
 * The snapshot of a lake that is served: the published one, or while that is damaged the newest sound one before it. Those
 * that were served until lately stay open with it, on one database.
 */
export class Serving {
  readonly #lake: string
  readonly #options: ServingOptions
  readonly #database: Database
  readonly #open = new Map<string, Snapshot>()
  readonly #condemned = new Map<string, Condemned>()
  #current: Snapshot | undefined
  #published: Pointer | null = null
  #refusal: EngineError | null = null
  #looking: Promise<boolean> | undefined
  #scrubbing = new AbortController()
  #epoch = 0

  private constructor(lake: string, options: ServingOptions, database: Database) {
    this.#lake = lake
    this.#options = options
    this.#database = database
  }

  /** Opens what a lake has to serve. Throws EngineError NOT_READY where there is nothing, or nothing sound. */
  static async open(lake: string, options: ServingOptions): Promise<Serving> {
    if ((await readPointer(lake).catch(() => undefined)) === null) throw nothingIn(lake)
    const serving = new Serving(lake, options, await Database.open(lake, options))
    try {
      await serving.#choose()
      if (!serving.#current) throw serving.#refusal
      return serving
    } catch (cause) {
      serving.close()
      throw cause
    }
  }

  /** The snapshot that was opened last: sound, or there is none that is. */
  get current(): Snapshot {
    return this.#current!
  }

  get state(): Served {
    const { id } = this.current
    return {
      snapshot_id: this.#condemned.has(id) ? null : id,
      published_id: this.#published?.snapshot_id ?? null,
      damage: damageOf(this.#refusal) ?? null,
    }
  }

  /** One higher with every snapshot that was found damaged while it was open: what it has answered may be wrong. */
  get epoch(): number {
    return this.#epoch
  }

  /** An open snapshot by its id; undefined where it is closed. NOT_READY where it is damaged, or all are closed. */
  find(id: string): Snapshot | undefined {
    this.#refuseCondemned(id)
    if (this.#open.size === 0) throw new EngineError('NOT_READY', 'The engine is closed.')
    return this.#open.get(id)
  }

  #refuseCondemned(id: string): void {
    const found = this.#condemned.get(id)
    if (found) throw found.refusal
  }

  /**
   * Has a snapshot do work, but hands out nothing of one that is found damaged meanwhile: NOT_READY then. Where the work
   * fails, the files behind it are looked at.
   */
  async ask<T>(snapshot: Snapshot, work: () => Promise<T>): Promise<T> {
    this.#refuseCondemned(snapshot.id)
    const epoch = this.#epoch
    const result = await snapshot.use(work).catch(async (cause: unknown) => {
      throw await this.#explain(snapshot, cause)
    })
    if (epoch !== this.#epoch) this.#refuseCondemned(snapshot.id)
    return result
  }

  async #explain(snapshot: Snapshot, cause: unknown): Promise<unknown> {
    if (cause instanceof EngineError) return cause
    const failure = (cause as Error).message
    if (isForWantOfFiles(cause))
      return new EngineError('NOT_READY', 'The process has no file descriptor left; raise its limit (ulimit -n).')
    const problem = await findProblem(this.#lake, snapshot, { failure })
    if (problem) {
      this.#condemn(snapshot, problem)
      void this.look().catch(() => undefined)
      return damagedFile(this.#lake, snapshot.id, problem)
    }
    if (!isOfFiles(cause)) return cause
    // Sizes and times are unchanged, so only hashing every file can show whether one is corrupt.
    void this.#scrubOnce(snapshot, { period_ms: 0, signal: this.#scrubbing.signal })
    return new EngineError('NOT_READY', `a file cannot be read: ${failure}`)
  }

  /** Looks at the lake; true where another snapshot is served after it. NOT_READY where the lake cannot be looked at. */
  look(): Promise<boolean> {
    // One look at a time: two at once would open the same snapshot twice and close it for both.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<boolean> {
    const before = this.current
    if (!this.#condemned.has(before.id)) {
      // Files are written once: one that has changed since it was hashed is hashed again.
      const problem = await findProblem(this.#lake, before)
      if (problem) this.#condemn(before, problem)
    }
    await this.#choose()
    return this.#current !== before
  }

  async #choose(): Promise<void> {
    const refusal = await this.#openPublished()
    this.#refusal = refusal
    const isServing = this.#current && !this.#condemned.has(this.#current.id)
    if (refusal && !isServing) await this.#openOlder(damageOf(refusal)?.snapshot_id ?? null)
  }

  /** Serves what the pointer names; the refusal of it where it is damaged. */
  async #openPublished(): Promise<EngineError | null> {
    try {
      const pointer = await readPointer(this.#lake)
      if (pointer === null) throw notSound(this.#lake, 'the pointer current is missing', MISSING)
      const { snapshot_id: id } = pointer
      const isNews = this.#refusal !== null || pointer.manifest_sha256 !== this.#published?.manifest_sha256
      this.#published = pointer
      if (this.#current?.id !== id || this.#condemned.has(id)) await this.#openSound(id, pointer)
      else if (isNews) await readSealedManifest(this.#lake, id, pointer)
      return null
    } catch (cause) {
      const damage = damageOf(cause)
      if (!damage) throw cause
      return cause as EngineError
    }
  }

  async #openOlder(than: string | null): Promise<void> {
    // After a rollback there are newer ones too: they were left on purpose.
    const ids = (await snapshotIds(this.#lake)).filter((id) => than === null || numberOf(id) < numberOf(than))
    for (const id of ids) {
      const cause: unknown = await this.#openSound(id).catch((thrown: unknown) => thrown)
      if (cause === undefined) return
      if (!damageOf(cause)) throw cause
    }
  }

  /** Serves a snapshot. Throws where it is damaged, without hashing again what has not changed since it was. */
  async #openSound(id: string, pointer?: Pointer): Promise<void> {
    const known = this.#condemned.get(id)
    if (known && !(await known.watch.mayBeRepaired())) throw known.refusal
    try {
      const left = known && (await damageLeft(this.#lake, id, known.damage, pointer))
      if (left) throw damagedFile(this.#lake, id, left)
      const source = { lake: this.#lake, database: this.#database, id, pointer }
      const snapshot = this.#open.get(id) ?? (await Snapshot.open(source, this.#options))
      this.#condemned.delete(id)
      this.#serve(snapshot)
    } catch (cause) {
      const damage = damageOf(cause)
      if (damage) this.#remember(id, damage, cause as EngineError)
      throw cause
    }
  }

  #remember(id: string, damage: Damage, refusal: EngineError): void {
    this.#condemned.set(id, { damage, refusal, watch: new RepairWatch(this.#lake, damage) })
  }

  #serve(snapshot: Snapshot): void {
    const previous = this.#current
    this.#current = snapshot
    this.#open.set(snapshot.id, snapshot)
    this.#scrubbing.abort()
    this.#scrubbing = new AbortController()
    void this.#scrub(snapshot, this.#scrubbing.signal)
    if (!previous || previous === snapshot) return
    setTimeout(() => previous !== this.#current && this.#retire(previous), GRACE_SECONDS * 1000).unref()
  }

  /** Closes a snapshot that was found damaged while it was open: nothing it has answered is trusted any more. */
  #condemn(snapshot: Snapshot, problem: FileProblem): void {
    const { id } = snapshot
    if (this.#open.get(id) !== snapshot) return
    this.#epoch += 1
    this.#remember(id, { snapshot_id: id, ...problem }, damagedFile(this.#lake, id, problem))
    this.#retire(snapshot)
  }

  #retire(snapshot: Snapshot): void {
    if (this.#open.get(snapshot.id) !== snapshot) return
    this.#open.delete(snapshot.id)
    snapshot.retire()
  }

  async #scrub(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const { scrub_hours } = this.#options
    if (scrub_hours === undefined) return
    while (!signal.aborted && this.#open.get(snapshot.id) === snapshot) {
      await this.#scrubOnce(snapshot, { period_ms: scrub_hours * HOUR_MS, signal })
      await sleep(1000, undefined, { ref: false })
    }
  }

  async #scrubOnce({ manifest }: Snapshot, options: { period_ms: number; signal: AbortSignal }): Promise<void> {
    const { snapshot_id } = manifest
    // A file that cannot be read for want of something else is the next round's.
    const found = await scrub(this.#lake, manifest, options).catch(() => null)
    const snapshot = this.#open.get(snapshot_id)
    if (!found || !snapshot) return
    this.#condemn(snapshot, found)
    await this.look().catch(() => undefined)
  }

  close(): void {
    this.#scrubbing.abort()
    for (const snapshot of this.#open.values()) this.#retire(snapshot)
    this.#database.close()
  }
}
