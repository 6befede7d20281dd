import type {
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from '@x402/core/types'

/**
 * Who checks x402 payments and brings them to their chain: the facilitator interface of x402, section 7, whose `GET
 * /supported`, `POST /verify` and `POST /settle` these are. A thrown error leaves the outcome unknown.
 */
export type Facilitator = {
  supported(): Promise<SupportedResponse>
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>
}

export type FacilitatorCall = keyof Facilitator

/**
 * How a call failed: the HTTP status of a refusal; `unreachable` without a connection, `timeout` without an answer in
 * time, `truncated` where the answer broke off, `malformed` where it is not what the interface promises, else `failed`.
 */
export type FailureKind = `${number}` | 'unreachable' | 'timeout' | 'truncated' | 'malformed' | 'failed'

const CREDENTIALS =
  'it refuses the credentials: check SHELFMARK_FACILITATOR_TOKEN, or SHELFMARK_CDP_KEY_ID and SHELFMARK_CDP_KEY_SECRET, and the clock'

const advice: Readonly<Record<string, string>> = {
  401: CREDENTIALS,
  402: 'its free quota is used up: see your account there',
  403: CREDENTIALS,
  404: 'it has no such address: check SHELFMARK_FACILITATOR_URL',
  429: 'it limits calls: retry later, or ask it for a higher limit',
  unreachable: 'it cannot be reached: check SHELFMARK_FACILITATOR_URL and the network',
  timeout: 'it did not answer in time: see its status page, or raise SHELFMARK_SETTLE_MS',
  truncated: 'its answer broke off: see its status page',
  malformed: 'its answer is not that of an x402 facilitator: check SHELFMARK_FACILITATOR_URL',
}

const adviceOn = (kind: FailureKind): string => {
  if (kind.startsWith('3')) return 'it has moved: check SHELFMARK_FACILITATOR_URL'
  return advice[kind] ?? 'see its status page'
}

/** A call that a facilitator did not answer. Its message says how to fix it, and repeats nothing that was sent or received. */
export class FacilitatorError extends Error {
  override readonly name = 'FacilitatorError'
  readonly kind: FailureKind

  constructor(call: FacilitatorCall, kind: FailureKind) {
    const answered = /^\d/.test(kind) ? `answers ${kind} to ${call}` : `fails to ${call}`
    super(`the facilitator ${answered}; ${adviceOn(kind)}`)
    this.kind = kind
  }
}
