import { isDeepStrictEqual } from 'node:util'
import type { ClusterNode, ManifestFile } from '../../engine/index.ts'
import { columnSumSql, type TypedColumn } from './sums.ts'
import { folderColumns, partitionOf, partitionOfFile, WHOLE_TABLE } from './tables.ts'

/** A node with the shard that it has or gets, in the database that is compared. */
export type ShardReplica = { shard: number; node: ClusterNode }

/** A table of a snapshot: the columns that nodes have of it, and its files. */
export type LoadedTable = { table: string; columns: readonly TypedColumn[]; files: readonly ManifestFile[] }

/** Of a partition, its rows, those that are of another shard and, by column, how many values and their sum. */
type PartitionTotals = readonly bigint[]
type TotalsByPartition = ReadonlyMap<string, PartitionTotals>

const totalsOf = (rows: number, foreign: number, sums: readonly string[]): PartitionTotals => [
  BigInt(rows),
  BigInt(foreign),
  ...sums.flatMap((sum) => sum.split(' ').map(BigInt)),
]

const addUp = (entries: Iterable<readonly [part: string, totals: PartitionTotals]>): TotalsByPartition => {
  const added = new Map<string, PartitionTotals>()
  for (const [part, totals] of entries) {
    const before = added.get(part)
    added.set(part, before ? before.map((value, i) => value + totals[i]!) : totals)
  }
  return added
}

/** The columns that are read from files, rather than from their paths. */
const comparedColumns = ({ columns, files }: LoadedTable): TypedColumn[] => {
  const inPath = folderColumns(files[0]?.path ?? '')
  return columns.filter(({ name }) => !(name in inPath))
}

const totalsOn = async ({ node }: ShardReplica, of: LoadedTable): Promise<TotalsByPartition> => {
  const foreign = of.table === WHOLE_TABLE ? 'false' : 'listing_id NOT IN (SELECT listing_id FROM place)'
  const sums = comparedColumns(of).map(columnSumSql)
  const rows = (await node.rows(
    `SELECT ${partitionOf(of.table)} AS part, count() AS rows, countIf(${foreign}) AS foreign, [${sums.join()}] AS sums
    FROM ${of.table} GROUP BY part HAVING rows > 0`,
  )) as { part: string; rows: number; foreign: number; sums: string[] }[]
  return new Map(rows.map(({ part, rows, foreign, sums }) => [part, totalsOf(rows, foreign, sums)]))
}

/**
 * The partitions of a table whose rows are not those of the snapshot: added up over the shards, or in a replica. Every shard
 * has a replica among those that are given.
 */
export const differentPartitions = async (replicas: readonly ShardReplica[], of: LoadedTable): Promise<Set<string>> => {
  const names = comparedColumns(of).map(({ name }) => name)
  const files = of.files.filter(({ rows }) => rows > 0)
  const expected = addUp(
    files.map(({ path, rows, sums }) => [
      partitionOfFile(of.table, path),
      totalsOf(
        rows,
        0,
        names.map((name) => sums![name]!),
      ),
    ]),
  )
  const found = await Promise.all(replicas.map((replica) => totalsOn(replica, of)))
  const shards = replicas.map(({ shard }) => (of.table === WHOLE_TABLE ? 0 : shard))
  const added = addUp(found.flatMap((totals, i) => (shards.indexOf(shards[i]!) === i ? [...totals] : [])))
  const parts = new Set([expected, ...found].flatMap((totals) => [...totals.keys()]))
  const isSame = (part: string): boolean =>
    isDeepStrictEqual(added.get(part), expected.get(part)) &&
    found.every((totals, i) => isDeepStrictEqual(totals.get(part), found[shards.indexOf(shards[i]!)]!.get(part)))
  return new Set([...parts].filter((part) => !isSame(part)))
}
