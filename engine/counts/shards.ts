import type { Bindings, Columns, Row, RunOptions } from '../duckdb/pool.ts'
import type { ShardStatement } from './cluster/distributed.ts'
import { type AnyCount, type AnyList, type Counted, count, isStatement, type NamedCounts, type Reads } from './count.ts'
import type { Interpreter } from './read.ts'
import { kindOf, parameters, type Relation } from './relations.ts'
import { countedFrom } from './rows.ts'
import { columnsOfCounts } from './slots.ts'
import { createWriter, orderOf, pageOf } from './sql.ts'

/** Runs statements on all shards of a snapshot, and adds up. */
export type Shards = {
  /** The columns of a statement that counts. */
  columns(statement: ShardStatement, bindings: Bindings, options: RunOptions): Promise<Columns>
  /** The rows of a statement that lists. */
  rows(statement: ShardStatement, bindings: Bindings, options: RunOptions): Promise<Row[]>
}

const TYPES = { INTEGER: 'Nullable(Int32)', BOOLEAN: 'Bool', VARCHAR: 'String' } as const

/** Declarations in the SQL of ClickHouse. */
const clickhouseWriter = createWriter({
  placeholder: (name) => `{${name}:${TYPES[parameters[name]]}}`,
  isAmong: (column, list) => `${column} IN arrayMap(id -> toInt32(id), splitByChar(',', ${list}))`,
  repeated: (relation, parts) => `${relation} ARRAY JOIN [${parts.join()}] AS part`,
  quotient: (of, by) => `intDiv(${of}, ${by})`,
  median(of) {
    throw new Error(`medians do not add up over shards: ${of}`)
  },
  seconds: (time) => `toUnixTimestamp64Second(assumeNotNull(${time}))`,
  // The minimum of no rows is 0 in ClickHouse.
  orUnknown: (aggregate) => `if(count(*) = 0, -1, coalesce(${aggregate}, -1))`,
})

/** Whether a query reads what is sharded: relations, rather than statements over names and posts. */
export const isSharded = ({ reads }: { reads: Reads }): boolean =>
  Object.values(reads).some((read) => !isStatement(read))

const periods = count({ from: 'series_period', by: { period: 'period' } })

/** The non-empty periods of a series over all shards, which each shard links its own prices by. */
const periodBindings = ({ key }: Counted<typeof periods>): Bindings => {
  const days = [...key.period!].sort((a, b) => a - b)
  return { periods: `[${days.join()}]`, base_periods: `[${[-1, ...days.slice(0, -1)].join()}]` }
}

const SERIES: readonly Relation[] = ['series_price', 'series_relative']

/** How the columns of counts are added up, by their kind; an unknown minimum is -1. */
const AGGREGATES = {
  keys: () => null,
  sums: (name: string) => `sum(${name})`,
  min: (name: string) => `coalesce(minOrNullIf(${name}, ${name} >= 0), -1)`,
  max: (name: string) => `max(${name})`,
  median: (name: string) => `max(${name})`,
} as const

/** The statement of counts, which are added up by part, keys and value. */
const countsStatement = (counts: readonly AnyCount[]): ShardStatement => ({
  sql: clickhouseWriter.statementOfCounts(counts),
  columns: {
    part: null,
    value: null,
    n: 'CAST(sum(counted.n) AS DOUBLE)',
    ...Object.fromEntries(
      columnsOfCounts(counts).map(({ name, kind }) => [name, AGGREGATES[kind](`counted.${name}`)] as const),
    ),
  },
  // No count has this part.
  filler: (column) => (column === 'part' ? '-1' : column === 'n' ? '1' : '0'),
})

/** The bindings of relations that a shard cannot make from its own rows alone. */
const sharedBindings = async (
  counts: NamedCounts,
  bindings: Bindings,
  shards: Shards,
  options: RunOptions,
): Promise<Bindings> => {
  if (!Object.values(counts).some(({ from }) => SERIES.includes(from))) return {}
  const columns = await shards.columns(countsStatement([periods]), bindings, options)
  return periodBindings(countedFrom({ periods }, columns).periods as Counted<typeof periods>)
}

/** Counts of the values whose medians are declared: unlike medians, they add up. */
const withoutMedians = (counts: NamedCounts): NamedCounts =>
  Object.fromEntries(
    Object.entries(counts).map(([name, { median, ...count }]) => [
      name,
      { ...count, ...(median && { value: median }) },
    ]),
  ) as NamedCounts

/** Relations of one row: every shard with an observation has one of its own. */
const SPANS: readonly Relation[] = ['observed_span', 'step_span']

const oneRow = (spans: Counted): Counted => ({ ...spans, n: spans.n.map(Math.sign) })

const nameOf = (by: string): string => by.replace(/^-/, '')

/** The statement of a list, of which each shard sends as many rows as the page needs at most. */
const listStatement = (read: AnyList, bindings: Bindings): ShardStatement => {
  const order = orderOf(read, bindings)
  const columns = [...new Set([...read.columns, ...order.map(nameOf)])]
  return {
    sql: clickhouseWriter.statementOfList({ ...read, columns } as AnyList, bindings),
    columns: Object.fromEntries(columns.map((name) => [name, null])),
    filler: () => 'NULL',
    list: {
      order: order.map((by) => (by.startsWith('-') ? `${nameOf(by)} DESC` : by)),
      limit: read.limit === undefined ? null : pageOf(read, bindings).end,
    },
  }
}

/** Flags are numbers in ClickHouse where they are computed. */
const rowOf = (list: AnyList, row: Row): Row =>
  Object.fromEntries(
    list.columns.map((name) => [name, kindOf(list.from, name) === 'flag' ? Boolean(row[name]) : row[name]]),
  )

/**
 * Reads declarations on the shards of a snapshot. All listings of an entity are on one shard. Statements over names, reference
 * and posts are those of the service's own files.
 */
export const shardsInterpreter = (shards: Shards, files: Interpreter): Interpreter => ({
  async count(counts, bindings, options) {
    const additive = withoutMedians(counts)
    const values = { ...bindings, ...(await sharedBindings(counts, bindings, shards, options)) }
    const columns = await shards.columns(countsStatement(Object.values(additive)), values, options)
    const counted = countedFrom(additive, columns)
    for (const [name, { from }] of Object.entries(counts))
      if (SPANS.includes(from)) counted[name] = oneRow(counted[name]!)
    return counted
  },
  async rows(read, bindings, options) {
    if (isStatement(read)) return files.rows(read, bindings, options)
    const { start, end } = pageOf(read, bindings)
    const values = read.limit === undefined ? bindings : { ...bindings, limit: end, offset: 0 }
    const rows = await shards.rows(listStatement(read, bindings), values, options)
    return rows.slice(start, end).map((row) => rowOf(read, row))
  },
})
