import { isDeepStrictEqual } from 'node:util'
import { type ManifestFile, SHARD_FORMAT } from '../../engine/index.ts'
import { filesOf, isPartitioned, partitionOfFile } from './tables.ts'
import type { ShardTarget } from './target.ts'

/** The hashes of files by their paths. */
type Hashes = Readonly<Record<string, string>>

/** An earlier snapshot on a node. */
export type Previous = { database: string; hashes: Hashes }

const PREVIOUS = `
  SELECT database FROM system.tables
  WHERE name = 'shard' AND match(database, '^shelfmark_v${SHARD_FORMAT}_[0-9]+_[0-9a-f]{8}$') AND database <> {database:String}
  ORDER BY database DESC LIMIT 1`

export const previousOn = async ({ server, database }: ShardTarget): Promise<Previous | null> => {
  const [found] = await server.rows(PREVIOUS, { database })
  if (!found) return null
  const [shard] = await server.rows(`SELECT hashes FROM ${found.database}.shard`)
  return shard ? { database: String(found.database), hashes: shard.hashes as Hashes } : null
}

/**
 * Takes from the snapshot before, on the same node, the partitions whose files have not changed, as links to what is there.
 * Returns which it took. Where listings have moved to other shards since then, they have other rows than they should.
 */
export const linkPartitions = async (
  { node }: ShardTarget,
  previous: Previous | null,
  table: string,
  files: readonly ManifestFile[],
): Promise<Set<string>> => {
  const linked = new Set<string>()
  if (previous === null || !isPartitioned(table)) return linked
  const before = filesOf(
    Object.entries(previous.hashes).map(([path, sha256]) => ({ path, sha256 })),
    table,
  )
  const hashesOf = (of: readonly Pick<ManifestFile, 'path' | 'sha256'>[], part: string) =>
    Object.fromEntries(
      of.filter(({ path }) => partitionOfFile(table, path) === part).map(({ path, sha256 }) => [path, sha256]),
    )
  for (const part of new Set(files.map(({ path }) => partitionOfFile(table, path)))) {
    if (!isDeepStrictEqual(hashesOf(files, part), hashesOf(before, part))) continue
    await node.execute(`ALTER TABLE ${table} ATTACH PARTITION '${part}' FROM ${previous.database}.${table}`)
    linked.add(part)
  }
  return linked
}
