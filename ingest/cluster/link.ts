import { isDeepStrictEqual } from 'node:util'
import { IS_REMOVED, type ManifestFile, SHARD_FORMAT } from '../../engine/index.ts'
import { filesOf, partitionOfFile, partitionSql } from './tables.ts'
import type { ShardTarget } from './target.ts'

/** A snapshot on a node, with the hashes of its files by their paths. */
export type Previous = { database: string; hashes: Readonly<Record<string, string>> }

/** The database that a load replaces comes first. */
const PREVIOUS = `
  SELECT database FROM system.tables
  WHERE name = 'shard' AND match(database, '^shelfmark_v${SHARD_FORMAT}_[0-9]+_[0-9a-f]{8}$')
  ORDER BY database = {database:String} DESC, database DESC`

/** What a node has of the snapshot that it is to have, or else of the newest other. */
export const previousOn = async ({ server, database }: ShardTarget): Promise<Previous | null> => {
  for (const found of await server.rows(PREVIOUS, { database })) {
    const [shard] = await server.rows(`SELECT hashes FROM ${found.database}.shard`)
    if (shard) return { database: String(found.database), hashes: shard.hashes as Previous['hashes'] }
  }
  return null
}

/**
 * Takes from a snapshot on the same node the partitions whose files have not changed, as links to what is there. Returns
 * which it took. They have other rows than they should where listings have moved to other shards, or where rows were changed.
 */
export const linkPartitions = async (
  { node }: ShardTarget,
  previous: Previous | null,
  table: string,
  files: readonly ManifestFile[],
): Promise<Set<string>> => {
  const linked = new Set<string>()
  const hashes = Object.entries(previous?.hashes ?? {}).map(([path, sha256]) => ({ path, sha256 }))
  const before = filesOf(hashes, table)
  const hashesOf = (of: readonly Pick<ManifestFile, 'path' | 'sha256'>[], part: string) =>
    new Map(of.filter(({ path }) => partitionOfFile(table, path) === part).map(({ path, sha256 }) => [path, sha256]))
  for (const part of new Set(files.map(({ path }) => partitionOfFile(table, path)))) {
    if (!isDeepStrictEqual(hashesOf(files, part), hashesOf(before, part))) continue
    try {
      await node.execute(
        `ALTER TABLE ${table} ATTACH PARTITION ${partitionSql(part)} FROM ${previous!.database}.${table}`,
      )
      linked.add(part)
    } catch (cause) {
      // A damaged database may lack the table.
      if (!IS_REMOVED.test((cause as Error).message)) throw cause
    }
  }
  return linked
}
