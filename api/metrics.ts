import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Admission } from './admission.ts'
import type { Cache } from './cache.ts'
import type { Payments } from './payment/payments.ts'
import type { Trace } from './trace.ts'

const steps = ['plan', 'wait', 'run', 'verify', 'settle'] as const

/** From half a millisecond, what is in memory, to what payment networks may take. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What the service counts, in the registry that `/metrics` shows. */
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
    help: 'Seconds from a request to its answer, by group.',
    labelNames: ['group'],
    buckets: SECONDS,
    registers,
  })
  const stepSeconds = Object.fromEntries(
    steps.map((step) => [
      step,
      new Histogram({
        name: `shelfmark_${step}_seconds`,
        help: `Seconds that requests spent in the step "${step}".`,
        buckets: SECONDS,
        registers,
      }),
    ]),
  )
  const cacheRequests = new Counter({
    name: 'shelfmark_cache_requests_total',
    help: 'Planned queries by whether their outcome was kept (hit) or not (miss).',
    labelNames: ['outcome'],
    registers,
  })
  const payments = new Counter({
    name: 'shelfmark_payments_total',
    help: 'Payments presented, by network and what became of them.',
    labelNames: ['network', 'outcome'],
    registers,
  })

  return {
    registry,
    /** Counts a request that has ended. */
    count({ query, cache, timings, payment }: Trace, status: number, elapsed_ms: number): void {
      requests.inc({ query: query ?? 'other', status })
      seconds.observe({ group: query?.split('/')[0] ?? 'other' }, elapsed_ms / 1000)
      for (const step of steps) if (timings[step] !== undefined) stepSeconds[step]?.observe(timings[step] / 1000)
      if (cache) cacheRequests.inc({ outcome: cache })
      if (payment) payments.inc({ network: payment.network, outcome: payment.outcome })
    },
    /** Shows how much waits, runs and is kept whenever the metrics are read. */
    watch(admission: Admission, cache: Cache): void {
      new Gauge({
        name: 'shelfmark_queue_waiting',
        help: 'Queries that wait for a connection, by lane.',
        labelNames: ['lane'],
        registers,
        collect() {
          for (const { lane, waiting } of admission.counts().waiting) this.set({ lane }, waiting)
        },
      })
      new Gauge({
        name: 'shelfmark_queue_running',
        help: 'Queries that run now.',
        registers,
        collect() {
          this.set(admission.counts().running)
        },
      })
      new Gauge({
        name: 'shelfmark_cache_bytes',
        help: 'Bytes of the answers that are kept.',
        registers,
        collect() {
          this.set(cache.counts().bytes)
        },
      })
      new Gauge({
        name: 'shelfmark_cache_entries',
        help: 'Answers and refusals that are kept.',
        registers,
        collect() {
          this.set(cache.counts().entries)
        },
      })
    },
    /** Shows how many payments are being settled whenever the metrics are read. */
    watchSettlements({ settlements }: Payments): void {
      new Gauge({
        name: 'shelfmark_settlements',
        help: 'Payments whose settlement is under way in this process, and those in doubt in the journal that wait for it.',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(settlements())) this.set({ state }, count)
        },
      })
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
