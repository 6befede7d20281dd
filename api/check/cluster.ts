import {
  ClusterNode,
  checkNode,
  mayWrite,
  readClusterAddress,
  readPointer,
  readSealedManifest,
  requireShard,
  type SealedSnapshot,
} from '../../engine/index.ts'
import { type Config, clusterOf } from '../ops/config.ts'
import { type Finding, failed, passed, skipped } from './finding.ts'

const NAME = 'SHELFMARK_BACKEND'

/** Time after which a node that does not answer counts as failed, in milliseconds. */
const TIMEOUT_MS = 10_000

/** The published snapshot; null if there is none, or it is damaged: the finding on the lake says so. */
const publishedSnapshot = async (lake: string): Promise<SealedSnapshot | null> => {
  try {
    const pointer = await readPointer(lake)
    return pointer && (await readSealedManifest(lake, pointer.snapshot_id, pointer))
  } catch {
    return null
  }
}

const checkShardOf = async (
  urls: readonly string[],
  node: ClusterNode,
  snapshot: SealedSnapshot | null,
): Promise<Finding[]> => {
  if (snapshot === null) return [skipped(NAME, `${node.host} answers; there is no snapshot to look for`)]
  const { snapshot_id } = snapshot.manifest
  const { number, of } = await requireShard(node, snapshot, urls)
  const whole = passed(NAME, `${node.host} has shard ${number + 1} of ${of} of snapshot ${snapshot_id}`)
  if (!(await mayWrite(node, snapshot_id))) return [whole]
  const advice = 'its user may write; use one that may only read (api/operations/cluster.md)'
  return [whole, skipped(NAME, `${node.host}: ${advice}`)]
}

/** Checks that every node that is named answers, can run the statements, and has a shard of the published snapshot. */
export const checkCluster = async (config: Config): Promise<Finding[]> => {
  const cluster = clusterOf(config)
  if (cluster === null) return []
  const { nodes, ...credentials } = readClusterAddress(cluster)
  const snapshot = await publishedSnapshot(config.lake)
  const findings = nodes.map(async (url) => {
    const node = new ClusterNode({ url, ...credentials, max_ms: TIMEOUT_MS })
    try {
      await checkNode(node)
      return await checkShardOf(nodes, node, snapshot)
    } catch (error) {
      return [failed(NAME, (error as Error).message)]
    }
  })
  return (await Promise.all(findings)).flat()
}
