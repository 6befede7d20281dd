import type { z } from 'zod'
import { momentOf } from './as-of.ts'
import type { Catalog, CoverageCell } from './catalog/catalog.ts'
import { withLoading } from './catalog/memory.ts'
import { EngineError } from './errors.ts'
import { currentSnapshotId, type Manifest } from './manifest.ts'
import type { Row, RunOptions } from './pool.ts'
import { queries } from './queries/index.ts'
import { type AnyQuery, type Bindings, type Plan, queryId } from './query.ts'
import { Snapshot, type SnapshotOptions } from './snapshot.ts'

export type EngineOptions = SnapshotOptions & {
  /** A fixed "now", so that answers can be repeated; default the clock, to the second. */
  as_of?: Date | undefined
  /** Whether all that planning needs is read when a snapshot opens, rather than when it is first needed. Default false. */
  warm?: boolean | undefined
}

export type PlanOptions = {
  /** The moment the query is asked at; default `engine.now()`. */
  now?: Date | undefined
  /** Decides when a part of the snapshot that memory lacks is read; default at once. */
  admit?: ((load: () => Promise<unknown>) => Promise<unknown>) | undefined
}

const SECOND = 1000
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
    const engine = new Engine(lake, options, await Snapshot.open(lake, id, options))
    if (options.warm) await engine.#current.load(engine.now())
    return engine
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

  /** The moment queries are asked at. */
  now(): Date {
    return this.#options.as_of ?? new Date(Math.floor(Date.now() / SECOND) * SECOND)
  }

  /** The names and shelves of the current snapshot, with all of it in memory. */
  async catalog(as_of: Date = this.now()): Promise<Catalog> {
    await this.#current.load(as_of)
    return this.#current.catalog(as_of)
  }

  /** The coverage cells of the current snapshot as of now, read where memory lacks them. */
  coverage(): Promise<readonly CoverageCell[]> {
    const snapshot = this.#current
    return snapshot.use(() => withLoading(() => snapshot.catalog(this.now()).coverage()))
  }

  /** Runs a statement over the current snapshot as of a moment. */
  rows(sql: string, bindings: Bindings, as_of: Date = this.now()): Promise<Row[]> {
    return this.#current.run(sql, bindings, as_of)
  }

  /**
   * Resolves a query in memory: nothing is computed. Where memory lacks a part of the snapshot, as for a past day, that is
   * read first. Throws the refusals of EngineError.
   */
  async plan<Q extends AnyQuery>(
    query: Q,
    params: z.output<Q['params']>,
    { now = this.now(), admit }: PlanOptions = {},
  ): Promise<Plan> {
    const snapshot = this.#current
    const as_of = momentOf(params.as_of, now)
    const resolve = () => query.resolve(params, snapshot.catalog(as_of))
    const { bindings, context } = await snapshot.use(() => withLoading(resolve, admit))
    const { snapshot_id } = snapshot.manifest
    return { query: queryId(query), params, bindings, context, snapshot_id, as_of: as_of.toISOString() }
  }

  /** Computes a plan's answer from the one snapshot it was made for. Throws NO_RESULTS where nothing was observed. */
  async run(plan: Plan, options: RunOptions = {}): Promise<unknown> {
    const query = queryOf(plan)
    const snapshot = this.#open.get(plan.snapshot_id)
    if (!snapshot && this.#open.size === 0) throw new EngineError('NOT_READY', 'The engine is closed.')
    // Its snapshot is closed: the same question is put to the current one, never half to each.
    const as_of = new Date(plan.as_of)
    if (!snapshot) return this.run(await this.plan(query, plan.params, { now: as_of }), options)
    return snapshot.use(async () => {
      const catalog = snapshot.catalog(as_of)
      const recalled = await withLoading(() => query.recall?.(plan, catalog))
      const rows = recalled ?? (await snapshot.run(query.sql, plan.bindings, as_of, options))
      return withLoading(() => query.shape(rows, plan.context, catalog))
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
    if (this.#options.warm) await snapshot.load(this.now())
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
