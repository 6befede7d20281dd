import { readdirSync, readFileSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api'
import { GENERAL_SEARCH_PATH, variantSchemas } from '../../engine/macro-variants.ts'
import { sharedMacros } from '../../engine/tables.ts'

const folder = new URL('../../engine/sql/', import.meta.url)
const FIRST = ['statistics.sql', 'schema.sql', 'current.sql', 'listing-type.sql']
/** Stands in for views that have no files. */
const EMPTY = 'empty-tables.sql'

/** A connection of the test's own to the snapshot in a folder, with the engine's views and macros. */
export const connectTo = async (snapshot: string): Promise<DuckDBConnection> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('SET VARIABLE snapshot = $snapshot::VARCHAR', { snapshot })
  await connection.run(`CREATE MACRO thin_below() AS 25; ${sharedMacros}`)
  for (const schema of variantSchemas) await connection.run(`CREATE SCHEMA ${schema}`)
  await connection.run(`SET search_path = '${GENERAL_SEARCH_PATH}'`)
  const others = readdirSync(folder).filter((name) => name !== EMPTY && !FIRST.includes(name))
  for (const name of [...FIRST, ...others.sort()]) await connection.run(readFileSync(new URL(name, folder), 'utf8'))
  return connection
}

const upTo = <T>(count: number, value: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => value(i))

/** The placeholders of a statement with their types. */
export const placeholdersOf = (statement: DuckDBPreparedStatement): Record<string, string> =>
  Object.fromEntries(
    upTo(statement.parameterCount, (i) => [statement.parameterName(i + 1), String(statement.parameterType(i + 1))]),
  )

export const columnsOf = (statement: DuckDBPreparedStatement): string[] =>
  upTo(statement.columnCount, (i) => statement.columnName(i))

type Counted = { logs: number[]; counts: number[] }

const isCounted = (value: unknown): value is Counted => typeof value === 'object' && value !== null && 'counts' in value

const compareAsText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

const sortedCounts = ({ logs, counts, ...others }: Counted) => {
  const pairs = logs.map((log, i) => [log, counts[i]!] as const).sort(([a], [b]) => a - b)
  return { ...others, logs: pairs.map(([log]) => log), counts: pairs.map(([, n]) => n) }
}

const sortedValue = (value: unknown): unknown => {
  if (isCounted(value)) return sortedCounts(value)
  return Array.isArray(value) && value.every(isCounted) ? value.map(sortedCounts).sort(compareAsText) : value
}

/** Counts by log come in any order: sorted, with the groups that hold them, rows can be compared. */
export const withSortedCounts = (rows: readonly Record<string, unknown>[]): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sortedValue(value)])))
