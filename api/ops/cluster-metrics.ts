import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { NodeRequest, NodeState } from '../../engine/index.ts'
import { BUCKETS_SECONDS } from './metric.ts'

/** Registers metrics of the nodes of a cluster; without one they have no values. */
export const addClusterMetrics = (registry: Registry) => {
  const registers = [registry]
  const requests = new Counter({
    name: 'shelfmark_cluster_requests_total',
    help: 'Statements sent to a node of the cluster, by outcome: answered, failed, or cancelled with its request.',
    labelNames: ['node', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'shelfmark_cluster_request_seconds',
    help: 'Seconds that a node of the cluster took to answer a statement.',
    labelNames: ['node'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const isUp = new Gauge({
    name: 'shelfmark_cluster_node_up',
    help: '1 if the last check of a node of the cluster succeeded; 0 if it failed, so that the other replicas of its shard answer.',
    labelNames: ['node'],
    registers,
  })
  return {
    /** Counts a request to a node that has ended. */
    count({ host, outcome, seconds: elapsed }: NodeRequest): void {
      requests.inc({ node: host, outcome })
      if (outcome === 'answered') seconds.observe({ node: host }, elapsed)
    },
    /** Shows which nodes can be queried. */
    show(nodes: readonly NodeState[]): void {
      isUp.reset()
      for (const { host, problem } of nodes) isUp.set({ node: host }, problem === null ? 1 : 0)
    },
  }
}
