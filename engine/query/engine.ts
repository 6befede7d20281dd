import type { z } from 'zod'
import type { Catalog, CoverageCell } from '../catalog/catalog.ts'
import { withCountry } from '../catalog/countries.ts'
import type { Admit } from '../catalog/memory.ts'
import { resolveScope, type ScopeParams } from '../catalog/scope.ts'
import { momentOf, sourceOf } from '../contract/as-of.ts'
import type { Resolved } from '../contract/blocks.ts'
import { checkParams } from '../contract/params.ts'
import type { ClusterState } from '../counts/cluster/cluster.ts'
import { memoryInterpreter } from '../counts/memory.ts'
import { foundInterpreter } from '../counts/memory-lists.ts'
import { type BoundStatement, type Interpreter, namesInterpreter, readAll } from '../counts/read.ts'
import type { Row, RunOptions } from '../duckdb/pool.ts'
import { type Countries, countriesOf, defaultCountry } from '../lake/countries.ts'
import type { Manifest } from '../lake/manifest.ts'
import { type Answer, type AnyQuery, type Bindings, type Params, type Plan, queryId } from '../queries/query.ts'
import { filesToRead } from './files-to-read.ts'
import { observedAtOf, requireFresh, requireFreshSnapshot } from './max-age.ts'
import { queryOf } from './plan-query.ts'
import { type Served, Serving, type ServingOptions } from './serving.ts'
import type { Snapshot } from './snapshot.ts'

export type EngineOptions = Omit<ServingOptions, 'warm_at'> & {
  /** A fixed "now", so that answers can be repeated; default the clock, to the second. */
  as_of?: Date | undefined
  /** Whether everything that planning needs is loaded when a snapshot opens, rather than on first use. Default false. */
  warm?: boolean | undefined
}

export type PlanOptions = {
  /** The moment that the query is answered for; default `engine.now()`. */
  now?: Date | undefined
  /** Decides when a part of the snapshot that is not in memory is loaded; default at once. */
  admit?: Admit | undefined
}

export type Execution = {
  /** One for each declaration; those of counts are run as one. */
  statements: readonly BoundStatement[]
  /** Whether all is read from memory, so that no statement is run and no file is read. */
  is_from_memory: boolean
}

export type AskOptions = Pick<PlanOptions, 'now'> & Pick<RunOptions, 'signal'>

const SECOND = 1000

const nowOf = (as_of: Date | undefined): Date => as_of ?? new Date(Math.floor(Date.now() / SECOND) * SECOND)

/** Reads what a plan needs from memory; null if it is not all there. */
const memoryOf = async ({ reads }: AnyQuery, { bindings }: Plan, catalog: Catalog): Promise<Interpreter | null> =>
  namesInterpreter(reads, catalog) ??
  (await foundInterpreter(reads, bindings, catalog)) ??
  (await memoryInterpreter(reads, bindings, catalog))

/**
 * Answers queries over the published snapshot of a lake. `ask` plans and runs a query in one step; `plan` may refuse it
 * without computing anything, and `run` computes the answer.
 *
 * @example
 * import { Engine, inflation } from 'shelfmark'
 *
 * const engine = await Engine.open('data/lake')
 * const { lfl_change_pct, time_series } = await engine.ask(inflation, { category: 'coffee', days: 365 })
 * console.log(`like for like ${lfl_change_pct} %`)
 * for (const { period, median_price } of time_series) console.log(period, median_price)
 * engine.close()
 */
export class Engine {
  readonly #serving: Serving
  readonly #as_of: Date | undefined

  private constructor(serving: Serving, as_of: Date | undefined) {
    this.#serving = serving
    this.#as_of = as_of
  }

  /**
   * Opens the lake's published snapshot or, if that is damaged, the newest sound one before it (see `state`). Throws
   * EngineError NOT_READY if there is none.
   *
   * @example
   * import { Engine, stats } from 'shelfmark'
   *
   * const engine = await Engine.open('data/lake', { as_of: new Date('2026-11-01'), threads: 2, memory_limit: '1GiB' })
   * const { observations, last_updated } = await engine.ask(stats, {})
   * console.log(`${observations.total} observations, published ${last_updated}`)
   * engine.close()
   */
  static async open(lake: string, { as_of, warm, ...options }: EngineOptions = {}): Promise<Engine> {
    const warm_at = warm ? () => nowOf(as_of) : undefined
    return new Engine(await Serving.open(lake, { ...options, warm_at }), as_of)
  }

