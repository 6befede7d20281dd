import { Counter, Gauge, Histogram, type Metric } from 'prom-client'
import { BUCKETS_SECONDS } from '../ops/metric.ts'
import type { CallOutcome, FacilitatorCall, FacilitatorHealth } from './facilitator.ts'

const STATES: readonly FacilitatorHealth['state'][] = ['unknown', 'up', 'down']

/** Metrics of the calls to a facilitator, to be added to a registry. */
export const createFacilitatorMetrics = (health: FacilitatorHealth) => {
  const registers: [] = []
  const calls = new Counter({
    name: 'shelfmark_facilitator_calls_total',
    help: 'Calls to the facilitator by operation, network ("all" for supported) and outcome: "ok", even if it refused a payment, the status of a failure, or why there was none.',
    labelNames: ['operation', 'network', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'shelfmark_facilitator_call_seconds',
    help: 'Seconds that calls to the facilitator took, by operation and network.',
    labelNames: ['operation', 'network'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const state = new Gauge({
    name: 'shelfmark_facilitator_state',
    help: '1 for the current state of the facilitator, as in /readyz.',
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
