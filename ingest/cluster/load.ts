import {
  type ClusterAddress,
  EngineError,
  readClusterAddress,
  type SealedSnapshot,
  type Store,
  type TableRows,
} from '../../engine/index.ts'
import type { BuildOptions } from '../options.ts'
import { fillShards } from './fill.ts'
import { findPlaces } from './places.ts'
import { openSource, type SnapshotSource } from './source.ts'
import { isSummed } from './sums.ts'
import {
  dropStaging,
  findLoaded,
  publishShard,
  removeOlder,
  type ShardTarget,
  sealStaging,
  targetOn,
} from './target.ts'

export type LoadOptions = Pick<BuildOptions, 'signal' | 'onProgress'> & {
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
  /** Whether the node had the shard before, with the rows of the snapshot. */
  was_loaded: boolean
  /** The rows of the shard by table. */
  rows: TableRows
  /** Partitions of tables that are linked to those that the node had before, rather than pulled. */
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

/** Throws NOT_READY for a snapshot whose manifest does not say what nodes must have. */
const requireSums = ({ manifest }: SealedSnapshot): void => {
  if (isSummed(manifest)) return
  throw new EngineError(
    'NOT_READY',
    `snapshot ${manifest.snapshot_id} was written by an earlier release, without what a load is checked by; refresh the lake, then load the new snapshot`,
  )
}

/** Loads the shards that are missing or wrong; readers see each of them when all are whole. */
const loadShards = async (source: SnapshotSource, targets: readonly ShardTarget[], options: LoadOptions) => {
  const { snapshot } = source
  const staged = () => targets.filter(({ linked }) => linked !== null)
  try {
    await fillShards(source, targets, options)
    options.signal?.throwIfAborted()
    await Promise.all(staged().map((target) => sealStaging(target, snapshot)))
    await Promise.all(staged().map((target) => publishShard(target, snapshot)))
  } catch (cause) {
    throw options.signal?.aborted ? options.signal.reason : cause
  } finally {
    await Promise.all(staged().map(dropStaging))
  }
}

const loadInto = async (source: SnapshotSource, address: ClusterAddress, options: LoadOptions): Promise<LoadReport> => {
  const { snapshot } = source
  requireSums(snapshot)
  const { snapshot_id } = snapshot.manifest
  const { places, away } = await findPlaces(address, options.cluster)
  const targets = await Promise.all(places.map((place) => targetOn(place, snapshot)))
  await loadShards(source, targets, options)
  const loaded = async (target: ShardTarget): Promise<LoadedNode> => ({
    host: target.server.host,
    database: target.database,
    shard: target.place.number + 1,
    of: target.place.of,
    was_loaded: target.linked === null,
    rows: (await findLoaded(target, snapshot)) ?? {},
    linked: target.linked?.size ?? 0,
    removed: await removeOlder(target, snapshot_id),
  })
  return { snapshot_id, nodes: await Promise.all(targets.map(loaded)), away }
}

/**
 * Loads the published snapshot of a store, or of the lake in a folder that the nodes can read, into a ClickHouse cluster: each
 * node pulls the shard that it lacks, or what is wrong in it, into a database that has no name that is read before it is whole.
 * Services take the snapshot when every shard has a node; a load that was interrupted, and nodes that were away or replaced,
 * need another.
 * Throws EngineError INVALID_PARAMS for another address or a cluster that the nodes do not know, and NOT_READY if a node or
 * the store fails, a shard has none that answers or the snapshot is damaged.
 */
export const loadCluster = async (
  from: Store | string,
  address: string,
  options: LoadOptions = {},
): Promise<LoadReport> => {
  const cluster = readClusterAddress(address)
  const source = await openSource(from)
  try {
    return await loadInto(source, cluster, options)
  } finally {
    source.close()
  }
}
