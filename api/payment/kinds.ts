import { setTimeout as sleep } from 'node:timers/promises'
import type { SupportedKind } from '@x402/core/types'
import type { Facilitator } from './facilitator.ts'
import type { FacilitatorHealth } from './facilitator-health.ts'

/** What a facilitator serves is asked again after so long, and while it is down, after less. */
const KINDS_MS = 600_000
const RETRY_MS = 5000
/** So long a request waits for a facilitator that has not answered yet: other networks are offered without it. */
const WAIT_MS = 2000

/**
 * What a facilitator serves, kept for a while. Nothing while it has never answered: its networks are not offered then.
 * Asking while it is down finds out whether it still is.
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
