import { DuckDBInstance } from '@duckdb/node-api'

/** Connects to a new in-memory DuckDB. */
export const openDuckDB = async () => (await DuckDBInstance.create(':memory:')).connect()
export type Connection = Awaited<ReturnType<typeof openDuckDB>>
