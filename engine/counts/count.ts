import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { Bindings } from '../duckdb/pool.ts'
import type { ValueCounts } from '../statistics/value-counts.ts'
import type { ColumnOf, CountedColumn, Parameter, RankedColumn, Relation, RowOf } from './relations.ts'

type Named<T> = Readonly<Record<string, T>>

type Operand<R extends Relation> = CountedColumn<R> | `$${Parameter}` | number

/**
 * What holds of a row: a flag; a comparison; `is`, equal to a parameter, or none was sent; `in`, one of a list; `known`, of an
 * optional column. A closed list, so that every interpreter has all of it.
 */
export type Condition<R extends Relation> =
  | CountedColumn<R>
  | `$${Parameter}`
  | readonly ['=' | '<' | '<=' | '>' | '>=', Operand<R>, Operand<R>]
  | readonly ['is' | 'in', CountedColumn<R>, `$${Parameter}`]
  | readonly ['known', CountedColumn<R>]
  | readonly ['not', Condition<R>]
  | readonly ['and' | 'or', ...Condition<R>[]]

/** A whole number of a row: a column, whether a condition holds, or one of two columns. An unknown one is -1. */
export type Key<R extends Relation> = Condition<R> | readonly ['if', Condition<R>, Operand<R>, Operand<R>]

/** Whatever has a value in a row. */
export type Scalar<R extends Relation> = Key<R> | RankedColumn<R> | number

/** A column of the rows for which `where` holds. */
export type Filtered<R extends Relation> = { readonly of: CountedColumn<R>; readonly where: Condition<R> }

/** What is added up; a condition counts the rows for which it holds. */
export type Sum<R extends Relation> = Condition<R> | Filtered<R>

/** NamedCounts: the rows of a relation in groups, with exact sums and the counts of one value. Plain data. */
export type Count<R extends Relation> = {
  readonly from: R
  /** All of these hold. */
  readonly where?: readonly Condition<R>[]
  /** How rows are grouped; without keys there is one group, also without rows. */
  readonly by?: Named<Key<R>>
  /** The column whose values are counted in each group. */
  readonly value?: CountedColumn<R>
  readonly sums?: Named<Sum<R>>
  readonly min?: Named<RankedColumn<R>>
  readonly max?: Named<RankedColumn<R> | Filtered<R>>
  /** The column whose median is taken in each group, between the two middle values; not beside `value`. */
  readonly median?: CountedColumn<R>
}

/** A column to sort by, with a minus sign from high to low. */
export type Order<R extends Relation> = ColumnOf<R> | `-${ColumnOf<R>}`

/** A list: some columns of the rows of a relation, in an order that ends in a unique column. Plain data. */
export type List<R extends Relation> = {
  readonly from: R
  readonly where?: readonly Condition<R>[]
  readonly columns: readonly ColumnOf<R>[]
  /** The order, or one of several by the value of a binding. */
  readonly order: readonly Order<R>[] | { readonly by: string; readonly orders: Named<readonly Order<R>[]> }
  readonly limit?: `$${Parameter}`
  readonly offset?: `$${Parameter}`
}

export type AnyCount = { [R in Relation]: Count<R> }[Relation]
export type AnyList = { [R in Relation]: List<R> }[Relation]

/** The rows of a statement over names, reference or posts, which have no relations. */
export type Statement<Row extends z.ZodObject = z.ZodObject> = {
  readonly sql: string
  /** A row, as the last SELECT names it. */
  readonly row: Row
  /** The same rows from the names in memory. */
  readonly fromNames?: (
    bindings: Bindings,
    catalog: Catalog,
  ) => readonly z.output<Row>[] | Promise<readonly z.output<Row>[]>
}

// biome-ignore lint/suspicious/noExplicitAny: statements have rows of every shape
export type AnyStatement = Statement<any>
export type AnyRead = AnyCount | AnyList | AnyStatement

/** Counts by name. */
export type NamedCounts = Named<AnyCount>

/** What a query reads, by name. */
export type Reads = Named<AnyRead>

export const isParameter = (operand: unknown): operand is `$${Parameter}` =>
  typeof operand === 'string' && operand.startsWith('$')
export const isFiltered = <R extends Relation>(sum: Sum<R> | RankedColumn<R>): sum is Filtered<R> =>
  typeof sum === 'object' && 'of' in sum
export const isStatement = (read: AnyRead): read is AnyStatement => 'sql' in read
export const isList = (read: AnyRead): read is AnyList => 'columns' in read
export const isCount = (read: AnyRead): read is AnyCount => !isStatement(read) && !isList(read)

