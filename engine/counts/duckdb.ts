import type { Bindings, Columns, Row, RunOptions } from '../duckdb/pool.ts'
import { type AnyList, type AnyStatement, isList, isStatement } from './count.ts'
import type { Interpreter, ReadStep } from './read.ts'
import { parameters } from './relations.ts'
import { countedFrom } from './rows.ts'
import { createWriter, orderOf } from './sql.ts'

/** Declarations in the SQL of DuckDB. */
const duckdbWriter = createWriter({
  placeholder: (name) => `$${name}::${parameters[name]}`,
  isAmong: (column, list) => `${column} IN (SELECT unnest(string_split(${list}, ','))::INTEGER)`,
  repeated: null,
  quotient: (of, by) => `${of} // ${by}`,
  median: (of) => `quantile_cont(${of}, 0.5)`,
  seconds: (time) => `epoch(${time})`,
  orUnknown: (aggregate) => `coalesce(${aggregate}, -1)`,
})

const rowsStatement = (read: AnyList | AnyStatement, bindings: Bindings): string =>
  isStatement(read) ? read.sql : duckdbWriter.statementOfList(read, bindings)

/** The lists of a step whose relation its counts read, too, and what else it lists. Their order is one of their columns. */
const divideRows = ({ counts, rows }: ReadStep, bindings: Bindings) => {
  const counted = new Set(Object.values(counts).map(({ from }) => from))
  const isShared = (read: AnyList | AnyStatement): read is AnyList =>
    isList(read) &&
    counted.has(read.from) &&
    orderOf(read, bindings).every((by) => (read.columns as readonly string[]).includes(by.replace('-', '')))
  const entries = Object.entries(rows)
  return {
    shared: entries.filter((entry): entry is [string, AnyList] => isShared(entry[1])),
    others: entries.filter(([, read]) => !isShared(read)),
  }
}

/** The statements of a step: one for all counts and the lists of their relations, and one for each other list. */
export const statementsOf = (step: ReadStep, bindings: Bindings): string[] => {
  const { shared, others } = divideRows(step, bindings)
  const lists = shared.map(([, read]) => read)
  const counts = Object.values(step.counts)
  return [
    ...(counts.length === 0 ? [] : [duckdbWriter.statementOfCounts(counts, lists, bindings)]),
    ...others.map(([, read]) => rowsStatement(read, bindings)),
  ]
}

/** A statement for each declaration of a step, by name: those above, to be read by people. */
export const readableStatements = ({ counts, rows }: ReadStep, bindings: Bindings): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, duckdbWriter.readableCount(count)])),
  ...Object.fromEntries(Object.entries(rows).map(([name, read]) => [name, rowsStatement(read, bindings)])),
})

/** Runs statements on a snapshot, with the relations that they name. */
export type SnapshotStatements = {
  columns(sql: string, bindings: Bindings, options: RunOptions): Promise<Columns>
  rows(sql: string, bindings: Bindings, options: RunOptions): Promise<Row[]>
}

/** Reads declarations by statements over the files of a snapshot. */
export const duckdbInterpreter = ({ columns, rows }: SnapshotStatements): Interpreter => ({
  async count(counts, bindings, options) {
    const sql = duckdbWriter.statementOfCounts(Object.values(counts))
    return countedFrom(counts, await columns(sql, bindings, options))
  },
  rows: (read, bindings, options) => rows(rowsStatement(read, bindings), bindings, options),
  async all(step, bindings, options) {
    const { shared, others } = divideRows(step, bindings)
    const [first, ...rest] = statementsOf(step, bindings)
    const read: Record<string, unknown> = {}
    if (Object.keys(step.counts).length > 0) {
      const counted = await columns(first!, bindings, options)
      Object.assign(read, countedFrom(step.counts, counted))
      const [parts, listed] = [counted.part as ArrayLike<number>, counted.listed as ArrayLike<string | null>]
      const from = Object.keys(step.counts).length
      for (const [i, [name]] of shared.entries())
        read[name] = JSON.parse(listed[Array.prototype.indexOf.call(parts, from + i)] ?? '[]')
    } else rest.unshift(first!)
    for (const [i, [name]] of others.entries()) read[name] = await rows(rest[i]!, bindings, options)
    return read
  },
})
