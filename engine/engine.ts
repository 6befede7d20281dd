import type { z } from 'zod'
import { momentOf } from './as-of.ts'
import type { Catalog, CoverageCell } from './catalog/catalog.ts'
import { withLoading } from './catalog/memory.ts'
import type { Manifest } from './manifest.ts'
import type { Row, RunOptions } from './pool.ts'
import { queries } from './queries/index.ts'
import { type AnyQuery, type Bindings, type Plan, queryId } from './query.ts'
import { type Served, Serving, type ServingOptions } from './serving.ts'
import type { Snapshot } from './snapshot.ts'

export type EngineOptions = Omit<ServingOptions, 'warm_at'> & {
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

const nowOf = (as_of: Date | undefined): Date => as_of ?? new Date(Math.floor(Date.now() / SECOND) * SECOND)

/** Finds a query by group and name. */
export const findQuery = (group: string, name: string): AnyQuery | undefined =>
  queries.find((query: AnyQuery) => query.group === group && query.name === name)

/** Answers questions over the current snapshot of a lake. `plan` may refuse; `run` computes. */
export class Engine {
  readonly #serving: Serving
  readonly #as_of: Date | undefined

  private constructor(serving: Serving, as_of: Date | undefined) {
    this.#serving = serving
    this.#as_of = as_of
  }

  /**
   * Opens the lake's current snapshot, or the newest sound one before it where that is damaged (`state` tells). Throws
   * EngineError NOT_READY where there is none.
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

  /** What is served, and what of the lake cannot be. */
  get state(): Served {
    return this.#serving.state
  }

  /** The published snapshot that another one stands in for, `unknown` where the pointer cannot be read; null normally. */
  get fallback_for(): string | null {
    const { damage, published_id } = this.state
    return damage && (damage.snapshot_id ?? published_id ?? 'unknown')
  }

  /** One higher with every snapshot that was found damaged while it was open: answers from before may be wrong. */
  get epoch(): number {
    return this.#serving.epoch
  }

  /** Why the snapshot that is served may be removed meanwhile; null where that cannot be. */
  get lease_problem(): string | null {
    return this.#current.lease_problem
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
    return nowOf(this.#as_of)
  }

  /** The names and shelves of the current snapshot, with all of it in memory. */
  async catalog(as_of: Date = this.now()): Promise<Catalog> {
    await this.#current.load(as_of)
    return this.#catalogOf(this.#current, as_of)
  }

  #catalogOf(snapshot: Snapshot, as_of: Date): Catalog {
    return { ...snapshot.catalog(as_of), fallback_for: this.fallback_for }
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
    const resolve = () => query.resolve(params, this.#catalogOf(snapshot, as_of))
    const { bindings, context } = await this.#serving.ask(snapshot, () => withLoading(resolve, admit))
    return { query: queryId(query), params, bindings, context, snapshot_id: snapshot.id, as_of: as_of.toISOString() }
  }

  /**
   * Computes a plan's answer from the one snapshot it was made for. Throws NO_RESULTS where nothing was observed, and
   * NOT_READY where the snapshot is found damaged.
   */
  async run(plan: Plan, options: RunOptions = {}): Promise<unknown> {
    const query = queryOf(plan)
    const snapshot = this.#serving.find(plan.snapshot_id)
    // Its snapshot is closed: the same question is put to the current one, never half to each.
    const as_of = new Date(plan.as_of)
    if (!snapshot) return this.run(await this.plan(query, plan.params, { now: as_of }), options)
    return this.#serving.ask(snapshot, async () => {
      const catalog = this.#catalogOf(snapshot, as_of)
      const recalled = await withLoading(() => query.recall?.(plan, catalog))
      const rows = recalled ?? (await snapshot.run(query.sql, plan.bindings, as_of, options))
      return withLoading(() => query.shape(rows, plan.context, catalog))
    })
  }

  /** DuckDB's account of a plan: operators with the files and rows they read, as EXPLAIN ANALYZE gives them in JSON. */
  async explain(plan: Plan): Promise<Row[]> {
    const snapshot = this.#serving.find(plan.snapshot_id) ?? this.#current
    return snapshot.run(`EXPLAIN (ANALYZE, FORMAT JSON) ${queryOf(plan).sql}`, plan.bindings, new Date(plan.as_of))
  }

  /**
   * Looks at the lake: at its pointer, at files that have changed since they were hashed, at damaged ones that may be
   * repaired. True when another snapshot is served after it. Questions under way finish on the snapshot they were planned
   * for. A damaged snapshot is not switched to, one that is found damaged is left for the newest sound one before it, and
   * `state` tells.
   */
  reload(): Promise<boolean> {
    return this.#serving.look()
  }

  close(): void {
    this.#serving.close()
  }
}

const queryOf = (plan: Plan): AnyQuery => {
  const query = queries.find((candidate: AnyQuery) => queryId(candidate) === plan.query)
  if (!query) throw new Error(`${plan.query} is not in the list of queries`)
  return query
}
