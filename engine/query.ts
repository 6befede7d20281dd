import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { asOf } from './as-of.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { Definition } from './definition.ts'

/** The groups of the interface, in its order. */
export const groups = ['public', 'shopper', 'marketing', 'analyst', 'social', 'reference'] as const
export type Group = (typeof groups)[number]

/** Values bound to the `$name` placeholders of a query's SQL; dates are `YYYY-MM-DD` strings. */
export type Bindings = Record<string, string | number | boolean | null>

/** What a question has been resolved to: the values of its SQL, and what its answer repeats. */
export type Resolution<C> = { bindings: Bindings; context: C }

/** One statistic: what may be asked, how names are resolved, what is computed and what is answered. */
export type Query<P extends z.ZodObject, Row extends z.ZodObject, A extends z.ZodObject, C> = {
  group: Group
  name: string
  /** One line for lists, help and the contract document. */
  summary: string
  definition: Definition
  params: P
  /** A row of the result, as the SQL's last SELECT names it. */
  row: Row
  answer: A
  sql: string
  /**
   * A statement that runs first: its one row is part of every row, and gives the query's own statement the values that
   * only data show, such as the prices within a fence.
   */
  first?: { sql: string; bindings(row: z.output<Row>): Bindings }
  /** Turns parameters into bindings, in memory. Throws an EngineError where the request cannot be answered. */
  resolve(params: z.output<P>, catalog: Catalog): Resolution<C>
  /** Whether only computing shows that there is an answer, so that running may throw NO_RESULTS; default that it cannot. */
  mayBeEmpty?(context: C, catalog: Catalog): boolean
  /** The rows of the SQL, computed in memory in microseconds; null if the SQL has to be run. */
  fromMemory?(resolution: Resolution<C>, catalog: Catalog): readonly z.output<Row>[] | null
  /**
   * Shapes the rows into the answer, with the names of the snapshot they are of. Pure; throws NO_RESULTS where the rows
   * show that nothing was observed.
   */
  shape(rows: readonly z.output<Row>[], context: C, catalog: Catalog): z.output<A>
}

// biome-ignore lint/suspicious/noExplicitAny: the list holds queries of every shape
export type AnyQuery = Query<any, any, any, any>

/** A question resolved against one snapshot, nothing computed yet. Plain data: it can be logged, hashed and replayed. */
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

/** Parameters with the one that every query takes. */
type WithAsOf<P extends z.ZodObject> =
  P extends z.ZodObject<infer Shape, infer Config> ? z.ZodObject<Shape & { as_of: typeof asOf }, Config> : never

/** Defines a query whose SQL is the `.sql` file beside the calling module. Every query takes `as_of`. */
export const defineQuery = <P extends z.ZodObject, Row extends z.ZodObject, A extends z.ZodObject, C>(
  module: ImportMeta,
  query: Omit<Query<P, Row, A, C>, 'sql'>,
): Query<WithAsOf<P>, Row, A, C> => {
  const sql = readFileSync(new URL(module.url.replace(/\.[jt]s$/, '.sql')), 'utf8')
  return { ...query, params: query.params.safeExtend({ as_of: asOf }), sql } as unknown as Query<WithAsOf<P>, Row, A, C>
}

/** What a query takes: what has a default may be left out. */
export type Params<Q extends AnyQuery> = z.input<Q['params']>
/** What a query answers. */
export type Answer<Q extends AnyQuery> = z.output<Q['answer']>

/** `analyst/inflation`: the name of a query in plans, paths and benches. */
export const queryId = (query: Pick<AnyQuery, 'group' | 'name'>): string => `${query.group}/${query.name}`

/** The single row of an aggregate. Anything else is a fault in the SQL, not in the request. */
export const one = <T>(rows: readonly T[]): T => {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
