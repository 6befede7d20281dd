import {
  type ClusterAddress,
  ClusterNode,
  checkNode,
  EngineError,
  MAX_LOAD_MS,
  type ShardPlace,
} from '../../engine/index.ts'
import type { ShardServer } from './target.ts'

/** Time after which a node that does not answer is left out of a load, in milliseconds. */
const MAX_CHECK_MS = 10_000

/** The nodes of a load: those that answer, each with the shard that it is a replica of, and why others do not. */
export type FoundNodes = {
  places: ShardServer[]
  away: { host: string; problem: string }[]
}

/** The shards of a cluster, and which of them this node is a replica of. */
const OWN = `
  SELECT toUInt32(maxIf(shard_num, is_local)) AS own, toUInt32(max(shard_num)) AS of
  FROM system.clusters WHERE cluster = {cluster:String}`

const clusterError = (reason: string): EngineError => new EngineError('INVALID_PARAMS', reason)

const placeOf = async (node: ClusterNode, cluster: string | undefined): Promise<ShardPlace> => {
  await checkNode(node)
  if (cluster === undefined) return { cluster: '', number: 0, of: 1 }
  const [found] = (await node.rows(OWN, { cluster })) as { own: number; of: number }[]
  const { own, of } = found!
  if (of === 0)
    throw clusterError(
      `cluster: ${node.host} knows no cluster of this name; its names: SELECT DISTINCT cluster FROM system.clusters`,
    )
  if (own === 0) throw clusterError(`cluster: ${node.host} is not a node of it, by its own configuration`)
  return { cluster, number: own - 1, of }
}

/**
 * Which shard each node of an address is a replica of, by the configuration of its cluster, which each node knows. Without a
 * cluster a single node has the only shard. Throws EngineError INVALID_PARAMS where the address and the cluster do not fit
 * each other, and NOT_READY if a shard has no node that answers.
 */
export const findPlaces = async (
  { nodes: urls, ...credentials }: ClusterAddress,
  cluster: string | undefined,
): Promise<FoundNodes> => {
  if (cluster === undefined && urls.length > 1)
    throw clusterError(
      'cluster: several nodes need the name of their cluster, as in remote_servers of their configuration',
    )
  const results = await Promise.allSettled(
    urls.map((url) => placeOf(new ClusterNode({ url, ...credentials, max_ms: MAX_CHECK_MS }), cluster)),
  )
  const found: FoundNodes = { places: [], away: [] }
  const failures: unknown[] = []
  for (const [i, result] of results.entries()) {
    const server = new ClusterNode({ url: urls[i]!, ...credentials, max_ms: MAX_LOAD_MS })
    if (result.status === 'fulfilled') found.places.push({ server, place: result.value })
    else if (result.reason instanceof EngineError && result.reason.code === 'NOT_READY') {
      found.away.push({ host: server.host, problem: result.reason.message })
      failures.push(result.reason)
    } else throw result.reason
  }
  const sizes = [...new Set(found.places.map(({ place }) => place.of))]
  if (sizes.length > 1)
    throw clusterError(`cluster: its nodes are configured with different numbers of shards: ${sizes.join(', ')}`)
  const missing = [...Array(sizes[0] ?? 0).keys()].filter((n) => !found.places.some(({ place }) => place.number === n))
  if (failures.length > 0 && (missing.length > 0 || found.places.length === 0)) throw failures[0]
  if (missing.length > 0)
    throw clusterError(`to: names no node of shard ${missing.map((n) => n + 1).join(', ')} of ${sizes[0]}`)
  return found
}
