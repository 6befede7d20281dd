import type {
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from '@x402/core/types'

/**
 * Verifies x402 payments and settles them on their chain: the facilitator interface of x402, section 7, with `GET
 * /supported`, `POST /verify` and `POST /settle`. A thrown error leaves the outcome unknown.
 */
export type Facilitator = {
  supported(): Promise<SupportedResponse>
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>
}

export type FacilitatorCall = keyof Facilitator

/**
 * How a call failed: the HTTP status of a refusal; `unreachable` without a connection, `timeout` without an answer in
 * time, `truncated` if the answer broke off, `malformed` if it does not follow the interface, else `failed`.
 */
export type FailureKind = `${number}` | 'unreachable' | 'timeout' | 'truncated' | 'malformed' | 'failed'

/** How a call ended: `ok` if the facilitator answered it, even by refusing a payment. */
export type CallOutcome = 'ok' | FailureKind

/** The health of a facilitator, for readiness. */
export type FacilitatorHealth = {
  /** By the last call: `up` if it ended ok; `unknown` before the first. */
  state: 'unknown' | 'up' | 'down'
  /** Why it is down, and how to fix it; null otherwise. */
  reason: string | null
  /** Calls so far, by how they ended. */
  calls: Record<FacilitatorCall, Partial<Record<CallOutcome, number>>>
}

const CREDENTIALS =
  'it refuses the credentials: check SHELFMARK_FACILITATOR_TOKEN, or SHELFMARK_CDP_KEY_ID and SHELFMARK_CDP_KEY_SECRET, and the clock'

const advice: Readonly<Record<string, string>> = {
  401: CREDENTIALS,
  402: 'its free quota is used up: see your account there',
  403: CREDENTIALS,
  404: 'the address does not exist: check SHELFMARK_FACILITATOR_URL',
  429: 'it limits calls: retry later, or request a higher limit',
  unreachable: 'it cannot be reached: check SHELFMARK_FACILITATOR_URL and the network',
  timeout: 'it did not answer in time: see its status page, or raise SHELFMARK_SETTLE_MS',
  truncated: 'its answer broke off: see its status page',
  malformed: 'its answer is not that of an x402 facilitator: check SHELFMARK_FACILITATOR_URL',
}

const adviceOn = (kind: FailureKind): string => {
  if (kind.startsWith('3')) return 'it has moved: check SHELFMARK_FACILITATOR_URL'
  return advice[kind] ?? 'see its status page'
}

/** A failed call to a facilitator. Its message says how to fix it, and contains nothing that was sent or received. */
export class FacilitatorError extends Error {
  override readonly name = 'FacilitatorError'
  readonly kind: FailureKind

  constructor(call: FacilitatorCall, kind: FailureKind) {
    const answered = /^\d/.test(kind) ? `answers ${kind} to ${call}` : `does not complete ${call}`
    super(`the facilitator ${answered}; ${adviceOn(kind)}`)
    this.kind = kind
  }
}
