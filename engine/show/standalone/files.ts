import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { invalidParam } from '../../contract/errors.ts'
import { identifier, literal } from '../../duckdb/tables.ts'
import { DuckDBInstance } from '../../lake/duckdb.ts'
import { type SnapshotFiles, statementOf } from './definitions.ts'
import { columnsOf, type SqlResult } from './result.ts'
import { withConnection } from './scratch.ts'
import { analystDefinitions } from './views.ts'

/** Throws INVALID_PARAMS if the folder of a file does not exist or is in the lake. */
export const requireTarget = (parameter: string, file: string, lake: string): void => {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw invalidParam(parameter, `folder ${folder} does not exist`)
  const lakeFolder = realpathSync(lake)
  if (`${realpathSync(folder)}${sep}`.startsWith(`${lakeFolder}${sep}`))
    throw invalidParam(parameter, `${file} is in the lake ${lake}, which is read-only; name a file outside it`)
}

/** Writes to a temporary file in the same folder and renames it when it is complete. */
export const writeAtomically = async (file: string, write: (path: string) => Promise<void>): Promise<void> => {
  const path = join(dirname(resolve(file)), `.${randomUUID()}.tmp`)
  try {
    await write(path)
    await rename(path, file)
  } finally {
    await rm(path, { force: true })
    await rm(`${path}.wal`, { force: true })
  }
}

/**
 * Writes a result as Parquet (zstd), in its types and order. Returns the number of rows. Throws INVALID_PARAMS if there is
 * no result, and the reason of `signal` if it aborts; then nothing is written.
 */
export const writeParquet = async (file: string, result: SqlResult | null, signal: AbortSignal): Promise<number> => {
  if (!result) throw invalidParam('parquet', `no statement returns a result to write to ${file}`)
  return withConnection(async (connection) => {
    const columns = columnsOf(result).map(({ name }, index) => `${identifier(name)} ${result.columnType(index)}`)
    await connection.run(`CREATE TABLE result (${columns.join()})`)
    const appender = await connection.createAppender('result')
    let rows = 0
    for await (const chunk of result) {
      signal.throwIfAborted()
      appender.appendDataChunk(chunk)
      rows += chunk.rowCount
    }
    appender.closeSync()
    await writeAtomically(file, async (path) => {
      await connection.run(`COPY result TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`)
    })
    return rows
  })
}

/**
 * Writes a DuckDB file with the views and macros of a snapshot, for any tool that opens such files. Throws
 * INVALID_PARAMS if the file exists, unless `overwrite` is set. Returns the names of the views and macros.
 */
export const writeDatabase = async (file: string, files: SnapshotFiles, overwrite: boolean): Promise<string[]> => {
  if (existsSync(file) && !overwrite) throw invalidParam('into', `${file} exists; send --overwrite to replace it`)
  const definitions = analystDefinitions(files)
  const write = async (connection: DuckDBConnection): Promise<void> => {
    for (const definition of definitions) await connection.run(statementOf(definition))
    await connection.run('CHECKPOINT')
  }
  await writeAtomically(file, (path) => withConnection(write, DuckDBInstance.create(path)))
  return definitions.map(({ name }) => name)
}
