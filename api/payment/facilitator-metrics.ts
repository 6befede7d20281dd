import { Counter, Gauge, Histogram, type Metric } from 'prom-client'
import { SECONDS } from '../metrics.ts'
import type { FacilitatorCall } from './facilitator.ts'
import type { CallOutcome, FacilitatorHealth } from './facilitator-health.ts'

const STATES: readonly FacilitatorHealth['state'][] = ['unknown', 'up', 'down']

/** What is counted of calls to a facilitator, for a registry to show. */
export const createFacilitatorMetrics = (health: FacilitatorHealth) => {
  const registers: [] = []
  const calls = new Counter({
    name: 'shelfmark_facilitator_calls_total',
    help: 'Calls to the facilitator by operation, network ("all" for supported) and outcome: "ok", also where it refused a payment, the status of a failure, or why there was none.',
    labelNames: ['operation', 'network', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'shelfmark_facilitator_call_seconds',
    help: 'Seconds that calls to the facilitator took, by operation and network.',
    labelNames: ['operation', 'network'],
    buckets: SECONDS,
    registers,
  })
  const state = new Gauge({
    name: 'shelfmark_facilitator_state',
    help: 'Whether the facilitator answered the last call, as /readyz shows it: 1 for the state it is in.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const name of STATES) this.set({ state: name }, health.state === name ? 1 : 0)
    },
  })
  return {
    metrics: [calls, seconds, state] as readonly Metric[],
    count(operation: FacilitatorCall, network: string, outcome: CallOutcome, elapsed_ms: number): void {
      calls.inc({ operation, network, outcome })
      seconds.observe({ operation, network }, elapsed_ms / 1000)
    },
  }
}
