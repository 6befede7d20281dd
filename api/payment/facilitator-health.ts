import type { FastifyBaseLogger } from 'fastify'
import type { Metric } from 'prom-client'
import { type Facilitator, type FacilitatorCall, FacilitatorError, type FailureKind } from './facilitator.ts'
import { createFacilitatorMetrics } from './facilitator-metrics.ts'
import type { Networks } from './networks.ts'

/** How a call ended: `ok` where the facilitator answered it, be it with a refusal of a payment. */
export type CallOutcome = 'ok' | FailureKind

/** How a facilitator has answered so far, for readiness. */
export type FacilitatorHealth = {
  /** By the last call: `up` where it ended ok; `unknown` before the first. */
  state: 'unknown' | 'up' | 'down'
  /** Why it is down, and how to fix it; null while it is not. */
  reason: string | null
  /** Calls so far, by how they ended. */
  calls: Record<FacilitatorCall, Partial<Record<CallOutcome, number>>>
}

type Watched = { facilitator: Facilitator; health: FacilitatorHealth; metrics: readonly Metric[] }

/** A facilitator whose calls are counted and whose failures are logged. Nothing of a payment, a credential or an answer is. */
export const watchFacilitator = (
  facilitator: Facilitator,
  { base }: Networks,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): Watched => {
  const health: FacilitatorHealth = { state: 'unknown', reason: null, calls: { supported: {}, verify: {}, settle: {} } }
  const { metrics, count } = createFacilitatorMetrics(health)

  const watch = async <T>(call: FacilitatorCall, network: string, answer: Promise<T>): Promise<T> => {
    const start = performance.now()
    const end = (outcome: CallOutcome): void => {
      health.calls[call][outcome] = (health.calls[call][outcome] ?? 0) + 1
      count(call, network, outcome, performance.now() - start)
    }
    try {
      const answered = await answer
      end('ok')
      if (health.state === 'down') log.info({ call }, 'the facilitator answers again')
      health.state = 'up'
      health.reason = null
      return answered
    } catch (error) {
      const failure = error instanceof FacilitatorError ? error : new FacilitatorError(call, 'failed')
      end(failure.kind)
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
