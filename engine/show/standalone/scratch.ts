import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/**
 * An in-memory DuckDB. What does not fit into memory is spilled to its own temporary folder, which it removes when it is
 * closed, rather than to the working directory.
 */
export const openScratch = (): Promise<DuckDBInstance> =>
  DuckDBInstance.create(':memory:', { temp_directory: join(tmpdir(), `shelfmark-${randomUUID()}`) })
