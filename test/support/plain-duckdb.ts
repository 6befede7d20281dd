import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { atEnd } from './at-end.ts'

/** A connection to a DuckDB that nothing of the engine has touched, closed after the test file. */
export const plainDuckDB = async (path = ':memory:'): Promise<DuckDBConnection> => {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  atEnd(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return connection
}

/** The rows of the last statement of a text. */
export const rowsIn = async (connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJS()
