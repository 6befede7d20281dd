import { dirname, resolve } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { countriesOf } from '../lake/countries.ts'
import { DuckDBInstance } from '../lake/duckdb.ts'
import { type Manifest, snapshotFolder } from '../lake/manifest.ts'
import { constantMacros, definitionsFor, literal } from './tables.ts'

export type SnapshotDatabaseOptions = {
  /** DuckDB threads; default every core. */
  threads?: number | undefined
  /** DuckDB memory limit, such as `2GiB`. */
  memory_limit?: string | undefined
}

/** The views and macros of a snapshot in a database; connections can be opened until it is detached. */
export type Attached = { connect(): Promise<DuckDBConnection>; detach(): void }

/** Restricts a database to the files of a setting. This cannot be undone. */
export const confine = async (connection: DuckDBConnection, setting: string): Promise<void> => {
  await connection.run(`SET ${setting}`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

/**
 * The DuckDB instance of all open snapshots, which share its memory limit and its threads. Each snapshot has its own
 * DuckDB catalogue and connections that resolve names in it. Only the files of the lake's snapshots can be read.
 */
export class SnapshotDatabase {
  readonly #lake: string
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  #attached = 0
  #number = 0
  #isClosing = false

  private constructor(lake: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#lake = lake
    this.#instance = instance
    this.#connection = connection
  }

  static async open(lake: string, { threads, memory_limit }: SnapshotDatabaseOptions = {}): Promise<SnapshotDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      // The cache would keep data of closed snapshots until memory_limit is reached.
      enable_external_file_cache: 'false',
      ...(threads ? { threads: String(threads) } : {}),
      ...(memory_limit ? { memory_limit } : {}),
    })
    const connection = await instance.connect()
    const snapshots = dirname(resolve(snapshotFolder(lake, '0')))
    // Footers of files that never change: parsed once, not by every statement.
    await connection.run('SET GLOBAL parquet_metadata_cache = true')
    await confine(connection, `allowed_directories = [${literal(snapshots)}]`)
    return new SnapshotDatabase(lake, instance, connection)
  }

  /** Defines the views and macros of a snapshot. Without facts, reading observed prices fails. */
  async attach(manifest: Manifest, hasFacts: boolean): Promise<Attached> {
    const { snapshot_id, thin_below, files } = manifest
    this.#number += 1
    const name = `snapshot_${this.#number}`
    const folder = resolve(snapshotFolder(this.#lake, snapshot_id))
    const connect = async (): Promise<DuckDBConnection> => {
      const connection = await this.#instance.connect()
      await connection.run(`USE ${name}`)
      return connection
    }
    await this.#connection.run(`ATTACH ':memory:' AS ${name}`)
    this.#attached += 1
    const connection = await connect()
    await connection.run(constantMacros({ thin_below, countries: countriesOf(manifest) }))
    await connection.run(definitionsFor({ files }, folder, hasFacts))
    connection.closeSync()
    return { connect, detach: () => void this.#detach(name) }
  }

  async #detach(name: string): Promise<void> {
    // A catalogue that cannot be detached only leaves a few definitions.
    await this.#connection.run(`DETACH ${name}`).catch(() => undefined)
    this.#attached -= 1
    if (this.#isClosing) this.close()
  }

  /** Closes the database once the last snapshot is detached. */
  close(): void {
    this.#isClosing = true
    if (this.#attached > 0) return
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}
