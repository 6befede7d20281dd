import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { QueryClient } from './client.ts'
import { READ_ONLY, resultOf } from './results.ts'

const DEFAULT_ROWS = 20
const MAX_ROWS = 200

const TABLES = `SELECT table_name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position) AS columns
FROM (SELECT view_name AS table_name, view_oid FROM duckdb_views() WHERE NOT internal)
JOIN (SELECT table_name, column_name, data_type, ordinal_position FROM information_schema.columns) USING (table_name)
GROUP BY table_name ORDER BY table_name`

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
        return resultOf([note], { rows, row_count })
      }),
  )
  server.registerTool(
    'describe_tables',
    {
      description: 'Tables of the lake with their columns, for sql',
      inputSchema: inputs.tables,
      annotations: READ_ONLY,
    },
    ({ table }, { mcpReq: { signal } }) =>
      answered(async () => {
        const { rows } = await readRows(TABLES, { signal, limit: MAX_ROWS })
        const tables = rows.filter(({ table_name }) => table === undefined || table_name === table)
        return resultOf([`${tables.length} tables.`], { tables })
      }),
  )
}
