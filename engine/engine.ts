import type { z } from 'zod'
import type { Catalog } from './catalog/catalog.ts'
import type { Manifest } from './manifest.ts'
import type { Row, RunOptions } from './pool.ts'
import { queries } from './queries/index.ts'
import { type AnyQuery, type Plan, queryId } from './query.ts'
import { type Served, Serving, type ServingOptions } from './serving.ts'
import type { Snapshot } from './snapshot.ts'

export type EngineOptions = ServingOptions & {
  /** A fixed "now", so that answers can be repeated; default the clock, to the minute. */
  as_of?: Date | undefined
}

const MINUTE = 60_000

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
  static async open(lake: string, { as_of, ...options }: EngineOptions = {}): Promise<Engine> {
    return new Engine(await Serving.open(lake, options), as_of)
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

  /** The moment questions are asked at. The clock counts by the minute, so that repeated questions are the same question. */
  now(): Date {
    return this.#as_of ?? new Date(Math.floor(Date.now() / MINUTE) * MINUTE)
  }

  /** The names and shelves of the current snapshot. */
  catalog(as_of: Date = this.now()): Promise<Catalog> {
    return this.#catalogOf(this.#current, as_of)
  }

  async #catalogOf(snapshot: Snapshot, as_of: Date): Promise<Catalog> {
    return { ...(await snapshot.catalog(as_of)), fallback_for: this.fallback_for }
  }

  /** Resolves a question, in memory or by bounded lookups: nothing is computed. Throws the refusals of EngineError. */
  async plan<Q extends AnyQuery>(query: Q, params: z.output<Q['params']>, as_of: Date = this.now()): Promise<Plan> {
    const snapshot = this.#current
    const { bindings, context } = await this.#serving.ask(snapshot, async () =>
      query.resolve(params, await this.#catalogOf(snapshot, as_of)),
    )
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
    if (!snapshot) return this.run(await this.plan(query, plan.params, new Date(plan.as_of)), options)
    const as_of = new Date(plan.as_of)
    return this.#serving.ask(snapshot, async () => {
      const catalog = await this.#catalogOf(snapshot, as_of)
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
