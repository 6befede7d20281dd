import type { FastifyBaseLogger } from 'fastify'
import type { ClusterState, EngineOptions, NodeState } from '../../engine/index.ts'
import { type Config, clusterOf } from './config.ts'
import type { WatchedLake } from './lake.ts'
import type { Metrics } from './metrics.ts'

/** The interval at which nodes are checked. */
const CHECK_MS = 5000

/** Options of the engine for the cluster of the settings, whose requests are counted; empty without one. */
export const clusterOptions = (
  config: Pick<Config, 'backend' | 'timeout_ms'>,
  metrics: Metrics,
): Pick<EngineOptions, 'cluster' | 'cluster_requests'> => {
  const cluster = clusterOf(config)
  // No statement is worth more time than the request that it is for.
  return cluster === null
    ? {}
    : { cluster, cluster_requests: { max_ms: config.timeout_ms, onRequest: metrics.cluster.count } }
}

export type ClusterWatchOptions = { lake: Pick<WatchedLake, 'engine'>; metrics: Metrics; log: FastifyBaseLogger }

/**
 * The nodes of a cluster as operators see them: checked at intervals, also while there are no queries, and logged when one
 * changes. Queries do not wait for this: each finds out itself which nodes answer.
 */
export const watchCluster = ({ lake, metrics, log }: ClusterWatchOptions) => {
  let state: ClusterState = { nodes: [], problem: null }
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const logChange = ({ host, problem }: NodeState): void => {
    const before = state.nodes.find((node) => node.host === host)?.problem ?? null
    if (problem === before) return
    if (problem === null) log.info({ node: host }, 'the node can be queried again')
    else log.error({ node: host, reason: problem }, 'a node of the cluster cannot be queried')
  }

  const check = async (): Promise<void> => {
    const checked = (await lake.engine()?.checkCluster()) ?? { nodes: [], problem: null }
    for (const node of checked.nodes) logChange(node)
    state = checked
    metrics.cluster.show(state.nodes)
    if (!isClosed) timer = setTimeout(check, CHECK_MS).unref()
  }

  return {
    /** The state at the last check; no nodes before a snapshot is open. */
    state: (): ClusterState => state,
    /** Checks the nodes now, and then at intervals. */
    start: (): Promise<void> => check(),
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

export type ClusterWatch = ReturnType<typeof watchCluster>
