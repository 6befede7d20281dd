import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from '../contract/errors.ts'
import { HOUR_MS } from '../contract/time.ts'
import {
  type Damage,
  damageOf,
  findProblem,
  isOutOfFileDescriptors,
  isReadFailure,
  RepairWatch,
  remainingDamage,
} from '../lake/damage.ts'
import { damagedLake, type FileProblem, noSnapshotIn } from '../lake/lake-error.ts'
import { readSealedManifest, snapshotIds } from '../lake/manifest.ts'
import { type Pointer, readPointer } from '../lake/pointer.ts'
import { scrub } from '../lake/scrub.ts'
import { damagedFile } from '../lake/verify.ts'
import { Snapshot, type SnapshotOptions } from './snapshot.ts'
import { Standby } from './standby.ts'

export type ServingOptions = SnapshotOptions & {
  /** The files of the served snapshot are hashed again within this many hours; never if absent. */
  scrub_hours?: number | undefined
  /** Whether the snapshot before the served one stands ready in its place. Default false. */
  has_standby?: boolean | undefined
}

/** How long a replaced snapshot stays open for the plans that were made for it. */
const GRACE_SECONDS = 60

const MISSING = { file: 'current', reason: 'missing' }

const numberOf = (id: string): number => Number.parseInt(id, 10)

/** Which snapshot of a lake is served, and which damage was found. */
export type Served = {
  /** Null if nothing can be served. */
  snapshot_id: string | null
  /** The id in the pointer; the last one that was read if the pointer is unreadable. */
  published_id: string | null
  /** Of the published snapshot or the pointer: why another snapshot is served, or none. */
  damage: Damage | null
}

/** A damaged snapshot, the refusal of queries over it, and the watch that decides when to check it again. */
type DamagedSnapshot = { damage: Damage; refusal: EngineError; watch: RepairWatch }

/**
 * Chooses which snapshot of a lake is served: the published one or, while that is damaged, the newest sound one before it.
 * Replaced snapshots stay open for a while.
 */
export class Serving {
  readonly #lake: string
  readonly #options: ServingOptions
  readonly #open = new Map<string, Snapshot>()
  readonly #damaged = new Map<string, DamagedSnapshot>()
  #current: Snapshot | undefined
  #published: Pointer | null = null
  #refusal: EngineError | null = null
  #reloading: Promise<boolean> | undefined
  #scrubbing = new AbortController()
  readonly #standby: Standby
  #epoch = 0

  private constructor(lake: string, options: ServingOptions) {
    this.#lake = lake
    this.#options = options
    this.#standby = new Standby(lake, options, (id, cause) => this.#noteDamage(id, cause))
  }

