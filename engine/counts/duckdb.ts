import type { Bindings, Columns, Row, RunOptions } from '../duckdb/pool.ts'
import { type AnyList, type AnyStatement, isStatement } from './count.ts'
import type { Interpreter, ReadStep } from './read.ts'
import { parameters } from './relations.ts'
import { countedFrom } from './rows.ts'
import { createWriter } from './sql.ts'

/** Declarations in the SQL of DuckDB. */
const duckdbWriter = createWriter({
  placeholder: (name) => `$${name}::${parameters[name]}`,
  isAmong: (column, list) => `${column} IN (SELECT unnest(string_split(${list}, ','))::INTEGER)`,
  materialized: 'MATERIALIZED ',
  quotient: (of, by) => `${of} // ${by}`,
  median: (of) => `quantile_cont(${of}, 0.5)`,
  seconds: (time) => `epoch(${time})`,
  orUnknown: (aggregate) => `coalesce(${aggregate}, -1)`,
})

const rowsStatement = (read: AnyList | AnyStatement, bindings: Bindings): string =>
  isStatement(read) ? read.sql : duckdbWriter.statementOfList(read, bindings)

/** The statements of a step: one for all counts, and one for each list. */
export const statementsOf = ({ counts, rows }: ReadStep, bindings: Bindings): string[] => [
  ...(Object.keys(counts).length === 0 ? [] : [duckdbWriter.statementOfCounts(Object.values(counts))]),
  ...Object.values(rows).map((read) => rowsStatement(read, bindings)),
]

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
})
