import type { FastifyBaseLogger } from 'fastify'
import { type Facilitator, type FacilitatorCall, FacilitatorError, type FailureKind } from './facilitator.ts'

/** How a facilitator has answered so far, for readiness and metrics. */
export type FacilitatorHealth = {
  /** By the last call: `up` where it answered, be it with a refusal of a payment; `unknown` before the first. */
  state: 'unknown' | 'up' | 'down'
  /** Why it is down, and how to fix it; null while it is not. */
  reason: string | null
  /** Calls so far, by how they ended. */
  calls: Record<FacilitatorCall, Partial<Record<'answered' | FailureKind, number>>>
}

/** A facilitator whose failures are counted and logged. Nothing of a payment, a credential or an answer is. */
export const watchFacilitator = (
  facilitator: Facilitator,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): { facilitator: Facilitator; health: FacilitatorHealth } => {
  const health: FacilitatorHealth = { state: 'unknown', reason: null, calls: { supported: {}, verify: {}, settle: {} } }

  const count = (call: FacilitatorCall, end: 'answered' | FailureKind): void => {
    health.calls[call][end] = (health.calls[call][end] ?? 0) + 1
  }
  const watch = async <T>(call: FacilitatorCall, answer: Promise<T>): Promise<T> => {
    try {
      const answered = await answer
      count(call, 'answered')
      if (health.state === 'down') log.info({ call }, 'the facilitator answers again')
      health.state = 'up'
      health.reason = null
      return answered
    } catch (error) {
      const failure = error instanceof FacilitatorError ? error : new FacilitatorError(call, 'failed')
      count(call, failure.kind)
      health.state = 'down'
      health.reason = failure.message
      log.warn({ call, failure: failure.kind }, failure.message)
      throw error
    }
  }

  return {
    health,
    facilitator: {
      supported: () => watch('supported', facilitator.supported()),
      verify: (...payment) => watch('verify', facilitator.verify(...payment)),
      settle: (...payment) => watch('settle', facilitator.settle(...payment)),
    },
  }
}