  /** Opens the snapshot to serve. Throws EngineError NOT_READY if the lake has no snapshot, or no sound one. */
  static async open(lake: string, options: ServingOptions): Promise<Serving> {
    if ((await readPointer(lake).catch(() => undefined)) === null) throw noSnapshotIn(lake)
    const serving = new Serving(lake, options)
    try {
      await serving.#choose()
      if (!serving.#current) throw serving.#refusal
      return serving
    } catch (cause) {
      serving.close()
      throw cause
    }
  }

  /** The snapshot that was opened last. It is damaged only if there is no sound one. */
  get current(): Snapshot {
    return this.#current!
  }

  get state(): Served {
    const { id } = this.current
    return {
      snapshot_id: this.#damaged.has(id) ? null : id,
      published_id: this.#published?.snapshot_id ?? null,
      damage: damageOf(this.#refusal) ?? null,
    }
  }

  /** Incremented whenever an open snapshot is found damaged, since its earlier answers may be wrong. */
  get epoch(): number {
    return this.#epoch
  }

  /** An open snapshot by its id; undefined if it is closed. Throws NOT_READY if it is damaged or the engine is closed. */
  get(id: string): Snapshot | undefined {
    this.#refuseDamaged(id)
    if (this.#open.size === 0) throw new EngineError('NOT_READY', 'The engine is closed.')
    return this.#open.get(id)
  }

  #refuseDamaged(id: string): void {
    const damaged = this.#damaged.get(id)
    if (damaged) throw damaged.refusal
  }

  /**
   * Runs work on a snapshot. Throws NOT_READY instead of returning a result if the snapshot is found damaged meanwhile. If
   * the work fails, the files of the snapshot are checked.
   */
  async use<T>(snapshot: Snapshot, work: () => Promise<T>): Promise<T> {
    this.#refuseDamaged(snapshot.id)
    const epoch = this.#epoch
    const result = await snapshot.use(work).catch(async (cause: unknown) => {
      throw await this.#explain(snapshot, cause)
    })
    if (epoch !== this.#epoch) this.#refuseDamaged(snapshot.id)
    return result
  }

  async #explain(snapshot: Snapshot, cause: unknown): Promise<unknown> {
    if (cause instanceof EngineError) return cause
    const failure = (cause as Error).message
    if (isOutOfFileDescriptors(cause))
      return new EngineError('NOT_READY', 'The process has no file descriptors left; raise its limit (ulimit -n).')
    const problem = await findProblem(this.#lake, snapshot, { failure })
    if (problem) {
      this.#markDamaged(snapshot, problem)
      void this.reload().catch(() => undefined)
      return damagedFile(this.#lake, snapshot.id, problem)
    }
    if (!isReadFailure(cause)) return cause
    // Sizes and times are unchanged, so only hashing every file can show whether one is corrupt.
    void this.#scrubOnce(snapshot, { period_ms: 0, signal: this.#scrubbing.signal })
    return new EngineError('NOT_READY', `a file cannot be read: ${failure}`)
  }

  /** Checks the lake for a new snapshot and for damage. Returns whether the served snapshot changed. Throws NOT_READY if the lake cannot be read. */
  reload(): Promise<boolean> {
    // One at a time: two at once would open the same snapshot twice and close it for both.
    this.#reloading ??= this.#reload().finally(() => {
      this.#reloading = undefined
    })
    return this.#reloading
  }

  async #reload(): Promise<boolean> {
    const before = this.current
    if (!this.#damaged.has(before.id)) {
      // Files are never modified, so one that has changed since it was hashed may be damaged.
      const problem = await findProblem(this.#lake, before)
      if (problem) this.#markDamaged(before, problem)
    }
    await this.#choose()
    await this.#prepareStandby()
    return this.#current !== before
  }

  async #choose(): Promise<void> {
    const refusal = await this.#openPublished()
    this.#refusal = refusal
    const isServing = this.#current && !this.#damaged.has(this.#current.id)
    if (refusal && !isServing) await this.#openOlder(damageOf(refusal)?.snapshot_id ?? null)
  }

  /** The snapshot that would be served next, if it stands ready. */
  get standby_id(): string | null {
    return this.#standby.id
  }

  async #prepareStandby(): Promise<void> {
    const { id } = this.current
    if (!this.#options.has_standby || this.#damaged.has(id)) return
    const older = (await snapshotIds(this.#lake)).find(
      (other) => numberOf(other) < numberOf(id) && !this.#damaged.has(other),
    )
    // A snapshot that was just replaced stays open for a while.
    if (older === undefined || !this.#open.has(older)) this.#standby.prepare(older ?? null, this.current)
  }

  /** Serves the published snapshot. Returns the refusal if it or the pointer is damaged. */
  async #openPublished(): Promise<EngineError | null> {
    try {
      const pointer = await readPointer(this.#lake)
      if (pointer === null) throw damagedLake(this.#lake, 'the pointer current is missing', MISSING)
      const { snapshot_id: id } = pointer
      const hasChanged = this.#refusal !== null || pointer.manifest_sha256 !== this.#published?.manifest_sha256
      this.#published = pointer
      if (this.#current?.id !== id || this.#damaged.has(id)) await this.#openSound(id, pointer)
      else if (hasChanged) await readSealedManifest(this.#lake, id, pointer)
      return null
    } catch (cause) {
      const damage = damageOf(cause)
      if (!damage) throw cause
      return cause as EngineError
    }
  }

  async #openOlder(than: string | null): Promise<void> {
    // Newer snapshots are skipped: they are there after a rollback.
    const ids = (await snapshotIds(this.#lake)).filter((id) => than === null || numberOf(id) < numberOf(than))
    for (const id of ids) {
      const cause: unknown = await this.#openSound(id).catch((thrown: unknown) => thrown)
      if (cause === undefined) return
      if (!damageOf(cause)) throw cause
    }
  }

  /** Serves a snapshot. Throws if it is damaged; a damaged file that has not changed is not hashed again. */
  async #openSound(id: string, pointer?: Pointer): Promise<void> {
    const damaged = this.#damaged.get(id)
    if (damaged && !(await damaged.watch.mayBeRepaired())) throw damaged.refusal
    try {
      const remaining = damaged && (await remainingDamage(this.#lake, id, damaged.damage, pointer))
      if (remaining) throw damagedFile(this.#lake, id, remaining)
      const beside = this.#current && !this.#damaged.has(this.#current.id) ? this.#current : undefined
      const source = { lake: this.#lake, id, pointer, beside }
      const snapshot =
        this.#open.get(id) ??
        (await this.#standby.take(id, this.#refusal?.message ?? '')) ??
        (await Snapshot.open(source, this.#options))
      this.#damaged.delete(id)
      this.#serve(snapshot)
    } catch (cause) {
      this.#noteDamage(id, cause)
      throw cause
    }
  }

  #noteDamage(id: string, cause: unknown): void {
    const damage = damageOf(cause)
    if (!damage) return
    this.#damaged.set(id, { damage, refusal: cause as EngineError, watch: new RepairWatch(this.#lake, damage) })
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

  /** Closes an open snapshot that was found damaged, and increments the epoch. */
  #markDamaged(snapshot: Snapshot, problem: FileProblem): void {
    const { id } = snapshot
    if (this.#open.get(id) !== snapshot) return
    this.#epoch += 1
    this.#noteDamage(id, damagedFile(this.#lake, id, problem))
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

  async #scrubOnce({ id, files }: Snapshot, options: { period_ms: number; signal: AbortSignal }): Promise<void> {
    // A file that cannot be read for another reason than damage is checked in the next round.
    const damage = await scrub(this.#lake, { snapshot_id: id, files }, options).catch(() => null)
    const snapshot = this.#open.get(id)
    if (!damage || !snapshot) return
    this.#markDamaged(snapshot, damage)
    await this.reload().catch(() => undefined)
  }

  close(): void {
    this.#scrubbing.abort()
    this.#standby.close()
    for (const snapshot of this.#open.values()) this.#retire(snapshot)
  }
}
