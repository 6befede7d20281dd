import { isDeepStrictEqual } from 'node:util'
import { type ClusterNode, type Manifest, SHARD_FORMAT } from '../../engine/index.ts'
import type { ShardTarget } from './target.ts'

/** The tables that are divided by months or years, and by which column of theirs and of the paths of their files. */
const PARTITIONED: Readonly<Record<string, string>> = {
  listing_month: 'year',
  observation: 'month',
  observation_time: 'month',
}

/** The partition of a row: '' in a table that is not divided by time. */
export const partitionOf = (table: string): string => PARTITIONED[table] ?? "''"

type Hashes = Readonly<Record<string, string>>

/** An earlier snapshot on a node. */
type Previous = { database: string; hashes: Hashes }

const PREVIOUS = `
  SELECT database FROM system.tables
  WHERE name = 'shard' AND match(database, '^shelfmark_v${SHARD_FORMAT}_[0-9]+_[0-9a-f]{8}$') AND database <> {database:String}
  ORDER BY database DESC LIMIT 1`

const previousOn = async ({ server, database }: ShardTarget): Promise<Previous | null> => {
  const [found] = await server.rows(PREVIOUS, { database })
  if (!found) return null
  const [shard] = await server.rows(`SELECT hashes FROM ${found.database}.shard`)
  return shard ? { database: String(found.database), hashes: shard.hashes as Hashes } : null
}

/** The partition that the rows of a file of a table are in. */
export const partitionOfFile = (table: string, path: string): string =>
  new RegExp(`/${PARTITIONED[table]}=([^/]+)/`).exec(path)?.[1] ?? ''

/** The rows of a partition on a shard, and the digest of their columns. */
export type PartitionRows = { part: string; rows: number; digest: string }

/** A table of the snapshot that is loaded, the folder of its files, and the digest in the SQL of ClickHouse. */
type LinkedTable = { table: string; folder: string; digest: string; files: Manifest['files'] }

/** The rows of a table on a node by partition. */
export const partitionsOn = async (
  node: ClusterNode,
  table: string,
  digest: string,
  source = table,
): Promise<PartitionRows[]> =>
  (await node.rows(
    `SELECT ${partitionOf(table)} AS part, count()::Int64 AS rows, ${digest} AS digest FROM ${source} GROUP BY part HAVING rows > 0`,
  )) as PartitionRows[]

/**
 * Takes from the snapshot before, on the same node, the partitions whose files have not changed and whose listings are on the
 * same shard still: as links to what is there. Returns which it took.
 */
export const linkPartitions = async (
  target: ShardTarget,
  { table, folder, digest, files }: LinkedTable,
  expected: readonly PartitionRows[],
): Promise<Set<string>> => {
  const linked = new Set<string>()
  const previous = PARTITIONED[table] ? await previousOn(target) : null
  if (previous === null) return linked
  const source = `${previous.database}.${table}`
  const there = await partitionsOn(target.server, table, digest, source)
  const filesOf = (hashes: Hashes, part: string): Hashes =>
    Object.fromEntries(
      Object.entries(hashes).filter(([path]) => path.startsWith(`${folder}/`) && partitionOfFile(table, path) === part),
    )
  const hashes = Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]))
  for (const partition of expected) {
    const { part } = partition
    const isSame = there.some((before) => isDeepStrictEqual(before, partition))
    if (!isSame || !isDeepStrictEqual(filesOf(hashes, part), filesOf(previous.hashes, part))) continue
    await target.node.execute(`ALTER TABLE ${table} ATTACH PARTITION '${part}' FROM ${source}`)
    linked.add(part)
  }
  return linked
}
