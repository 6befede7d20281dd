import { readFileSync } from 'node:fs'
import { literal } from '../../duckdb/tables.ts'

type Meanings = Record<'tables' | 'columns' | 'exceptions', Readonly<Record<string, string>>>

/** What tables and columns mean: columns of one name alike, with exceptions by `table.column`. */
const { tables, columns, exceptions } = JSON.parse(
  readFileSync(new URL('./meanings.json', import.meta.url), 'utf8'),
) as Meanings

/** The tables that are described. Others are for refreshes, or second names of these. */
export const describedTables: readonly string[] = Object.keys(tables)

const valuesOf = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([name, meaning]) => `(${literal(name)}, ${literal(meaning)})`)
    .join()

/**
 * A statement for a session of a snapshot (session.ts): a row for each column of a table, or of all tables, in their order:
 * table_name, table_meaning, column_name, data_type, meaning.
 */
export const describeSql = (table?: string): string => `
SELECT table_name, described.meaning AS table_meaning, column_name, data_type,
       coalesce(exception.meaning, own.meaning) AS meaning
FROM duckdb_columns() JOIN (VALUES ${valuesOf(tables)}) AS described(name, meaning) ON described.name = table_name
LEFT JOIN (VALUES ${valuesOf(columns)}) AS own(name, meaning) ON own.name = column_name
LEFT JOIN (VALUES ${valuesOf(exceptions)}) AS exception(name, meaning) ON exception.name = table_name || '.' || column_name
${table === undefined ? '' : `WHERE table_name = ${literal(table)}`}
ORDER BY table_name, column_index`
