import { EngineError, SHARD_TABLES } from '../../engine/index.ts'
import type { BuildOptions } from '../options.ts'
import { linkPartitions, previousOn } from './link.ts'
import { columnsOf, findListings, pullFile } from './pull.ts'
import type { SnapshotSource } from './source.ts'
import { filesOf, partitionOfFile } from './tables.ts'
import type { ShardTarget } from './target.ts'
import { differentPartitions, type LoadedTable, type ShardReplica } from './verify.ts'

/** A node that lacks its shard, and the partitions of each table that it has linked to those of the snapshot before. */
export type Filling = { target: ShardTarget; linked: Map<string, Set<string>> }

type LoadJob = {
  source: SnapshotSource
  tables: readonly LoadedTable[]
  /** Ends when the load is cancelled, or fails on any node. */
  signal: AbortSignal
  onRows: (rows: number) => void
}

/** Runs work on every node; the first failure ends it on the others. */
const onAll = async <T>(of: readonly T[], stop: AbortController, work: (one: T) => Promise<unknown>): Promise<void> => {
  await Promise.all(of.map((one) => work(one).catch((cause: unknown) => stop.abort(cause))))
  stop.signal.throwIfAborted()
}

/** Pulls the files of a table whose partitions are wanted. */
const pullTable = async (
  { source, signal, onRows }: LoadJob,
  target: ShardTarget,
  { table, columns, files }: LoadedTable,
  isWanted: (part: string) => boolean,
): Promise<void> => {
  for (const file of files) {
    signal.throwIfAborted()
    if (isWanted(partitionOfFile(table, file.path))) await pullFile(target, source, table, columns, file, signal)
    onRows(file.rows)
  }
}

const fill = async (job: LoadJob, { target, linked }: Filling): Promise<void> => {
  const previous = await previousOn(target)
  await findListings(target, job.source, job.signal)
  for (const of of job.tables) {
    const parts = await linkPartitions(target, previous, of.table, of.files)
    linked.set(of.table, parts)
    await pullTable(job, target, of, (part) => !parts.has(part))
  }
}

/** Pulls again what was linked, of partitions whose rows are not those of the snapshot. */
const pullInstead = async (job: LoadJob, { target, linked }: Filling, of: LoadedTable, wrong: ReadonlySet<string>) => {
  const parts = linked.get(of.table)!
  const again = new Set([...wrong].filter((part) => parts.delete(part)))
  for (const part of again) await target.node.execute(`ALTER TABLE ${of.table} DROP PARTITION '${part}'`)
  await pullTable({ ...job, onRows: () => undefined }, target, of, (part) => again.has(part))
}

/** The refusal of a load after which a table has other rows than the snapshot. Throws another if the files are damaged. */
const differentRows = async (
  { source }: LoadJob,
  { table, files }: LoadedTable,
  wrong: ReadonlySet<string>,
): Promise<EngineError> => {
  for (const file of files) if (wrong.has(partitionOfFile(table, file.path))) await source.check(file)
  const parts = [...wrong].filter(Boolean).join(', ')
  return new EngineError(
    'NOT_READY',
    `the nodes do not have the rows of ${table}${parts && ` of ${parts}`} in the snapshot; load it again`,
  )
}

/** What is pulled, the nodes that lack their shards, and those that have theirs. */
export type UnfilledShards = {
  source: SnapshotSource
  missing: readonly ShardTarget[]
  loaded: readonly ShardReplica[]
}

/**
 * Fills the staging databases with what each shard lacks, and compares all nodes with the snapshot. Throws NOT_READY if a
 * node or the store fails, or rows differ.
 */
export const fillShards = async (
  { source, missing, loaded }: UnfilledShards,
  { signal, onProgress }: Pick<BuildOptions, 'signal' | 'onProgress'>,
): Promise<Filling[]> => {
  const { files } = source.snapshot.manifest
  const tables: LoadedTable[] = []
  for (const table of SHARD_TABLES)
    tables.push({ table, columns: await columnsOf(missing[0]!, table), files: filesOf(files, table) })
  const total = missing.length * tables.flatMap(({ files }) => files).reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  const onRows = (rows: number): void => {
    done += rows
    onProgress?.({ step: 'fetching', done, total, rows: done })
  }
  const stop = new AbortController()
  const job = { source, tables, signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal, onRows }
  const filling = missing.map((target): Filling => ({ target, linked: new Map() }))
  await onAll(filling, stop, (one) => fill(job, one))
  const replicas = [...missing.map(({ place, node }) => ({ shard: place.number, node })), ...loaded]
  for (const of of tables) {
    const wrong = await differentPartitions(replicas, of)
    if (wrong.size === 0) continue
    await onAll(filling, stop, (one) => pullInstead(job, one, of, wrong))
    const still = await differentPartitions(replicas, of)
    if (still.size > 0) throw await differentRows(job, of, still)
  }
  return filling
}
