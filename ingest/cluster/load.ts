import {
  type ClusterAddress,
  EngineError,
  readClusterAddress,
  type SealedSnapshot,
  type Store,
  type TableRows,
} from '../../engine/index.ts'
import type { BuildOptions } from '../options.ts'
import { type Filling, fillShards, type UnfilledShards } from './fill.ts'
import { findPlaces } from './places.ts'
import { openSource, type SnapshotSource } from './source.ts'
import { isSummed } from './sums.ts'
import { createStaging, dropStaging, findLoaded, publishShard, removeOlder, sealStaging, targetOn } from './target.ts'

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
  /** Whether the node had the shard before. */
  was_loaded: boolean
  /** The rows of the shard by table. */
  rows: TableRows
  /** Months and years that are linked to those of the snapshot before, rather than pulled. */
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

/** Loads the shards that are missing; readers see each of them when all are whole. */
const loadShards = async (shards: UnfilledShards, options: LoadOptions): Promise<Filling[]> => {
  const { source, missing } = shards
  try {
    await Promise.all(missing.map(createStaging))
    const filled = await fillShards(shards, options)
    options.signal?.throwIfAborted()
    await Promise.all(missing.map((target) => sealStaging(target, source.snapshot)))
    await Promise.all(missing.map((target) => publishShard(target, source.snapshot)))
    return filled
  } catch (cause) {
    throw options.signal?.aborted ? options.signal.reason : cause
  } finally {
    await Promise.all(missing.map(dropStaging))
  }
}

const loadInto = async (source: SnapshotSource, address: ClusterAddress, options: LoadOptions): Promise<LoadReport> => {
  const { snapshot } = source
  requireSums(snapshot)
  const { snapshot_id } = snapshot.manifest
  const places = await findPlaces(address, options.cluster)
  const targets = places.flatMap((node) =>
    'place' in node ? [targetOn(node.url, address, snapshot_id, node.place)] : [],
  )
  const found = await Promise.all(targets.map((target) => findLoaded(target, snapshot)))
  const missing = targets.filter((_, index) => found[index] === null)
  const whole = targets.filter((_, index) => found[index] !== null)
  const loaded = whole.map(({ place, published }) => ({ shard: place.number, node: published }))
  const filled = missing.length > 0 ? await loadShards({ source, missing, loaded }, options) : []
  const nodes = targets.map(async (target, index): Promise<LoadedNode> => {
    const { server, database, place } = target
    const linked = [...(filled.find((of) => of.target === target)?.linked.values() ?? [])]
    return {
      host: server.host,
      database,
      shard: place.number + 1,
      of: place.of,
      was_loaded: found[index] !== null,
      rows: found[index] ?? (await findLoaded(target, snapshot)) ?? {},
      linked: linked.reduce((sum, { size }) => sum + size, 0),
      removed: await removeOlder(target, snapshot_id),
    }
  })
  const away = places.flatMap((node) => ('problem' in node ? [{ host: node.host, problem: node.problem.message }] : []))
  return { snapshot_id, nodes: await Promise.all(nodes), away }
}

/**
 * Loads the published snapshot of a store, or of the lake in a folder that the nodes can read, into a ClickHouse cluster: each
 * node pulls the shard that it lacks, into a database that has no name that is read before it is whole. Services take the
 * snapshot when every shard has a node; a load that was interrupted, and nodes that were away or replaced, need another.
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
