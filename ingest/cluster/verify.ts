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

const totalsOf = (numbers: readonly (number | string)[]): PartitionTotals => numbers.join(' ').split(' ').map(BigInt)

/** The columns that are read from files, rather than from their paths. */
const comparedColumns = ({ columns, files }: LoadedTable): TypedColumn[] => {
  const inPath = folderColumns(files[0]?.path ?? '')
  return columns.filter(({ name }) => !(name in inPath))
}

/** The totals of a table on a node by partition. */
const totalsOn = async ({ node }: ShardReplica, of: LoadedTable): Promise<Map<string, PartitionTotals>> => {
  const foreign = of.table === WHOLE_TABLE ? 'false' : 'listing_id NOT IN (SELECT listing_id FROM place)'
  const numbers = ['toString(count())', `toString(countIf(${foreign}))`, ...comparedColumns(of).map(columnSumSql)]
  const rows = (await node.rows(
    `SELECT ${partitionOf(of.table)} AS part, [${numbers.join()}] AS numbers FROM ${of.table} GROUP BY part`,
  )) as { part: string; numbers: string[] }[]
  return new Map(rows.map(({ part, numbers }) => [part, totalsOf(numbers)]))
}

/** The totals of the files of a table by partition. */
const totalsInFiles = (of: LoadedTable, none: PartitionTotals): Map<string, PartitionTotals> => {
  const added = new Map<string, PartitionTotals>()
  for (const { path, rows, sums } of of.files) {
    if (rows === 0) continue
    const part = partitionOfFile(of.table, path)
    const totals = totalsOf([rows, 0, ...comparedColumns(of).map(({ name }) => sums![name]!)])
    added.set(
      part,
      (added.get(part) ?? none).map((value, i) => value + totals[i]!),
    )
  }
  return added
}

/**
 * Which replicas have other rows of a partition than they should. The files say what all shards have together, so that where
 * replicas of only one shard differ, theirs is what the others leave. Otherwise it is not known which of them is wrong.
 */
const wrongReplicas = (
  shards: readonly number[],
  totals: readonly PartitionTotals[],
  expected: PartitionTotals,
): number[] => {
  const all = [...shards.keys()]
  const differing = new Set(shards.filter((shard, i) => !isDeepStrictEqual(totals[i], totals[shards.indexOf(shard)])))
  const left = all
    .filter((i) => shards.indexOf(shards[i]!) === i && !differing.has(shards[i]!))
    .reduce<PartitionTotals>((rest, i) => rest.map((value, j) => value - totals[i]![j]!), expected)
  if (differing.size === 0) return left.every((value) => value === 0n) ? [] : all
  return all.filter((i) => differing.has(shards[i]!) && !(differing.size === 1 && isDeepStrictEqual(totals[i], left)))
}

/**
 * For each of some replicas, the partitions of a table whose rows may not be those of the snapshot; none if all are. Every
 * shard has a replica among them.
 */
export const wrongPartitions = async (replicas: readonly ShardReplica[], of: LoadedTable): Promise<Set<string>[]> => {
  const none = Array<bigint>(2 + 2 * comparedColumns(of).length).fill(0n)
  const expected = totalsInFiles(of, none)
  const found = await Promise.all(replicas.map((replica) => totalsOn(replica, of)))
  const shards = replicas.map(({ shard }) => (of.table === WHOLE_TABLE ? 0 : shard))
  const wrong = replicas.map(() => new Set<string>())
  for (const part of new Set([expected, ...found].flatMap((totals) => [...totals.keys()]))) {
    const totals = found.map((onNode) => onNode.get(part) ?? none)
    for (const i of wrongReplicas(shards, totals, expected.get(part) ?? none)) wrong[i]!.add(part)
  }
  return wrong
}
