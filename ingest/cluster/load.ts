import { createReadStream, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import {
  ClusterNode,
  checkNode,
  currentSnapshotId,
  databaseOf,
  definitionsFor,
  EngineError,
  LAKE_FORMAT,
  type Manifest,
  openCluster,
  readClusterAddress,
  readSealedManifest,
  snapshotFolder,
  takeLease,
} from '../../engine/index.ts'
import { DEFAULT_MEMORY_LIMIT } from '../database.ts'
import type { BuildOptions } from '../options.ts'
import { noSnapshot } from '../snapshot/snapshots.ts'
import { type ClusterColumn, digestSql } from './digest.ts'

export type LoadOptions = Pick<BuildOptions, 'signal' | 'onProgress' | 'memory_limit' | 'threads'>

/** The result of loading a snapshot into a cluster. */
export type LoadReport = {
  snapshot_id: string
  database: string
  /** Whether the cluster had the snapshot before. */
  was_loaded: boolean
  /** Rows by table on each node. */
  shards: Record<string, number>[]
  /** Databases of older snapshots that were removed. */
  removed: string[]
}

const CREATE_TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8')
  .split(/;$/m)
  .filter((statement) => statement.trim() !== '')

/** The folder of each table in a snapshot. */
const FOLDERS: Readonly<Record<string, string>> = {
  listing: 'listings',
  listing_month: 'listing_months',
  observation_time: 'observation_times',
  observation: 'observations',
  shelf_day: 'shelf_days',
}
/** Every node has all of it. */
const WHOLE = 'shelf_day'

/** How many snapshots stay on the cluster: services change to a new one while queries of the last one end. */
const KEPT = 2

/**
 * The shard of each listing: listings of one entity are on the same one. Multiplication by the golden ratio (Knuth, The Art of
 * Computer Programming 3, 6.4) spreads consecutive numbers.
 */
const PLACES = `CREATE TABLE place AS
WITH numbered AS (
  SELECT listing_id, CASE WHEN entity_uid IS NOT NULL THEN min(listing_id) OVER (PARTITION BY entity_uid) END AS entity_id
  FROM listing
)
SELECT listing_id, entity_id,
       ((coalesce(entity_id, listing_id)::BIGINT * 2654435769 % 4294967296) * $shards::BIGINT // 4294967296)::INTEGER AS shard
FROM numbered`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** What one load works with. */
type ClusterLoad = {
  duckdb: DuckDBConnection
  nodes: readonly ClusterNode[]
  folder: string
  files: Manifest['files']
  scratch: string
  options: LoadOptions
}

const COLUMNS = `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position`

const columnsOf = async ({ nodes: [first] }: ClusterLoad, table: string): Promise<ClusterColumn[]> =>
  (await first!.rows(COLUMNS, { table })) as ClusterColumn[]

/** The rows of a table's files for each shard, as a subquery with the columns of the table and `shard`. */
const dividedRows = (table: string, source: string): string =>
  table === WHOLE ? `(SELECT *, 0 AS shard FROM ${source})` : `(SELECT * FROM ${source} JOIN place USING (listing_id))`

/** Sends a table, a file at a time: DuckDB divides it, which takes a quarter of the work that ClickHouse would have. */
const send = async (load: ClusterLoad, table: string, columns: readonly ClusterColumn[]): Promise<void> => {
  const { duckdb, nodes, folder, files, scratch, options } = load
  const names = columns.map(({ name }) => name).join()
  const own = files.filter(({ path }) => path.startsWith(`${FOLDERS[table]}/`))
  for (const [done, { path, rows }] of own.entries()) {
    options.signal?.throwIfAborted()
    const source = `read_parquet(${literal(join(folder, path))}, hive_partitioning = true,
      hive_types_autocast = false)`
    const parts = join(scratch, table)
    await duckdb.run(`COPY (SELECT ${names}, shard FROM ${dividedRows(table, source)})
      TO ${literal(parts)} (FORMAT parquet, PARTITION_BY (shard))`)
    for (const part of await readdir(parts)) {
      const shard = Number(part.replace('shard=', ''))
      const receivers = table === WHOLE ? nodes : [nodes[shard]!]
      for (const file of await readdir(join(parts, part)))
        await Promise.all(
          receivers.map((node) => node.insert(table, createReadStream(join(parts, part, file)), options)),
        )
    }
    await rm(parts, { recursive: true })
    options.onProgress?.({ step: 'sending', done: done + 1, total: own.length, rows })
  }
}

/** The rows of a table on each shard. Throws if a node's rows are not those of the snapshot. */
const verify = async (load: ClusterLoad, table: string, columns: readonly ClusterColumn[]): Promise<number[]> => {
  const digest = digestSql(columns)
  const found = await load.duckdb.runAndReadAll(
    `SELECT shard, count(*)::INTEGER AS rows, ${digest.duckdb} AS digest FROM ${dividedRows(table, table)} GROUP BY shard`,
  )
  const expected = found.getRowObjectsJS() as { shard: number; rows: number; digest: string }[]
  return Promise.all(
    load.nodes.map(async (node, number) => {
      const own = expected.find(({ shard }) => shard === (table === WHOLE ? 0 : number))
      const rows = own?.rows ?? 0
      const [there] = await node.rows(`SELECT count()::Int64 AS rows, ${digest.clickhouse} AS digest FROM ${table}`)
      if (there!.rows !== rows || (own && there!.digest !== own.digest))
        throw new EngineError('NOT_READY', `${node.url}: ${table} has not the rows that were sent; load it again`)
      return rows
    }),
  )
}

/** Removes the databases of older snapshots from a node, except the newest of them. */
const removeOlder = async (node: ClusterNode, database: string): Promise<string[]> => {
  const found = await node.rows(
    "SELECT name FROM system.databases WHERE match(name, '^shelfmark_[0-9]{6,}_[0-9a-f]{8}$') AND name < {database:String} ORDER BY name DESC",
    { database },
  )
  const older = found.map(({ name }) => String(name)).slice(KEPT - 1)
  for (const name of older) await node.execute(`DROP DATABASE ${name} SYNC`)
  return older
}

const loadAll = async (load: ClusterLoad, manifest_sha256: string): Promise<Record<string, number>[]> => {
  const { nodes } = load
  const shards: Record<string, number>[] = nodes.map(() => ({}))
  for (const table of Object.keys(FOLDERS)) {
    const columns = await columnsOf(load, table)
    await send(load, table, columns)
    for (const [number, rows] of (await verify(load, table, columns)).entries()) shards[number]![table] = rows
  }
  for (const [number, node] of nodes.entries()) {
    const counts = JSON.stringify(shards[number]).replaceAll('"', "'")
    await node.execute(
      `INSERT INTO shard VALUES (${literal(manifest_sha256)}, ${number}, ${nodes.length}, ${LAKE_FORMAT}, ${counts})`,
    )
  }
  return shards
}

/**
 * Loads the published snapshot of a lake into a ClickHouse cluster, a shard to each node, into a database of its own. Readers
 * take it as soon as it is complete; a load that was interrupted is run again. Throws EngineError NOT_READY if a node fails.
 */
export const loadCluster = async (lake: string, address: string, options: LoadOptions = {}): Promise<LoadReport> => {
  const { nodes: urls, ...credentials } = readClusterAddress(address)
  const snapshot_id = await currentSnapshotId(lake)
  if (snapshot_id === null) throw noSnapshot(lake)
  const database = databaseOf(snapshot_id)
  const lease = await takeLease(lake, snapshot_id)
  const scratch = await mkdtemp(join(tmpdir(), 'shelfmark-load-'))
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: options.memory_limit ?? DEFAULT_MEMORY_LIMIT,
    temp_directory: join(scratch, 'spill'),
    preserve_insertion_order: 'false',
    ...(options.threads ? { threads: String(options.threads) } : {}),
  })
  const duckdb = await instance.connect()
  try {
    const { manifest, sha256 } = await readSealedManifest(lake, snapshot_id)
    const servers = urls.map((url) => new ClusterNode({ url, ...credentials }))
    for (const server of servers) await checkNode(server)
    const opened = await openCluster(address, manifest, sha256).catch(() => null)
    const folder = resolve(snapshotFolder(lake, snapshot_id))
    const nodes = urls.map((url) => new ClusterNode({ url, ...credentials, database }))
    const load = { duckdb, nodes, folder, files: manifest.files, scratch, options }
    let shards = opened?.counts
    if (!shards) {
      for (const [number, server] of servers.entries()) {
        await server.execute(`DROP DATABASE IF EXISTS ${database} SYNC`)
        await server.execute(`CREATE DATABASE ${database}`)
        for (const statement of CREATE_TABLES) await nodes[number]!.execute(statement)
      }
      await duckdb.run(`CREATE MACRO thin_below() AS ${manifest.thin_below}`)
      await duckdb.run(definitionsFor(manifest.files, folder))
      await duckdb.run(PLACES, { shards: nodes.length })
      shards = await loadAll(load, sha256)
    }
    const removed = await Promise.all(servers.map((server) => removeOlder(server, database)))
    return { snapshot_id, database, was_loaded: opened !== null, shards, removed: [...new Set(removed.flat())] }
  } finally {
    duckdb.closeSync()
    instance.closeSync()
    lease.release()
    await rm(scratch, { recursive: true, force: true })
  }
}
