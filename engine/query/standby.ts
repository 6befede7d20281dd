import { damageOf, findProblem } from '../lake/damage.ts'
import { damagedFile } from '../lake/verify.ts'
import { Snapshot, type SnapshotOptions } from './snapshot.ts'

/** What was found in place of a snapshot to stand by. */
export type OnDamage = (id: string, cause: unknown) => void

/**
 * The snapshot that is served if the current one is found damaged, open and verified beforehand. It has no lease, so that
 * it can be removed at any time, and loads listings when it is used, so that it takes little memory meanwhile.
 */
export class Standby {
  readonly #lake: string
  readonly #options: SnapshotOptions
  readonly #onDamage: OnDamage
  #id: string | null = null
  #opening: Promise<Snapshot | null> = Promise.resolve(null)
  #opened: Snapshot | null = null

  constructor(lake: string, options: SnapshotOptions, onDamage: OnDamage) {
    this.#lake = lake
    this.#options = { ...options, warm_at: undefined }
    this.#onDamage = onDamage
  }

  /** The snapshot that stands ready; null while there is none. */
  get id(): string | null {
    return this.#opened?.id ?? null
  }

  /** Makes a snapshot the one that stands by; its files that are also the current one's are not hashed again. */
  prepare(id: string | null, current: Snapshot): void {
    if (id === this.#id) return
    this.close()
    this.#id = id
    if (id !== null) this.#opening = this.#open(id, current)
  }

  async #open(id: string, current: Snapshot): Promise<Snapshot | null> {
    try {
      const location = { lake: this.#lake, id, beside: current, hasLease: false }
      const snapshot = await Snapshot.open(location, this.#options)
      if (this.#id !== id) {
        snapshot.retire()
        return null
      }
      this.#opened = snapshot
      return snapshot
    } catch (cause) {
      if (damageOf(cause)) this.#onDamage(id, cause)
      if (this.#id === id) this.#id = null
      return null
    }
  }

  /**
   * The snapshot if it stands by, to be served from now on; null if it does not. Throws NOT_READY if it was damaged
   * meanwhile; files that `failure` names are hashed again.
   */
  async take(id: string, failure: string): Promise<Snapshot | null> {
    if (this.#id !== id) return null
    const snapshot = await this.#opening
    if (!snapshot || this.#opened !== snapshot) return null
    this.#id = null
    this.#opened = null
    try {
      await snapshot.hold()
      const problem = await findProblem(this.#lake, snapshot, { failure })
      if (problem) throw damagedFile(this.#lake, id, problem)
      return snapshot
    } catch (cause) {
      snapshot.retire()
      throw cause
    }
  }

  close(): void {
    this.#id = null
    this.#opened?.retire()
    this.#opened = null
  }
}
