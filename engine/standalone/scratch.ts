import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/**
 * A DuckDB in memory. What memory cannot hold goes to a folder of its own for temporary files, which it removes when it
 * is closed, rather than to one in the working directory.
 */
export const openScratch = (): Promise<DuckDBInstance> =>
  DuckDBInstance.create(':memory:', { temp_directory: join(tmpdir(), `shelfmark-${randomUUID()}`) })
