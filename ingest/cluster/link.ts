import { isDeepStrictEqual } from 'node:util'
import { IS_REMOVED, type ManifestFile, SHARD_FORMAT } from '../../engine/index.ts'
import { quoted } from './source.ts'
import { filesOf, partitionOf, partitionOfFile, partitionSql, WHOLE_TABLE } from './tables.ts'
import type { ShardTarget } from './target.ts'
import type { LoadedTable } from './verify.ts'

type HashedFile = Pick<ManifestFile, 'path' | 'sha256'>

/** A snapshot on a node, with its files; there may be none. */
export type Previous = { database: string; files: readonly HashedFile[] }

/** The database that a load replaces comes first. */
const PREVIOUS = `
  SELECT database FROM system.tables
  WHERE name = 'shard' AND match(database, '^shelfmark_v${SHARD_FORMAT}_[0-9]+_[0-9a-f]{8}$')
  ORDER BY database = {database:String} DESC, database DESC`

/** What a node has of the snapshot that it is to have, or else of the newest other. */
export const previousOn = async ({ server, database }: ShardTarget): Promise<Previous> => {
  for (const found of await server.rows(PREVIOUS, { database })) {
    const [shard] = await server.rows(`SELECT hashes FROM ${found.database}.shard`)
    const files = Object.entries(shard?.hashes ?? {}).map(([path, sha256]) => ({ path, sha256 }))
    if (shard) return { database: String(found.database), files }
  }
  return { database: '', files: [] }
}

const filesIn = (files: readonly HashedFile[], table: string, part: string): Set<string> => {
  const inPart = filesOf(files, table).filter(({ path }) => partitionOfFile(table, path) === part)
  return new Set(inPart.map(({ path, sha256 }) => `${path} ${sha256}`))
}

/**
 * Removes the rows of listings that have left the shard since from linked partitions, and takes those of listings that have
 * come from the other shards of the same snapshot; from shards that cannot be reached, none.
 */
const moveListings = async (
  { node, place: { cluster } }: ShardTarget,
  { database }: Previous,
  table: string,
  parts: readonly string[],
  options: { signal: AbortSignal },
): Promise<void> => {
  const left = `SELECT listing_id FROM ${database}.place WHERE listing_id NOT IN (SELECT listing_id FROM place)`
  const came = `SELECT listing_id FROM place WHERE listing_id NOT IN (SELECT listing_id FROM ${database}.place)`
  // Parts are rewritten in the background, which takes time even where none of their rows is removed.
  if ((await node.rows(`${left} LIMIT 1`)).length > 0)
    await node.execute(`ALTER TABLE ${table} DELETE WHERE listing_id IN (${left}) SETTINGS mutations_sync = 1`, options)
  const shards = `shards_of_${table}`
  await node.execute(`CREATE TABLE ${shards} AS ${table} ENGINE = Distributed('${cluster}', '${database}', '${table}')`)
  const sql = `INSERT INTO ${table} SELECT * FROM ${shards}
WHERE ${partitionOf(table)} IN (${parts.map(quoted).join()}) AND listing_id GLOBAL IN (${came})
SETTINGS skip_unavailable_shards = 1, max_partitions_per_insert_block = 0`
  await node.execute(sql, options).finally(() => node.execute(`DROP TABLE ${shards}`))
}

/**
 * Takes from a snapshot on the same node the partitions whose files have not changed, as links to what is there. Where rows
 * were changed, or could not be moved between shards, they have other rows than they should.
 */
export const linkTable = async (
  target: ShardTarget,
  previous: Previous,
  { table, files }: LoadedTable,
  signal: AbortSignal,
): Promise<void> => {
  const parts = [...new Set(files.map(({ path }) => partitionOfFile(table, path)))].filter((part) =>
    isDeepStrictEqual(filesIn(files, table, part), filesIn(previous.files, table, part)),
  )
  for (const part of parts)
    try {
      await target.node.execute(
        `ALTER TABLE ${table} ATTACH PARTITION ${partitionSql(part)} FROM ${previous.database}.${table}`,
      )
      target.linked!.add(`${table} ${part}`)
    } catch (cause) {
      // A damaged database may lack the table, of which nothing is linked then.
      if (IS_REMOVED.test((cause as Error).message)) return
      throw cause
    }
  if (parts.length > 0 && table !== WHOLE_TABLE && target.place.of > 1)
    await moveListings(target, previous, table, parts, { signal }).catch(() => signal.throwIfAborted())
}
