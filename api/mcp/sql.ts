import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { csvRecords, describeSql, invalidParam } from '../../engine/index.ts'
import type { QueryClient } from './client.ts'
import { READ_ONLY, resultOf } from './results.ts'

const DEFAULT_ROWS = 20
const MAX_ROWS = 200

/** Rows that the text of a result has, for hosts that show models nothing else. */
const ROWS_AS_TEXT = 10

/** More than all tables have. */
const MAX_COLUMNS = 2000

type ColumnRow = Record<'table_name' | 'table_meaning' | 'column_name' | 'data_type' | 'meaning', string>

/** The tables, each with the names of its columns; a single one with their types and meanings. */
const tablesOf = (rows: readonly ColumnRow[], isSingle: boolean) =>
  [...new Set(rows.map(({ table_name }) => table_name))].map((table) => {
    const own = rows.filter(({ table_name }) => table_name === table)
    const names = own.map(({ column_name }) => column_name).join(', ')
    const columns = own.map(({ column_name, data_type, meaning }) => ({
      column: column_name,
      type: data_type,
      meaning,
    }))
    return { table, meaning: own[0]!.table_meaning, columns: isSingle ? columns : names }
  })

const tableLines = ({ table, meaning, columns }: ReturnType<typeof tablesOf>[number]): string[] =>
  typeof columns === 'string'
    ? [`${table}: ${meaning} (${columns})`]
    : [`${table}: ${meaning}`, ...columns.map(({ column, type, meaning }) => `${column} ${type}: ${meaning}`)]

const rowLines = (rows: readonly Record<string, unknown>[]): string[] => {
  const names = Object.keys(rows[0] ?? {})
  return rows.length === 0
    ? []
    : [
        csvRecords([names, ...rows.slice(0, ROWS_AS_TEXT).map(Object.values)])
          .replaceAll('\r\n', '\n')
          .trimEnd(),
      ]
}

const inputs = {
  sql: z.strictObject({
    sql: z
      .string('sql: expected a statement of DuckDB')
      .min(1, 'sql: expected a statement of DuckDB')
      .max(20_000, 'sql: expected at most 20000 characters')
      .describe('SELECT in the dialect of DuckDB'),
    limit: z
      .int('limit: expected a whole number')
      .min(1, 'limit: expected at least 1')
      .max(MAX_ROWS, `limit: expected at most ${MAX_ROWS}`)
      .optional()
      .describe(`Rows to return, default ${DEFAULT_ROWS}`),
  }),
  tables: z.strictObject({ table: z.string('table: expected a name').optional().describe('Only this table') }),
}

type ReadRows = NonNullable<QueryClient['readRows']>
type AnswerOrRefuse = (work: () => Promise<CallToolResult>) => Promise<CallToolResult>

/** Adds the tools that read a lake of this process with SQL. */
export const addSqlTools = (server: McpServer, readRows: ReadRows, answered: AnswerOrRefuse): void => {
  server.registerTool(
    'sql',
    {
      description:
        'Runs a SELECT over the tables of the lake, for what no query answers. Prices are whole cents: in_units(price, ' +
        'country) converts them',
      inputSchema: inputs.sql,
      annotations: READ_ONLY,
    },
    ({ sql, limit = DEFAULT_ROWS }, { mcpReq: { signal } }) =>
      answered(async () => {
        const { rows, row_count } = await readRows(sql, { signal, limit })
        const note = row_count > rows.length ? `The first ${rows.length} of ${row_count} rows.` : `${row_count} rows.`
        return resultOf([note, ...rowLines(rows)], { rows, row_count })
      }),
  )
  server.registerTool(
    'describe_tables',
    {
      description: 'Tables of the lake for sql, with their columns; what those of one table mean',
      inputSchema: inputs.tables,
      annotations: READ_ONLY,
    },
    ({ table }, { mcpReq: { signal } }) =>
      answered(async () => {
        const { rows } = await readRows(describeSql(table), { signal, limit: MAX_COLUMNS })
        if (rows.length === 0) throw invalidParam('table', `there is no ${table}; call describe_tables without it`)
        const tables = tablesOf(rows as ColumnRow[], table !== undefined)
        return resultOf(tables.flatMap(tableLines), { tables })
      }),
  )
}
