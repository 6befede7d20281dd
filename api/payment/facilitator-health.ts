import type { FastifyBaseLogger } from 'fastify'
import type { Metric } from 'prom-client'
import type { Networks } from '../ops/networks.ts'
import {
  type CallOutcome,
  type Facilitator,
  type FacilitatorCall,
  FacilitatorError,
  type FacilitatorHealth,
} from './facilitator.ts'
import { createFacilitatorMetrics } from './facilitator-metrics.ts'

type WatchedFacilitator = { facilitator: Facilitator; health: FacilitatorHealth; metrics: readonly Metric[] }

/** Wraps a facilitator to count its calls and log its failures, without payments, credentials or answers. */
export const watchFacilitator = (
  facilitator: Facilitator,
  { base }: Networks,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): WatchedFacilitator => {
  const health: FacilitatorHealth = { state: 'unknown', reason: null, calls: { supported: {}, verify: {}, settle: {} } }
  const { metrics, count } = createFacilitatorMetrics(health)

  const watch = async <T>(call: FacilitatorCall, network: string, answer: Promise<T>): Promise<T> => {
    const start = performance.now()
    const report = (outcome: CallOutcome): void => {
      health.calls[call][outcome] = (health.calls[call][outcome] ?? 0) + 1
      count(call, network, outcome, performance.now() - start)
    }
    try {
      const answered = await answer
      report('ok')
      if (health.state === 'down') log.info({ call }, 'the facilitator answers again')
      health.state = 'up'
      health.reason = null
      return answered
    } catch (error) {
      const failure = error instanceof FacilitatorError ? error : new FacilitatorError(call, 'failed')
      report(failure.kind)
      health.state = 'down'
      health.reason = failure.message
      log.warn({ call, failure: failure.kind }, failure.message)
      throw error
    }
  }
  const nameOf = (caip2: string): string => (caip2 === base.caip2 ? 'base' : 'solana')

  return {
    health,
    metrics,
    facilitator: {
      supported: () => watch('supported', 'all', facilitator.supported()),
      verify: (payload, requirements) =>
        watch('verify', nameOf(requirements.network), facilitator.verify(payload, requirements)),
      settle: (payload, requirements) =>
        watch('settle', nameOf(requirements.network), facilitator.settle(payload, requirements)),
    },
  }
}
