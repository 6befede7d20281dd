import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type ClusterAddress,
  checkNode,
  findShard,
  readClusterAddress,
  readPointer,
  readSealedManifest,
  type SealedSnapshot,
  snapshotFolder,
  takeLease,
  verifySnapshot,
} from '../../engine/index.ts'
import { Database, DEFAULT_MEMORY_LIMIT } from '../database.ts'
import type { BuildOptions } from '../options.ts'
import { noSnapshot } from '../snapshot/snapshots.ts'
import { sendShards } from './divide.ts'
import {
  createStaging,
  dropStaging,
  publishShard,
  removeOlder,
  type ShardTarget,
  sealStaging,
  type TableRows,
  targetsOf,
} from './target.ts'

export type LoadOptions = Pick<BuildOptions, 'signal' | 'onProgress' | 'memory_limit' | 'threads'>

/** What a load did on a node. */
export type LoadedNode = {
  host: string
  database: string
  /** Whether the node had the shard before. */
  was_loaded: boolean
  /** The rows of the shard by table. */
  rows: TableRows
  /** Databases of older snapshots that were removed. */
  removed: string[]
}

/** The result of loading a snapshot into a cluster. */
export type LoadReport = { snapshot_id: string; nodes: LoadedNode[] }

type LoadJob = { lake: string; snapshot: SealedSnapshot; shards: number; options: LoadOptions }

/** Divides the snapshot, in a database of its own, and sends their rows to the staging databases. */
const fillStaging = async (
  { lake, snapshot: { manifest }, shards, options }: LoadJob,
  targets: readonly ShardTarget[],
): Promise<TableRows[]> => {
  const { memory_limit = DEFAULT_MEMORY_LIMIT, threads, signal } = options
  const scratch = await mkdtemp(join(tmpdir(), 'shelfmark-load-'))
  const database = await Database.open({ spill: join(scratch, 'spill'), memory_limit, threads })
  const interrupt = () => database.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    const folder = resolve(snapshotFolder(lake, manifest.snapshot_id))
    return await sendShards({ database, targets, shards, folder, manifest, scratch, options })
  } finally {
    signal?.removeEventListener('abort', interrupt)
    database.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Loads the shards that are missing; readers see each of them when all are whole. */
const loadShards = async (job: LoadJob, targets: readonly ShardTarget[]): Promise<TableRows[]> => {
  const { lake, snapshot, options } = job
  try {
    // A damaged file would be divided like any other.
    await verifySnapshot(lake, snapshot.manifest)
    await Promise.all(targets.map(createStaging))
    const counts = await fillStaging(job, targets)
    options.signal?.throwIfAborted()
    await Promise.all(targets.map((target, index) => sealStaging(target, snapshot, counts[index]!)))
    await Promise.all(targets.map((target) => publishShard(target, snapshot)))
    return counts
  } catch (cause) {
    throw options.signal?.aborted ? options.signal.reason : cause
  } finally {
    await Promise.all(targets.map(dropStaging))
  }
}

const loadInto = async (job: LoadJob, address: ClusterAddress): Promise<LoadReport> => {
  const { snapshot } = job
  const { snapshot_id } = snapshot.manifest
  const targets = targetsOf(address, snapshot_id)
  for (const { server } of targets) await checkNode(server)
  const shards = await Promise.all(targets.map(({ server, place }) => findShard(server, place, snapshot)))
  const missing = targets.filter((_, index) => 'problem' in shards[index]!)
  const sent = missing.length > 0 ? await loadShards(job, missing) : []
  const nodes = targets.map(async (target, index): Promise<LoadedNode> => {
    const shard = shards[index]!
    const rows = 'counts' in shard ? shard.counts : sent[missing.indexOf(target)]!
    const removed = await removeOlder(target)
    return { host: target.server.host, database: target.database, was_loaded: 'counts' in shard, rows, removed }
  })
  return { snapshot_id, nodes: await Promise.all(nodes) }
}

/**
 * Loads the published snapshot of a lake into a ClickHouse cluster: to each node the shard that it lacks, into a database of
 * its own. Readers take the snapshot when every node has its shard; a load that was interrupted is run again. Throws
 * EngineError INVALID_PARAMS for another address, and NOT_READY if a node fails or the snapshot is damaged.
 */
export const loadCluster = async (lake: string, address: string, options: LoadOptions = {}): Promise<LoadReport> => {
  const cluster = readClusterAddress(address)
  const pointer = await readPointer(lake)
  if (pointer === null) throw noSnapshot(lake)
  const lease = await takeLease(lake, pointer.snapshot_id)
  try {
    const snapshot = await readSealedManifest(lake, pointer.snapshot_id, pointer)
    return await loadInto({ lake, snapshot, shards: cluster.nodes.length, options }, cluster)
  } finally {
    lease.release()
  }
}
