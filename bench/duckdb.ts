import { DuckDBInstance } from '@duckdb/node-api'

/** Connects to a DuckDB of its own, in memory. */
export const openDuckDB = async () => (await DuckDBInstance.create(':memory:')).connect()
export type Connection = Awaited<ReturnType<typeof openDuckDB>>
