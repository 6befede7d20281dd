import { setTimeout as sleep } from 'node:timers/promises'
import type { SupportedKind } from '@x402/core/types'
import type { Facilitator, FacilitatorHealth } from './facilitator.ts'

/** How often the list is fetched from the facilitator: normally, and while it is down. */
const KINDS_MS = 600_000
const RETRY_MS = 5000
/** How long a request waits for the first list; after that only the other networks are offered. */
const WAIT_MS = 2000

/**
 * The payment kinds that a facilitator supports, cached; none until it has answered once. While it is down, calls fetch
 * them again.
 */
export const createKinds = (facilitator: Facilitator, health: FacilitatorHealth, now = () => performance.now()) => {
  let kinds: readonly SupportedKind[] = []
  let fetched_at = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined
  const fetchKinds = async (): Promise<void> => {
    fetched_at = now()
    const supported = await facilitator.supported().catch(() => null)
    if (supported) kinds = supported.kinds
    fetching = undefined
  }
  return async (): Promise<readonly SupportedKind[]> => {
    if (now() >= fetched_at + (health.state === 'down' ? RETRY_MS : KINDS_MS)) fetching ??= fetchKinds()
    // Only the first requests must wait.
    if (kinds.length === 0 && fetching) await Promise.race([fetching, sleep(WAIT_MS, undefined, { ref: false })])
    return kinds
  }
}