  get #current(): Snapshot {
    return this.#serving.current
  }

  get manifest(): Manifest {
    return this.#current.manifest
  }

  /** Which snapshot is served, and which damage was found. */
  get state(): Served {
    return this.#serving.state
  }

  /** The damaged published snapshot that an older one replaces, `unknown` if the pointer is unreadable; null normally. */
  get fallback_for(): string | null {
    const { damage, published_id } = this.state
    return damage && (damage.snapshot_id ?? published_id ?? 'unknown')
  }

  /** The snapshot that stands ready in place of the served one; null while there is none. */
  get standby_id(): string | null {
    return this.#serving.standby_id
  }

  /** Incremented whenever an open snapshot is found damaged, since its earlier answers may be wrong. */
  get epoch(): number {
    return this.#serving.epoch
  }

  /** Why the served snapshot is not protected from removal; null if it is. */
  get lease_problem(): string | null {
    return this.#current.lease_problem
  }

  /** Whether listings and search index fit into the memory budget; else they are read from files when they are needed. */
  get has_listings_in_memory(): boolean {
    return this.#current.has_listings_in_memory
  }

  /** The countries that queries accept, and the one that they are about without that parameter; null where they need it. */
  get countries(): { accepted: Countries; usual: string | null } {
    return { accepted: countriesOf(this.manifest), usual: defaultCountry(this.manifest) }
  }

  /** When the current snapshot's newest price was observed, without prices its newest post; null where it holds neither. */
  get newest_observed_at(): string | null {
    return this.#current.newest_observed_at
  }

  /** The GPC release and the crosswalk of the current snapshot; null where there is none. */
  get versions(): { gpc_release: string | null; map_version: string | null } {
    return this.#current.versions
  }

  /** The moment that queries are answered for. */
  now(): Date {
    return nowOf(this.#as_of)
  }

  /** The names and shelves of the current snapshot, fully loaded. */
  async catalog(as_of: Date = this.now()): Promise<Catalog> {
    await this.#current.load(as_of)
    return this.#catalogOf(this.#current, as_of)
  }

  #catalogOf(snapshot: Snapshot, as_of: Date, admit?: Admit): Catalog {
    return { ...snapshot.catalog(as_of, admit), fallback_for: this.fallback_for }
  }

  /** The coverage cells of the current snapshot as of now, loaded if necessary. */
  coverage(): Promise<readonly CoverageCell[]> {
    const snapshot = this.#current
    return snapshot.use(() => snapshot.catalog(this.now()).coverage())
  }

  /**
   * The category that a text means, as queries resolve it. Throws INVALID_PARAMS, with the nearest categories, where
   * they would refuse it.
   */
  findCategory(text: Omit<ScopeParams, 'retailer'>): Promise<Resolved> {
    const snapshot = this.#current
    return snapshot.use(
      async () =>
        (await resolveScope(withCountry(text, snapshot.manifest), this.#catalogOf(snapshot, this.now()))).resolved,
    )
  }

  /** Runs a statement over the current snapshot. */
  rows(sql: string, bindings: Bindings): Promise<Row[]> {
    return this.#current.run(sql, bindings)
  }

  /**
   * Answers a query. Parameters with a default are optional. The figures of the answer, their units and null rules are
   * documented in `query.definition` and in the descriptions of `query.answer`. Throws EngineError: INVALID_PARAMS,
   * RETAILER_NOT_SERVING_ELIGIBLE, NO_RESULTS, DATA_TOO_OLD or NOT_PUBLISHED if the query is refused, NOT_READY if the snapshot is found
   * damaged or `signal` is aborted.
   *
   * @example
   * const { prices } = await engine.ask(bestPrice, { q: 'coffee', country: 'ca', limit: 3 })
   * for (const { retailer, product_name, price } of prices) console.log(retailer, product_name, price)
   *
   * @example
   * const asOfOctober = { category: 'coffee', as_of: '2026-10-31' }
   * const { percentiles } = await engine.ask(priceDispersion, asOfOctober, { signal: AbortSignal.timeout(5000) })
   * console.log(percentiles)
   */
  async ask<Q extends AnyQuery>(query: Q, params: Params<Q>, { now, signal }: AskOptions = {}): Promise<Answer<Q>> {
    const plan = await this.plan(query, checkParams(query, params), { now })
    return (await this.run(plan, { signal })) as Answer<Q>
  }

  /**
   * Resolves a query in memory, without computing anything. A part of the snapshot that is not in memory, as for a past
   * day, is loaded first. Throws EngineError if the query is refused.
   */
  async plan<Q extends AnyQuery>(
    query: Q,
    given: z.output<Q['params']>,
    { now = this.now(), admit }: PlanOptions = {},
  ): Promise<Plan> {
    const snapshot = this.#current
    const params = withCountry(given, snapshot.manifest)
    const as_of = momentOf(params.as_of, now)
    const { fallback_for } = this
    const resolve = async () => {
      const catalog = this.#catalogOf(snapshot, as_of, admit)
      const { bindings, context } = await query.resolve(params, catalog)
      const may_be_empty = query.mayBeEmpty?.({ ...context, ...sourceOf(catalog) }, catalog) ?? false
      return { bindings, context, may_be_empty }
    }
    // What refuses an answer, and does not change it, is no part of a resolution.
    const key = { query: queryId(query), params: { ...params, max_age: undefined }, as_of, fallback_for }
    const { context, ...resolved } = await this.#serving.use(snapshot, () => snapshot.resolve(key, resolve))
    const source = sourceOf({ snapshot_id: snapshot.id, as_of })
    const plan = { query: queryId(query), params, ...resolved, context: { ...context, ...source }, ...source }
    requireFreshSnapshot(query, plan, snapshot.newest_observed_at)
    return plan
  }

  /**
   * Computes a plan's answer from the snapshot it was made for. Throws NO_RESULTS if nothing was observed, DATA_TOO_OLD if
   * the answer is older than `max_age`, and NOT_READY if the snapshot is found damaged.
   */
  async run(plan: Plan, options: RunOptions = {}): Promise<unknown> {
    const query = queryOf(plan)
    const snapshot = this.#serving.get(plan.snapshot_id)
    // The plan's snapshot is closed, so the query is planned again over the current one.
    const as_of = new Date(plan.as_of)
    if (!snapshot) return this.run(await this.plan(query, plan.params, { now: as_of }), options)
    return this.#serving.use(snapshot, async () => {
      const catalog = this.#catalogOf(snapshot, as_of)
      const memory = await memoryOf(query, plan, catalog)
      const read = memory
        ? await readAll(query, plan.bindings, memory, options)
        : await snapshot.read(query, plan.bindings, options, catalog)
      const answer = query.toAnswer(read, plan.context, catalog)
      requireFresh(plan, observedAtOf(answer))
      return answer
    })
  }

  /** How a plan is run: its statements, and whether all is read from memory. */
  async execution(plan: Plan): Promise<Execution> {
    const query = queryOf(plan)
    const snapshot = this.#serving.get(plan.snapshot_id) ?? this.#current
    const catalog = this.#catalogOf(snapshot, new Date(plan.as_of))
    const memory = await snapshot.use(() => memoryOf(query, plan, catalog))
    return { statements: await snapshot.statements(query, plan.bindings), is_from_memory: memory !== null }
  }

  /** The rows in the files that a plan's statements may open, which is all that can be said without running them. */
  rowsToRead(plan: Plan): number {
    const snapshot = this.#serving.get(plan.snapshot_id) ?? this.#current
    const statements = snapshot.texts(queryOf(plan), plan.bindings).join('\n')
    const files = filesToRead(statements, plan.bindings, snapshot.manifest.files)
    return files.reduce((sum, { rows }) => sum + rows, 0)
  }

  /** DuckDB's profile of each statement of a plan: operators with the files and rows they read, as in the JSON of EXPLAIN ANALYZE. */
  async explain(plan: Plan): Promise<Row[][]> {
    const snapshot = this.#serving.get(plan.snapshot_id) ?? this.#current
    return snapshot.explain(queryOf(plan), plan.bindings)
  }

  /** Checks the nodes of the cluster that has the current snapshot; null without one. */
  checkCluster(): Promise<ClusterState | null> {
    return this.#current.checkCluster()
  }

  /**
   * Checks the lake: its pointer, files that have changed since they were hashed, and damaged files that may be repaired.
   * Returns whether the served snapshot changed. Running queries finish on the snapshot they were planned for. If the
   * published snapshot is damaged, the newest sound one before it is served (see `state`).
   */
  reload(): Promise<boolean> {
    return this.#serving.reload()
  }

  close(): void {
    this.#serving.close()
  }
}
