import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type ClusterAddress,
  readClusterAddress,
  readPointer,
  readSealedManifest,
  type SealedSnapshot,
  snapshotFolder,
  type TableRows,
  takeLease,
  verifySnapshot,
} from '../../engine/index.ts'
import { Database, DEFAULT_MEMORY_LIMIT } from '../database.ts'
import type { BuildOptions } from '../options.ts'
import { noSnapshot } from '../snapshot/snapshots.ts'
import { type SentShard, sendShards } from './divide.ts'
import { findPlaces } from './places.ts'
import {
  createStaging,
  dropStaging,
  findLoaded,
  publishShard,
  removeOlder,
  type ShardTarget,
  sealStaging,
  targetOn,
} from './target.ts'

export type LoadOptions = Pick<BuildOptions, 'signal' | 'onProgress' | 'memory_limit' | 'threads'> & {
  /** The name of the cluster in the configuration of its nodes; a single node needs none. */
  cluster?: string | undefined
}

/** What a load did on a node. */
export type LoadedNode = {
  host: string
  database: string
  /** The shard, from 1, and the number of all. */
  shard: number
  of: number
  /** Whether the node had the shard before. */
  was_loaded: boolean
  /** The rows of the shard by table. */
  rows: TableRows
  /** Months and years that are linked to those of the snapshot before, rather than sent. */
  linked: number
  /** Databases of older snapshots that were removed. */
  removed: string[]
}

/** The result of loading a snapshot into a cluster. */
export type LoadReport = {
  snapshot_id: string
  nodes: LoadedNode[]
  /** Nodes that did not answer, beside which every shard has another. */
  away: { host: string; problem: string }[]
}

type LoadJob = { lake: string; snapshot: SealedSnapshot; shards: number; options: LoadOptions }

/** Divides the snapshot, in a database of its own, and sends their rows to the staging databases. */
const fillStaging = async (
  { lake, snapshot: { manifest }, shards, options }: LoadJob,
  targets: readonly ShardTarget[],
): Promise<SentShard[]> => {
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
const loadShards = async (job: LoadJob, targets: readonly ShardTarget[]): Promise<SentShard[]> => {
  const { lake, snapshot, options } = job
  try {
    // A damaged file would be divided like any other.
    await verifySnapshot(lake, snapshot.manifest)
    await Promise.all(targets.map(createStaging))
    const sent = await fillStaging(job, targets)
    options.signal?.throwIfAborted()
    await Promise.all(targets.map((target, index) => sealStaging(target, snapshot, sent[index]!.rows)))
    await Promise.all(targets.map((target) => publishShard(target, snapshot)))
    return sent
  } catch (cause) {
    throw options.signal?.aborted ? options.signal.reason : cause
  } finally {
    await Promise.all(targets.map(dropStaging))
  }
}

const loadInto = async (job: Omit<LoadJob, 'shards'>, address: ClusterAddress): Promise<LoadReport> => {
  const { snapshot, options } = job
  const { snapshot_id } = snapshot.manifest
  const places = await findPlaces(address, options.cluster)
  const targets = places.flatMap((node) =>
    'place' in node ? [targetOn(node.url, address, snapshot_id, node.place)] : [],
  )
  const loaded = await Promise.all(targets.map((target) => findLoaded(target, snapshot)))
  const missing = targets.filter((_, index) => loaded[index] === null)
  const shards = targets[0]!.place.of
  const sent = missing.length > 0 ? await loadShards({ ...job, shards }, missing) : []
  const nodes = targets.map(async (target, index): Promise<LoadedNode> => {
    const { server, database, place } = target
    const made = sent[missing.indexOf(target)]
    const rows = loaded[index] ?? made!.rows
    const removed = await removeOlder(target, snapshot_id)
    const shard = { shard: place.number + 1, of: place.of }
    return {
      host: server.host,
      database,
      ...shard,
      was_loaded: loaded[index] !== null,
      rows,
      linked: made?.linked ?? 0,
      removed,
    }
  })
  const away = places.flatMap((node) => ('problem' in node ? [{ host: node.host, problem: node.problem.message }] : []))
  return { snapshot_id, nodes: await Promise.all(nodes), away }
}

/**
 * Loads the published snapshot of a lake into a ClickHouse cluster: to each node the shard that it lacks, into a database
 * that has no name that is read before it is whole. Services take the snapshot when every shard has a node; a load that was
 * interrupted, and nodes that were away or replaced, need another. Throws EngineError INVALID_PARAMS for another address or
 * a cluster that the nodes do not know, and NOT_READY if a node fails, a shard has none that answers or the snapshot is damaged.
 */
export const loadCluster = async (lake: string, address: string, options: LoadOptions = {}): Promise<LoadReport> => {
  const cluster = readClusterAddress(address)
  const pointer = await readPointer(lake)
  if (pointer === null) throw noSnapshot(lake)
  const lease = await takeLease(lake, pointer.snapshot_id)
  try {
    const snapshot = await readSealedManifest(lake, pointer.snapshot_id, pointer)
    return await loadInto({ lake, snapshot, options }, cluster)
  } finally {
    lease.release()
  }
}
