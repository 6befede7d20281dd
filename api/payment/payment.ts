import type { Receipt } from './journal.ts'
import type { PaymentOffer } from './offer.ts'

/** Why a payment was refused: the problem types of draft-httpauth-payment-00. */
export type PaymentFault =
  | 'malformed-credential'
  | 'invalid-challenge'
  | 'payment-expired'
  | 'payment-insufficient'
  | 'verification-failed'

const REASONS: Readonly<Record<PaymentFault, string>> = {
  'malformed-credential': 'invalid_payload',
  'invalid-challenge': 'invalid_challenge',
  'payment-expired': 'payment_expired',
  'payment-insufficient': 'invalid_amount',
  'verification-failed': 'verification_failed',
}

/** A refused payment: nothing was charged, and a new challenge follows. Its message is safe to send. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly fault: PaymentFault
  /** The fault as an x402 error code, such as `insufficient_funds`. */
  readonly reason: string
  /** The transaction that was mined and reverted; empty if there is none. */
  readonly transaction: string

  constructor(fault: PaymentFault, message: string, { reason = REASONS[fault], transaction = '' } = {}) {
    super(message)
    this.fault = fault
    this.reason = reason
    this.transaction = transaction
  }
}

/** A payment whose outcome is unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** A settled payment: its transaction, and its receipt as response headers. */
export type Settled = { transaction: string; receipt: Receipt }

/** `unknown`: not by the key of the payer, who may be a contract that accepts other signatures. */
export type SignatureState = 'valid' | 'unknown' | 'forged'

/** A payment as sent by its client: well formed, on an accepted network, not yet verified. */
export type Payment = {
  network: 'base' | 'solana' | 'tempo'
  /** The header as sent. */
  header: string
  /** Identifies what is spent; independent of the encoding of the header. */
  key: string
  /** A second such identifier, if there is one. */
  alias: string | null
  payer: string
  /** The name of the purchase in the payment, like an `Idempotency-Key`; null without one. */
  retry_key: string | null
  /** What the 402 handed to the payer and no chain shows; null if the payment does not return it. */
  secret: string | null
  /** Checks it against an offer: query, amount, payee and validity period. Throws PaymentError. */
  bind(offer: PaymentOffer): Promise<void> | void
  /** Whether its payer signed it, as far as that can be seen without asking anybody. */
  signature(): Promise<SignatureState>
  /**
   * Checks that it can be settled, or was already. Throws PaymentError, or another error if it cannot be verified now.
   */
  verify(offer: PaymentOffer): Promise<void>
  /**
   * Whether the payer signed it recently: anybody can copy an older payment from the chain. Throws if this cannot be
   * checked now.
   */
  isProven(): Promise<boolean>
  /**
   * Settles it on its chain; idempotent. It was first sent `since`, in Unix milliseconds. Throws PaymentError if it was
   * not made and never will be, else OutcomeUnknown.
   */
  settle(offer: PaymentOffer, since: number): Promise<Settled>
}
