import type { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { asOf, maxAge, type Source } from '../contract/as-of.ts'
import type { Definition } from '../contract/definition.ts'
import type { ResolvedProduct } from '../contract/resolved-product.ts'
import type { ReadBy, Reads } from '../counts/count.ts'
import type { Declared } from '../counts/read.ts'
import type { Bindings } from '../duckdb/pool.ts'

export type { Bindings }

/** The groups of the interface, in its order. */
export const groups = ['public', 'shopper', 'marketing', 'analyst', 'social', 'reference'] as const
export type Group = (typeof groups)[number]

/**
 * The result of resolving a query: the values for its SQL and the context that its answer repeats. Both depend on the day
 * of as_of, not on its time: a plan adds the moment to the context.
 */
export type Resolution<C> = { bindings: Bindings; context: C }

/** A query: its parameters, how names are resolved, what is read and what is returned. */
export type Query<P extends z.ZodObject, A extends z.ZodObject, C, D extends Reads> = Declared<D> & {
  group: Group
  name: string
  /** One line for lists, help and the contract document. */
  summary: string
  definition: Definition
  params: P
  answer: A
  /** Turns parameters into bindings, by the catalog alone. Throws an EngineError if the query is refused. */
  resolve(params: z.output<P>, catalog: Catalog): Resolution<C> | Promise<Resolution<C>>
  /** Whether running the plan may still throw NO_RESULTS; default false. */
  mayBeEmpty?(context: C & Source, catalog: Catalog): boolean
  /**
   * Builds the answer from what was read, using the names of the snapshot. Pure; throws NO_RESULTS where nothing was
   * observed.
   */
  toAnswer(read: ReadBy<D>, context: C & Source, catalog: Catalog): z.output<A>
}

// biome-ignore lint/suspicious/noExplicitAny: the list holds queries of every shape
export type AnyQuery = Query<any, any, any, any>

/** A query resolved against one snapshot and not yet computed. Plain data: it can be logged, hashed and replayed. */
export type Plan = {
  query: string
  params: Record<string, unknown>
  bindings: Bindings
  context: unknown
  /** Whether running it may still throw NO_RESULTS. */
  may_be_empty: boolean
  snapshot_id: string
  as_of: string
}

/** The product that a plan's answer is about; null for an answer about no single product. */
export const boughtIn = ({ context }: Plan): ResolvedProduct | null =>
  (context as { resolved_product?: ResolvedProduct } | null)?.resolved_product ?? null

/** Parameters plus those that every query accepts. */
type WithCommon<P extends z.ZodObject> =
  P extends z.ZodObject<infer Shape, infer Config>
    ? z.ZodObject<Shape & { as_of: typeof asOf; max_age: typeof maxAge }, Config>
    : never

/** Defines a query by what it declares to read. Every query accepts `as_of` and `max_age`. */
export const defineQuery = <P extends z.ZodObject, A extends z.ZodObject, C, const D extends Reads>(
  query: Query<P, A, C, D>,
): Query<WithCommon<P>, A, C, D> =>
  ({ ...query, params: query.params.safeExtend({ as_of: asOf, max_age: maxAge }) }) as unknown as Query<
    WithCommon<P>,
    A,
    C,
    D
  >

/** The parameters of a query; those with a default are optional. */
export type Params<Q extends AnyQuery> = z.input<Q['params']>
/** The answer of a query. */
export type Answer<Q extends AnyQuery> = z.output<Q['answer']>

export { queryId } from '../contract/param-fields.ts'

/** The single row of an aggregate. Any other number of rows is a bug in the SQL, not in the request. */
export const one = <T>(rows: readonly T[]): T => {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