/** Declares counts, so that the types of what is counted know its names. */
export const count = <const C extends AnyCount>(declared: C): C => {
  if (declared.value !== undefined && declared.median !== undefined)
    throw new Error('a count has a value or a median, not both')
  return declared
}

/** Declares a list, so that the types of its rows know its columns. */
export const list = <const L extends AnyList>(declared: L): L => declared

/** The statement in the `.sql` file beside a module. */
export const statement = <Row extends z.ZodObject>(
  module: ImportMeta,
  row: Row,
  fromNames?: Statement<Row>['fromNames'],
): Statement<Row> => ({
  sql: readFileSync(new URL(module.url.replace(/\.[jt]s$/, '.sql')), 'utf8'),
  row,
  ...(fromNames && { fromNames }),
})

type NamesOf<T> = T extends Named<unknown> ? keyof T & string : never

type FigureColumns<N> = Readonly<Record<NamesOf<N>, Float64Array>>

/** Groups as columns: their keys, `n`, sums, minima and maxima; unknown ones of the last two, and unknown medians, are -1. */
export type Counted<C extends AnyCount = AnyCount> = {
  readonly length: number
  readonly n: Float64Array
  readonly key: FigureColumns<C['by']>
  readonly sum: FigureColumns<C['sums']>
  /** The sum of a long column in a group. */
  long(name: NamesOf<C['sums']>, group: number): bigint
  readonly min: FigureColumns<C['min']>
  readonly max: FigureColumns<C['max']>
  /** The median in a group, where one is declared. */
  median(group: number): number
  /** How often each value occurs in a group: values in any order, which may repeat, parallel to their counts. */
  tally(group: number): { values: Float64Array; counts: Float64Array }
  /** The same of some groups together, sorted, of whole numbers from 0. */
  values(groups: readonly number[]): ValueCounts
}

/** What was read by declarations, by name. */
export type ReadBy<D extends Reads> = {
  readonly [N in keyof D]: D[N] extends Statement<infer Row>
    ? readonly z.output<Row>[]
    : D[N] extends { readonly from: infer R extends Relation; readonly columns: readonly (infer C extends string)[] }
      ? readonly RowOf<R, C>[]
      : D[N] extends AnyCount
        ? Counted<D[N]>
        : never
}

type Groups = Pick<Counted, 'length' | 'n'>

/** The numbers of the groups for which a condition holds. */
export const groupsOf = ({ length }: { length: number }, isWanted?: (group: number) => boolean): number[] => {
  const groups: number[] = []
  for (let group = 0; group < length; group += 1) if (!isWanted || isWanted(group)) groups.push(group)
  return groups
}

/** How many were counted in all groups, or in those for which a condition holds. */
export const total = ({ length, n }: Groups, isWanted?: (group: number) => boolean): number =>
  groupsOf({ length }, isWanted).reduce((sum, group) => sum + n[group]!, 0)

type Spans = { length: number; min: { observed: Float64Array }; max: { observed: Float64Array } }

/** When the first and the last of some groups were observed, in seconds since 1970; null without any. */
export const spanOf = ({ length, min, max }: Spans, isWanted?: (group: number) => boolean) => {
  let [first, last] = [-1, -1]
  for (const group of groupsOf({ length }, isWanted)) {
    if (max.observed[group]! < 0) continue
    first = first < 0 ? min.observed[group]! : Math.min(first, min.observed[group]!)
    last = Math.max(last, max.observed[group]!)
  }
  return last < 0 ? null : { min: first, max: last }
}

/** The counts of the values of the groups for which a condition holds. */
export const valuesOf = (
  counted: Pick<Counted, 'length' | 'values'>,
  isWanted?: (group: number) => boolean,
): ValueCounts => counted.values(groupsOf(counted, isWanted))

/** The sums of all groups together. */
export const sumsOf = <C extends AnyCount>({ sum }: Counted<C>): Record<keyof Counted<C>['sum'], number> =>
  Object.fromEntries(
    Object.entries<Float64Array>(sum).map(([name, column]) => [name, column.reduce((all, part) => all + part, 0)]),
  ) as Record<keyof Counted<C>['sum'], number>

/** When a scope was first and last observed in the days [from, to). */
export const observedSpan = count({
  from: 'observed_span',
  min: { observed: 'first_second' },
  max: { observed: 'last_second' },
})
