import { EngineError, SHARD_TABLES } from '../../engine/index.ts'
import type { BuildOptions } from '../options.ts'
import { linkTable, previousOn } from './link.ts'
import { findListings, pullFile } from './pull.ts'
import type { SnapshotSource } from './source.ts'
import { filesOf, partitionOfFile, partitionSql } from './tables.ts'
import { columnsOf, createStaging, type ShardTarget } from './target.ts'
import { type LoadedTable, wrongPartitions } from './verify.ts'

type LoadJob = {
  source: SnapshotSource
  tables: readonly LoadedTable[]
  stop: AbortController
  /** Ends when the load is cancelled, or fails on any node. */
  signal: AbortSignal
  onRows: (rows: number) => void
}

/** Runs work on every node; the first failure ends it on the others. */
const onAll = async <T>(of: readonly T[], stop: AbortController, work: (one: T, i: number) => Promise<unknown>) => {
  await Promise.all(of.map((one, i) => work(one, i).catch((cause: unknown) => stop.abort(cause))))
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

/** Fills the staging database of a node: with links to what it has, and else from the store. */
const fill = async (job: LoadJob, target: ShardTarget): Promise<void> => {
  target.linked = new Set()
  await createStaging(target)
  await findListings(target, job.source, job.signal)
  const previous = await previousOn(target)
  await onAll(job.tables, job.stop, (of) => linkTable(target, previous, of, job.signal))
  for (const of of job.tables) await pullTable(job, target, of, (part) => !target.linked!.has(`${of.table} ${part}`))
}

/** Pulls partitions of a table that are linked or published with wrong rows. Returns whether there were any. */
const pullAgain = async (job: LoadJob, target: ShardTarget, of: LoadedTable, wrong: ReadonlySet<string>) => {
  if (wrong.size === 0) return false
  const isPublished = target.linked === null
  if (isPublished) await fill(job, target)
  const again = new Set([...wrong].filter((part) => target.linked!.delete(`${of.table} ${part}`)))
  for (const part of again) await target.node.execute(`ALTER TABLE ${of.table} DROP PARTITION ${partitionSql(part)}`)
  await pullTable(job, target, of, (part) => again.has(part))
  return isPublished || again.size > 0
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

/** Compares a table on all nodes with the snapshot, and pulls again what differs, unless it was pulled from its files. */
const repair = async (job: LoadJob, targets: readonly ShardTarget[], of: LoadedTable): Promise<void> => {
  for (;;) {
    const replicas = targets.map(({ place, server, database, node, linked }) => ({
      shard: place.number,
      node: linked === null ? server.in(database) : node,
    }))
    const wrong = await wrongPartitions(replicas, of)
    const all = new Set(wrong.flatMap((parts) => [...parts]))
    if (all.size === 0) return
    let isChanged = false
    await onAll(targets, job.stop, async (target, i) => {
      if (await pullAgain(job, target, of, wrong[i]!)) isChanged = true
    })
    if (!isChanged) throw await differentRows(job, of, all)
  }
}

/**
 * Fills staging databases of the nodes that lack their shards, and of those whose published rows are not those of the
 * snapshot, which all nodes are compared with. Throws NOT_READY if a node or the store fails, or rows differ.
 */
export const fillShards = async (
  source: SnapshotSource,
  targets: readonly ShardTarget[],
  { signal, onProgress }: Pick<BuildOptions, 'signal' | 'onProgress'>,
): Promise<void> => {
  const { files } = source.snapshot.manifest
  const tables = SHARD_TABLES.map((table) => ({ table, columns: columnsOf(table), files: filesOf(files, table) }))
  const missing = targets.filter(({ before }) => before === null)
  const total = missing.length * tables.flatMap(({ files }) => files).reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  const onRows = (rows: number): void => {
    done += rows
    onProgress?.({ step: 'fetching', done, total, rows: done })
  }
  const stop = new AbortController()
  const job = { source, tables, stop, signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal, onRows }
  await onAll(missing, stop, (target) => fill(job, target))
  for (const of of tables) await repair({ ...job, onRows: () => undefined }, targets, of)
}
