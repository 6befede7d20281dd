import { type ClusterAddress, ClusterNode, checkNode, EngineError, type ShardPlace } from '../../engine/index.ts'

/** Time after which a node that does not answer is left out of a load, in milliseconds. */
const MAX_CHECK_MS = 10_000

/** A node that a load was told of: which shard it is a replica of, or why it cannot be asked. */
export type FoundNode = { url: string; host: string } & ({ place: ShardPlace } | { problem: EngineError })

type OwnReplica = { number: number; of: number }

/** The shards of a cluster, and which of them this node is a replica of. */
const OWN = `
  SELECT toUInt32(maxIf(shard_num, is_local)) AS own, toUInt32(max(shard_num)) AS of
  FROM system.clusters WHERE cluster = {cluster:String}`

const clusterError = (reason: string): EngineError => new EngineError('INVALID_PARAMS', reason)

const ownReplica = async (node: ClusterNode, cluster: string): Promise<OwnReplica> => {
  const [found] = (await node.rows(OWN, { cluster })) as { own: number; of: number }[]
  const { own, of } = found!
  if (of === 0)
    throw clusterError(
      `cluster: ${node.host} knows no cluster of this name; its names: SELECT DISTINCT cluster FROM system.clusters`,
    )
  if (own === 0) throw clusterError(`cluster: ${node.host} is not a node of it, by its own configuration`)
  return { number: own - 1, of }
}

/**
 * Which shard each node of an address is a replica of, by the configuration of its cluster, which each node knows. Without a
 * cluster a single node has the only shard. Throws EngineError INVALID_PARAMS where the address and the cluster do not fit
 * each other, and NOT_READY if a shard has no node that answers.
 */
export const findPlaces = async (
  { nodes: urls, ...credentials }: ClusterAddress,
  cluster: string | undefined,
): Promise<FoundNode[]> => {
  if (cluster === undefined && urls.length > 1)
    throw clusterError(
      'cluster: several nodes need the name of their cluster, as in remote_servers of their configuration',
    )
  const nodes = await Promise.all(
    urls.map(async (url): Promise<FoundNode> => {
      const node = new ClusterNode({ url, ...credentials, max_ms: MAX_CHECK_MS })
      const { host } = node
      try {
        await checkNode(node)
        const replica = cluster === undefined ? { number: 0, of: 1 } : await ownReplica(node, cluster)
        return { url, host, place: { cluster: cluster ?? '', ...replica } }
      } catch (cause) {
        if (cause instanceof EngineError && cause.code === 'NOT_READY') return { url, host, problem: cause }
        throw cause
      }
    }),
  )
  const places = nodes.flatMap((node) => ('place' in node ? [node.place] : []))
  const of = places[0]?.of ?? 0
  const numbers = new Set(places.map(({ number }) => number))
  const away = nodes.find((node) => 'problem' in node)
  if (places.some((place) => place.of !== of))
    throw clusterError(
      `cluster: its nodes are configured with different numbers of shards: ${[...new Set(places.map((place) => place.of))].join(', ')}`,
    )
  if (away && 'problem' in away && numbers.size < Math.max(of, 1)) throw away.problem
  if (numbers.size < of) {
    const missing = Array.from({ length: of }, (_, number) => number).filter((number) => !numbers.has(number))
    throw clusterError(`to: names no node of shard ${missing.map((number) => number + 1).join(', ')} of ${of}`)
  }
  return nodes
}
