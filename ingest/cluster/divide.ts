import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { definitionsFor, literal, type Manifest, type TableRows } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import type { BuildOptions } from '../options.ts'
import { type ClusterColumn, digestSql } from './digest.ts'
import { differentRows, type ShardTarget } from './target.ts'

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

/**
 * The shard of each listing: listings of one entity or likely product are on the same one. Multiplication by the golden ratio (Knuth, The Art of
 * Computer Programming 3, 6.4) spreads consecutive numbers.
 */
const placesFor = (shards: number): string => `CREATE TABLE place AS
WITH numbered AS (
  SELECT listing_id, CASE WHEN entity_uid IS NOT NULL THEN min(listing_id) OVER (PARTITION BY entity_uid) END AS entity_id,
         CASE WHEN likely_uid IS NOT NULL THEN min(listing_id) OVER (PARTITION BY likely_uid) END AS likely_id
  FROM listing
)
SELECT listing_id, entity_id, likely_id,
       ((coalesce(likely_id, entity_id, listing_id)::BIGINT * 2654435769 % 4294967296) * ${shards}::BIGINT // 4294967296)::INTEGER AS shard
FROM numbered`

/** What one load divides, and where it sends the parts. */
export type Division = {
  database: Database
  /** Of all shards, those that are missing. */
  targets: readonly ShardTarget[]
  shards: number
  folder: string
  manifest: Manifest
  scratch: string
  options: Pick<BuildOptions, 'signal' | 'onProgress'>
}

const COLUMNS = `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position`

const columnsOf = async ({ targets: [first] }: Division, table: string): Promise<ClusterColumn[]> =>
  (await first!.node.rows(COLUMNS, { table })) as ClusterColumn[]

/** The rows of a table for each shard, as a subquery with the columns of the table and `shard`. */
const dividedRows = (table: string, source: string): string =>
  table === WHOLE ? `(SELECT *, 0 AS shard FROM ${source})` : `(SELECT * FROM ${source} JOIN place USING (listing_id))`

/** Whether a node gets the rows of a shard of a table. */
const isFor = ({ place }: ShardTarget, table: string, shard: number): boolean =>
  table === WHOLE || place.number === shard

const filesOf = ({ manifest }: Division, table: string): Manifest['files'] =>
  manifest.files.filter(({ path }) => path.startsWith(`${FOLDERS[table]}/`))

/** Sends one file: DuckDB divides it, which takes a quarter of the work that ClickHouse would have. */
const sendFile = async (division: Division, table: string, names: string, path: string): Promise<void> => {
  const { database, targets, folder, scratch, options } = division
  const file = `read_parquet(${literal(join(folder, path))}, hive_partitioning = true, hive_types_autocast = false)`
  // Files of an earlier format lack columns, which are null in the table.
  const source = `(SELECT * FROM ${file} UNION ALL BY NAME SELECT * FROM ${table} WHERE false)`
  const parts = join(scratch, table)
  await database.execute(`COPY (SELECT ${names}, shard FROM ${dividedRows(table, source)})
    TO ${literal(parts)} (FORMAT parquet, PARTITION_BY (shard))`)
  for (const part of await readdir(parts).catch(() => [])) {
    const receivers = targets.filter((target) => isFor(target, table, Number(part.replace('shard=', ''))))
    for (const file of await readdir(join(parts, part)))
      await Promise.all(
        receivers.map(({ node }) => node.insert(table, createReadStream(join(parts, part, file)), options)),
      )
  }
  await rm(parts, { recursive: true, force: true })
}

type ExpectedRows = { shard: number; rows: number; digest: string }

/** The rows of a table on each target. Throws NOT_READY if a node's rows are not those of the snapshot. */
const verifyTable = async (
  { database, targets }: Division,
  table: string,
  columns: readonly ClusterColumn[],
): Promise<number[]> => {
  const digest = digestSql(columns)
  const expected = await database.execute<ExpectedRows>(
    `SELECT shard, count(*)::INTEGER AS rows, ${digest.duckdb} AS digest FROM ${dividedRows(table, table)} GROUP BY shard`,
  )
  return Promise.all(
    targets.map(async (target) => {
      const prepared = expected.find(({ shard }) => isFor(target, table, shard))
      const [there] = await target.node.rows(
        `SELECT count()::Int64 AS rows, ${digest.clickhouse} AS digest FROM ${table}`,
      )
      if (there!.rows !== (prepared?.rows ?? 0) || (prepared && there!.digest !== prepared.digest))
        throw differentRows(target, table)
      return prepared?.rows ?? 0
    }),
  )
}

/** Sends every table of a snapshot to the targets, and verifies it there: the rows by table of each. */
export const sendShards = async (division: Division): Promise<TableRows[]> => {
  const { database, targets, shards, folder, manifest, options } = division
  await database.execute(`SET preserve_insertion_order = false; CREATE MACRO thin_below() AS ${manifest.thin_below}`)
  await database.execute(definitionsFor(manifest, folder))
  await database.execute(placesFor(shards))
  const tables = Object.keys(FOLDERS)
  const total = tables.flatMap((table) => filesOf(division, table)).reduce((sum, { rows }) => sum + rows, 0)
  const counts: Record<string, number>[] = targets.map(() => ({}))
  let done = 0
  for (const table of tables) {
    const columns = await columnsOf(division, table)
    const names = columns.map(({ name }) => name).join()
    for (const { path, rows } of filesOf(division, table)) {
      options.signal?.throwIfAborted()
      await sendFile(division, table, names, path)
      done += rows
      options.onProgress?.({ step: 'sending', done, total, rows: done })
    }
    const sent = await verifyTable(division, table, columns)
    for (const [index, rows] of sent.entries()) counts[index]![table] = rows
  }
  return counts
}
