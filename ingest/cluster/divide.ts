import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { definitionsFor, literal, type Manifest } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import type { BuildOptions } from '../options.ts'
import { type ClusterColumn, digestSql } from './digest.ts'
import { linkPartitions, type PartitionRows, partitionOf, partitionOfFile, partitionsOn } from './link.ts'
import { differentRows, type ShardTarget } from './target.ts'

/** The folder of each table in a snapshot, or its file. */
const FOLDERS: Readonly<Record<string, string>> = {
  listing: 'listings',
  listing_month: 'listing_months',
  listing_size: 'listing_sizes',
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
  manifest.files.filter(({ path }) => /^\w+/.exec(path)?.[0] === FOLDERS[table])

/** Sends one file to those that lack its rows: DuckDB divides it, which takes a quarter of the work that ClickHouse would have. */
const sendFile = async (
  division: Division,
  targets: readonly ShardTarget[],
  table: string,
  names: string,
  path: string,
): Promise<void> => {
  const { database, folder, scratch, options } = division
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

type ExpectedRows = PartitionRows & { shard: number }

/** The rows of a table by shard and partition. */
const expectedRows = ({ database }: Division, table: string, digest: string): Promise<ExpectedRows[]> =>
  database.execute<ExpectedRows>(
    `SELECT shard, ${partitionOf(table)}::VARCHAR AS part, count(*)::INTEGER AS rows, ${digest} AS digest
    FROM ${dividedRows(table, table)} GROUP BY ALL`,
  )

const byPartition = (rows: readonly PartitionRows[]): PartitionRows[] =>
  rows.map(({ part, rows, digest }) => ({ part, rows, digest })).sort((a, b) => (a.part < b.part ? -1 : 1))

/** What a load did to a shard: its rows by table, and how many months and years it linked. */
export type SentShard = { rows: Record<string, number>; linked: number }

/** Sends a table to the targets, and verifies it there. Throws NOT_READY if a node's rows are not those of the snapshot. */
const sendTable = async (
  division: Division,
  table: string,
  sent: readonly SentShard[],
  onFile: (rows: number) => void,
): Promise<void> => {
  const { targets, manifest } = division
  const columns = await columnsOf(division, table)
  const digest = digestSql(columns)
  const names = columns.map(({ name }) => name).join()
  const all = await expectedRows(division, table, digest.duckdb)
  const expected = targets.map((target) => byPartition(all.filter(({ shard }) => isFor(target, table, shard))))
  const of = { table, folder: FOLDERS[table]!, digest: digest.clickhouse, files: manifest.files }
  const linked = await Promise.all(targets.map((target, i) => linkPartitions(target, of, expected[i]!)))
  for (const { path, rows } of filesOf(division, table)) {
    division.options.signal?.throwIfAborted()
    const part = partitionOfFile(table, path)
    const lacking = targets.filter((_, i) => !linked[i]!.has(part))
    if (lacking.length > 0) await sendFile(division, lacking, table, names, path)
    onFile(rows)
  }
  await Promise.all(
    targets.map(async (target, i) => {
      const there = byPartition(await partitionsOn(target.node, table, digest.clickhouse))
      if (!isDeepStrictEqual(there, expected[i])) throw differentRows(target, table)
      sent[i]!.rows[table] = there.reduce((sum, { rows }) => sum + rows, 0)
      sent[i]!.linked += linked[i]!.size
    }),
  )
}

/** Sends every table of a snapshot to the targets. */
export const sendShards = async (division: Division): Promise<SentShard[]> => {
  const { database, targets, shards, folder, manifest, options } = division
  await database.execute(`SET preserve_insertion_order = false; CREATE MACRO thin_below() AS ${manifest.thin_below}`)
  await database.execute(definitionsFor(manifest, folder))
  await database.execute(placesFor(shards))
  const tables = Object.keys(FOLDERS)
  const total = tables.flatMap((table) => filesOf(division, table)).reduce((sum, { rows }) => sum + rows, 0)
  const sent = targets.map((): SentShard => ({ rows: {}, linked: 0 }))
  let done = 0
  for (const table of tables)
    await sendTable(division, table, sent, (rows) => {
      done += rows
      options.onProgress?.({ step: 'sending', done, total, rows: done })
    })
  return sent
}
