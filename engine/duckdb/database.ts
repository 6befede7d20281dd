import { resolve } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { countriesOf } from '../lake/countries.ts'
import { DuckDBInstance } from '../lake/duckdb.ts'
import { type Manifest, snapshotFolder } from '../lake/manifest.ts'
import { constantMacros, definitionsFor, literal } from './tables.ts'

export type SnapshotDatabaseOptions = {
  /** DuckDB threads; default every core. */
  threads?: number | undefined
  /** DuckDB memory limit of each open snapshot, such as `2GiB`. */
  memory_limit?: string | undefined
}

/** A snapshot in DuckDB, to which connections can be opened until it is closed. */
export type SnapshotDatabase = { connect(): Promise<DuckDBConnection>; close(): void }

/** Restricts a database to the files of a setting. This cannot be undone. */
export const confine = async (connection: DuckDBConnection, setting: string): Promise<void> => {
  await connection.run(`SET ${setting}`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

/**
 * Opens a DuckDB instance with the views and macros of a snapshot, which can read no other files. Without facts, reading observed
 * prices fails. Each open snapshot has an instance of its own: what DuckDB keeps of files that it has read is only freed with it.
 */
export const openDatabase = async (
  lake: string,
  manifest: Manifest,
  { threads, memory_limit, has_facts }: SnapshotDatabaseOptions & { has_facts: boolean },
): Promise<SnapshotDatabase> => {
  const { snapshot_id, thin_below, files } = manifest
  const instance = await DuckDBInstance.create(':memory:', {
    // Beside the page cache it would keep the same bytes again, up to memory_limit.
    enable_external_file_cache: 'false',
    ...(threads ? { threads: String(threads) } : {}),
    ...(memory_limit ? { memory_limit } : {}),
  })
  const folder = resolve(snapshotFolder(lake, snapshot_id))
  try {
    const connection = await instance.connect()
    // Footers of files that never change: parsed once, not by every statement.
    await connection.run('SET GLOBAL parquet_metadata_cache = true')
    await confine(connection, `allowed_directories = [${literal(folder)}]`)
    await connection.run(constantMacros({ thin_below, countries: countriesOf(manifest) }))
    await connection.run(definitionsFor({ files }, folder, has_facts))
    connection.closeSync()
  } catch (cause) {
    instance.closeSync()
    throw cause
  }
  return { connect: () => instance.connect(), close: () => instance.closeSync() }
}
