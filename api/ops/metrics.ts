import { Counter, Histogram, Registry } from 'prom-client'
import { addClusterMetrics } from './cluster-metrics.ts'
import { addMetrics, BUCKETS_SECONDS } from './metric.ts'

/** What is counted of a request. */
export type CountedRequest = {
  query: string | null
  cache: 'hit' | 'miss' | null
  timings: Readonly<Record<string, number>>
  payment: { network: string; outcome: string } | null
}

type QueueCounts = { counts(): { waiting: readonly { lane: string; waiting: number }[]; running: number } }
type CacheCounts = { counts(): { bytes: number; entries: number } }

const steps = ['plan', 'wait', 'run', 'verify', 'settle'] as const

/** The metrics of the service, in the registry that `/metrics` renders. */
export const createMetrics = () => {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'shelfmark_requests_total',
    help: 'Requests by query (or "other") and status; 499 where the client disconnected before its answer.',
    labelNames: ['query', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'shelfmark_request_seconds',
    help: 'Seconds from request to answer, by group.',
    labelNames: ['group'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const stepSeconds = Object.fromEntries(
    steps.map((step) => [
      step,
      new Histogram({
        name: `shelfmark_${step}_seconds`,
        help: `Seconds that requests spent in the step "${step}".`,
        buckets: BUCKETS_SECONDS,
        registers,
      }),
    ]),
  )
  const cacheRequests = new Counter({
    name: 'shelfmark_cache_requests_total',
    help: 'Planned queries by whether their outcome was cached (hit) or not (miss).',
    labelNames: ['outcome'],
    registers,
  })
  const payments = new Counter({
    name: 'shelfmark_payments_total',
    help: 'Payments presented, by network and outcome.',
    labelNames: ['network', 'outcome'],
    registers,
  })

  return {
    registry,
    cluster: addClusterMetrics(registry),
    /** Counts a request that has ended. */
    count({ query, cache, timings, payment }: CountedRequest, status: number, elapsed_ms: number): void {
      requests.inc({ query: query ?? 'other', status })
      seconds.observe({ group: query?.split('/')[0] ?? 'other' }, elapsed_ms / 1000)
      for (const step of steps) if (timings[step] !== undefined) stepSeconds[step]?.observe(timings[step] / 1000)
      if (cache) cacheRequests.inc({ outcome: cache })
      if (payment) payments.inc({ network: payment.network, outcome: payment.outcome })
    },
    /** Registers gauges of the queue and the cache. */
    addQueueAndCache(admission: QueueCounts, cache: CacheCounts): void {
      addMetrics(registry, [
        {
          name: 'shelfmark_queue_waiting',
          help: 'Queries that wait for a connection, by lane.',
          labelNames: ['lane'],
          read: () => admission.counts().waiting.map(({ lane, waiting }) => [waiting, { lane }]),
        },
        {
          name: 'shelfmark_queue_running',
          help: 'Queries that are running.',
          read: () => [[admission.counts().running]],
        },
        { name: 'shelfmark_cache_bytes', help: 'Bytes of cached answers.', read: () => [[cache.counts().bytes]] },
        {
          name: 'shelfmark_cache_entries',
          help: 'Cached answers and refusals.',
          read: () => [[cache.counts().entries]],
        },
      ])
    },
    /** Registers a gauge of the payments that are being settled. */
    addSettlements({ settlements }: { settlements(): Readonly<Record<string, number>> }): void {
      addMetrics(registry, [
        {
          name: 'shelfmark_settlements',
          help: 'Payments being settled in this process, and payments in doubt that wait in the journal.',
          labelNames: ['state'],
          read: () => Object.entries(settlements()).map(([state, count]) => [count, { state }]),
        },
      ])
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
