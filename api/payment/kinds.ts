import { setTimeout as sleep } from 'node:timers/promises'
import type { SupportedKind } from '@x402/core/types'
import type { Facilitator } from './facilitator.ts'
import type { FacilitatorHealth } from './facilitator-health.ts'

/** How often the facilitator is asked what it supports: normally, and while it is down. */
const KINDS_MS = 600_000
const RETRY_MS = 5000
/** How long a request waits for the facilitator's first answer; after that only the other networks are offered. */
const WAIT_MS = 2000

/**
 * The payment kinds that a facilitator supports, cached; none until it has answered once. A call while it is down asks it
 * again.
 */
export const createKinds = (facilitator: Facilitator, health: FacilitatorHealth, now = () => performance.now()) => {
  let kinds: readonly SupportedKind[] = []
  let asked = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    asked = now()
    const supported = await facilitator.supported().catch(() => null)
    if (supported) kinds = supported.kinds
    asking = undefined
  }
  return async (): Promise<readonly SupportedKind[]> => {
    if (now() >= asked + (health.state === 'down' ? RETRY_MS : KINDS_MS)) asking ??= ask()
    // Only the first who ask must wait.
    if (kinds.length === 0 && asking) await Promise.race([asking, sleep(WAIT_MS, undefined, { ref: false })])
    return kinds
  }
}
