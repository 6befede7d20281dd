import { compareBytes } from '../catalog/brand-counts.ts'
import type { Bindings, Columns, Row } from '../duckdb/pool.ts'
import { type AnyList, type Counted, count, isStatement, type NamedCounts, type Reads } from './count.ts'
import type { Interpreter } from './read.ts'
import { kindOf, parameters, type Relation } from './relations.ts'
import { countedFrom } from './rows.ts'
import { createWriter, orderOf, pageOf } from './sql.ts'

/** Values of placeholders in the SQL of ClickHouse, which also takes lists of whole numbers. */
export type ShardBindings = Record<string, Bindings[string] | readonly number[]>

/** Runs statements on every shard of a snapshot: those of a single query, which fail together. */
export type Shards = {
  /** The columns of each shard. */
  columns(sql: string, bindings: ShardBindings): Promise<Columns[]>
  /** The rows of all shards. */
  rows(sql: string, bindings: ShardBindings): Promise<Row[]>
}

const TYPES = { INTEGER: 'Nullable(Int32)', BOOLEAN: 'Bool', VARCHAR: 'String' } as const

/** Declarations in the SQL of ClickHouse. */
const clickhouseWriter = createWriter({
  placeholder: (name) => `{${name}:${TYPES[parameters[name]]}}`,
  isAmong: (column, list) => `${column} IN arrayMap(id -> toInt32(id), splitByChar(',', ${list}))`,
  materialized: '',
  quotient: (of, by) => `intDiv(${of}, ${by})`,
  median(of) {
    throw new Error(`medians do not add up over shards: ${of}`)
  },
  seconds: (time) => `toUnixTimestamp64Second(assumeNotNull(${time}))`,
  // The minimum of no rows is 0 in ClickHouse.
  orUnknown: (aggregate) => `if(count(*) = 0, -1, coalesce(${aggregate}, -1))`,
})

/** Whether a query reads what is sharded: relations, rather than statements over names and posts. */
export const isSharded = ({ reads, runs_on }: { reads: Reads; runs_on?: 'snapshot' | undefined }): boolean =>
  runs_on !== 'snapshot' && Object.values(reads).some((read) => !isStatement(read))

const periods = count({ from: 'series_period', by: { period: 'period' } })

/** The non-empty periods of a series over all shards, which each shard links its own prices by. */
const periodBindings = ({ key }: Counted<typeof periods>): ShardBindings => {
  const days = [...key.period!].sort((a, b) => a - b)
  return { periods: days, base_periods: [-1, ...days.slice(0, -1)] }
}

const SERIES: readonly Relation[] = ['series_price', 'series_relative']

/** The bindings of relations that a shard cannot make from its own rows alone. */
const sharedBindings = async (counts: NamedCounts, bindings: Bindings, shards: Shards): Promise<ShardBindings> => {
  if (!Object.values(counts).some(({ from }) => SERIES.includes(from))) return {}
  const results = await shards.columns(clickhouseWriter.statementOfCounts([periods]), bindings)
  return periodBindings(countedFrom({ periods }, results).periods as Counted<typeof periods>)
}

/** Counts of the values whose medians are declared: unlike medians, they add up. */
const withoutMedians = (counts: NamedCounts): NamedCounts =>
  Object.fromEntries(
    Object.entries(counts).map(([name, { median, ...count }]) => [
      name,
      { ...count, ...(median && { value: median }) },
    ]),
  ) as NamedCounts

/** A span is one row; every shard with an observation has one of its own. */
const oneRow = (spans: Counted): Counted => ({ ...spans, n: spans.n.map(Math.sign) })

const nameOf = (by: string): string => by.replace(/^-/, '')

/** Sorts the rows of all shards as a statement sorts those of one. */
const sortRows = (rows: Row[], order: readonly string[]): Row[] => {
  const compare = (a: unknown, b: unknown): number =>
    typeof a === 'string' ? compareBytes(a, String(b)) : Number(a) - Number(b)
  return rows.sort((a, b) => {
    for (const by of order) {
      const difference = compare(a[nameOf(by)], b[nameOf(by)])
      if (difference !== 0) return by.startsWith('-') ? -difference : difference
    }
    return 0
  })
}

/** Flags are numbers in ClickHouse where they are computed. */
const rowOf = (list: AnyList, row: Row): Row =>
  Object.fromEntries(
    list.columns.map((name) => [name, kindOf(list.from, name) === 'flag' ? Boolean(row[name]) : row[name]]),
  )

/** Reads declarations on every shard of a snapshot, and adds up. All listings of an entity are on one shard. */
export const shardsInterpreter = (shards: Shards): Interpreter => ({
  async count(counts, bindings) {
    const additive = withoutMedians(counts)
    const values = { ...bindings, ...(await sharedBindings(counts, bindings, shards)) }
    const results = await shards.columns(clickhouseWriter.statementOfCounts(Object.values(additive)), values)
    const counted = countedFrom(additive, results)
    for (const [name, { from }] of Object.entries(counts))
      if (from === 'observed_span') counted[name] = oneRow(counted[name]!)
    return counted
  },
  async rows(read, bindings) {
    if (isStatement(read)) throw new Error('a statement is not sharded')
    const order = orderOf(read, bindings)
    const { start, end } = pageOf(read, bindings)
    // Each shard sends as many rows as the page needs at most.
    const sorted = { ...read, columns: [...new Set([...read.columns, ...order.map(nameOf)])] } as AnyList
    const values = read.limit === undefined ? bindings : { ...bindings, limit: end, offset: 0 }
    const rows = await shards.rows(clickhouseWriter.statementOfList(sorted, bindings), values)
    return sortRows(rows, order)
      .slice(start, end)
      .map((row) => rowOf(read, row))
  },
})
