import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Bindings } from '../../engine/duckdb/pool.ts'
import { sharedMacros } from '../../engine/duckdb/tables.ts'

const folder = new URL('../../engine/duckdb/sql/', import.meta.url)
const FIRST = 'schema.sql'
/** Replaces views that have no files. */
const EMPTY = 'empty-tables.sql'

const emptyTables: ReadonlyMap<string, string> = new Map(
  Array.from(readFileSync(new URL(EMPTY, folder), 'utf8').matchAll(/CREATE TABLE (\w+) \([^;]+;/g), ([table, name]) => [
    name!,
    table,
  ]),
)
const WHOLE_VIEW = /CREATE VIEW (\w+) AS SELECT \* FROM read_parquet\(getvariable\('snapshot'\) \|\| '([^']+)'\);/g

/** The definitions of a file for the snapshot in a folder. */
const definitionsIn = (file: string, snapshot: string): string =>
  readFileSync(new URL(file, folder), 'utf8').replace(WHOLE_VIEW, (view, name: string, path: string) =>
    existsSync(`${snapshot}${path}`) ? view : (emptyTables.get(name) ?? view),
  )

/** A connection of the test's own to the snapshot in a folder, with the engine's views and macros. */
export const connectTo = async (snapshot: string): Promise<DuckDBConnection> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('SET VARIABLE snapshot = $snapshot::VARCHAR', { snapshot })
  await connection.run(`CREATE MACRO thin_below() AS 25; ${sharedMacros}`)
  const others = readdirSync(folder).filter((name) => name.endsWith('.sql') && name !== EMPTY && name !== FIRST)
  for (const name of [FIRST, ...others.sort()]) await connection.run(definitionsIn(name, snapshot))
  return connection
}

const upTo = <T>(count: number, value: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => value(i))

/** DuckDB has no type for a placeholder of LIMIT and OFFSET; both are whole numbers. */
const isOfPage = (name: string): boolean => ['limit', 'offset'].includes(name)

/**
 * The type of a placeholder. DuckDB has none, which is an error, for one without a cast, or whose cast is widened by a
 * comparison: `count(*) >= $n::INTEGER` compares BIGINT.
 */
const typeOf = (statement: DuckDBPreparedStatement, index: number): string => {
  const name = statement.parameterName(index)
  if (isOfPage(name)) return 'INTEGER'
  try {
    return String(statement.parameterType(index))
  } catch (cause) {
    const advice = `cast it, to the type that it is compared with, as in count(*)::INTEGER >= $${name}::INTEGER`
    throw new Error(`DuckDB has no type for the placeholder $${name}: ${advice}`, { cause })
  }
}

/** The placeholders of a statement with their types. */
export const placeholdersOf = (statement: DuckDBPreparedStatement): Record<string, string> =>
  Object.fromEntries(upTo(statement.parameterCount, (i) => [statement.parameterName(i + 1), typeOf(statement, i + 1)]))

/** The bindings that a statement uses. */
export const usedBy = (statement: DuckDBPreparedStatement, bindings: Bindings): Bindings =>
  Object.fromEntries(Object.keys(placeholdersOf(statement)).map((name) => [name, bindings[name]!]))
