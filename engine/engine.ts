import type { z } from 'zod'
import { EngineError } from './errors.ts'
import type { Manifest } from './manifest.ts'
import { currentSnapshotId } from './pointer.ts'
import type { Row, RunOptions } from './pool.ts'
import { queries } from './queries/index.ts'
import { type AnyQuery, type Plan, queryId } from './query.ts'
import { Snapshot, type SnapshotOptions } from './snapshot.ts'

export type EngineOptions = SnapshotOptions & {
  /** A fixed "now", so that answers can be repeated; default the clock, to the minute. */
  as_of?: Date | undefined
}

const MINUTE = 60_000
/** How long plans made before a switch still find their snapshot open. */
const GRACE_SECONDS = 60

/** Finds a query by group and name. */
export const findQuery = (group: string, name: string): AnyQuery | undefined =>
  queries.find((query: AnyQuery) => query.group === group && query.name === name)

/** Answers questions over the current snapshot of a lake. `plan` may refuse; `run` computes. */
export class Engine {
  readonly #lake: string
  readonly #options: EngineOptions
  readonly #open = new Map<string, Snapshot>()
  #current: Snapshot
  #switching: Promise<boolean> | undefined

  private constructor(lake: string, options: EngineOptions, snapshot: Snapshot) {
    this.#lake = lake
    this.#options = options
    this.#current = snapshot
    this.#open.set(snapshot.manifest.snapshot_id, snapshot)
  }

  /** Opens the lake's current snapshot. Throws EngineError NOT_READY where there is none or a file of it is damaged. */
  static async open(lake: string, options: EngineOptions = {}): Promise<Engine> {
    const id = await currentSnapshotId(lake)
    if (id === null)
      throw new EngineError(
        'NOT_READY',
        `There is no snapshot in ${lake}. Make one: npm run -s sample -- --out data/feeds && ` +
          `npm run -s refresh -- --feeds data/feeds --lake ${lake}`,
      )
    return new Engine(lake, options, await Snapshot.open(lake, id, options))
  }

  get manifest(): Manifest {
    return this.#current.manifest
  }

  /** When the current snapshot's newest price was observed, without prices its newest post; null where it holds neither. */
  get newest_observed_at(): string | null {
    return this.#current.newest_observed_at
  }

  /** The GPC release and the crosswalk of the current snapshot; null where there is none. */
  get versions(): { gpc_release: string | null; map_version: string | null } {
    return this.#current.versions
  }

  /** The moment questions are asked at. The clock counts by the minute, so that repeated questions are the same question. */
  now(): Date {
    return this.#options.as_of ?? new Date(Math.floor(Date.now() / MINUTE) * MINUTE)
  }

  /** The names and shelves of the current snapshot. */
  catalog(as_of: Date = this.now()) {
    return this.#current.catalog(as_of)
  }

  /** Resolves a question, in memory or by bounded lookups: nothing is computed. Throws the refusals of EngineError. */
  async plan<Q extends AnyQuery>(query: Q, params: z.output<Q['params']>, as_of: Date = this.now()): Promise<Plan> {
    const snapshot = this.#current
    const { bindings, context } = await query.resolve(params, await snapshot.catalog(as_of))
    const { snapshot_id } = snapshot.manifest
    return { query: queryId(query), params, bindings, context, snapshot_id, as_of: as_of.toISOString() }
  }

  /** Computes a plan's answer from the one snapshot it was made for. Throws NO_RESULTS where nothing was observed. */
  async run(plan: Plan, options: RunOptions = {}): Promise<unknown> {
    const query = queryOf(plan)
    const snapshot = this.#open.get(plan.snapshot_id)
    if (!snapshot && this.#open.size === 0) throw new EngineError('NOT_READY', 'The engine is closed.')
    // Its snapshot is closed: the same question is put to the current one, never half to each.
    if (!snapshot) return this.run(await this.plan(query, plan.params, new Date(plan.as_of)), options)
    const as_of = new Date(plan.as_of)
    return snapshot.use(async () => {
      const catalog = await snapshot.catalog(as_of)
      const recalled = await query.recall?.(plan, catalog)
      return query.shape(
        recalled ?? (await snapshot.run(query.sql, plan.bindings, as_of, options)),
        plan.context,
        catalog,
      )
    })
  }

  /** DuckDB's account of a plan: operators with the files and rows they read, as EXPLAIN ANALYZE gives them in JSON. */
  async explain(plan: Plan): Promise<Row[]> {
    const snapshot = this.#open.get(plan.snapshot_id) ?? this.#current
    return snapshot.run(`EXPLAIN (ANALYZE, FORMAT JSON) ${queryOf(plan).sql}`, plan.bindings, new Date(plan.as_of))
  }

  /**
   * Switches to the lake's current snapshot if it is another one; true when it switched. Questions under way finish on
   * the snapshot they were planned for. Throws EngineError NOT_READY, and keeps serving, where the new one is damaged.
   */
  reload(): Promise<boolean> {
    // One switch at a time: two at once would open the same snapshot twice and close it for both.
    this.#switching ??= this.#switch().finally(() => {
      this.#switching = undefined
    })
    return this.#switching
  }

  async #switch(): Promise<boolean> {
    const id = await currentSnapshotId(this.#lake)
    if (id === null || id === this.#current.manifest.snapshot_id) return false
    const snapshot = this.#open.get(id) ?? (await Snapshot.open(this.#lake, id, this.#options))
    const previous = this.#current
    this.#current = snapshot
    this.#open.set(id, snapshot)
    setTimeout(() => previous !== this.#current && this.#retire(previous), GRACE_SECONDS * 1000).unref()
    return true
  }

  close(): void {
    for (const snapshot of this.#open.values()) this.#retire(snapshot)
  }

  #retire(snapshot: Snapshot): void {
    if (this.#open.delete(snapshot.manifest.snapshot_id)) snapshot.retire()
  }
}

const queryOf = (plan: Plan): AnyQuery => {
  const query = queries.find((candidate: AnyQuery) => queryId(candidate) === plan.query)
  if (!query) throw new Error(`${plan.query} is not in the list of queries`)
  return query
}
