import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { DuckDBInstance } from '../../lake/duckdb.ts'

/**
 * An in-memory DuckDB. What does not fit into memory is spilled to its own temporary folder, which it removes when it is
 * closed, rather than to the working directory.
 */
export const openScratch = (limits: Readonly<Record<string, string>> = {}): Promise<DuckDBInstance> =>
  DuckDBInstance.create(':memory:', { temp_directory: join(tmpdir(), `shelfmark-${randomUUID()}`), ...limits })

/** Does some work with a connection to a DuckDB, in memory by default, and closes both. */
export const withConnection = async <T>(
  work: (connection: DuckDBConnection) => Promise<T>,
  opening: Promise<DuckDBInstance> = openScratch(),
): Promise<T> => {
  const instance = await opening
  const connection = await instance.connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

let kept: Promise<DuckDBInstance> | undefined

/**
 * Does some work with a connection to a DuckDB that the process keeps, whose temporary tables it has to itself. Closing a
 * DuckDB gives all free memory of the process back to the system, which takes longer than writing an answer. Nothing spills.
 */
export const withKept = async <T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
  kept ??= openScratch({ temp_directory: '' })
  const connection = await (await kept).connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
  }
}
