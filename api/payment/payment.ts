import type { Receipt } from './journal.ts'
import type { Offer } from './offer.ts'

/** Why a payment was not taken: the problem types of draft-httpauth-payment-00. */
export type Fault =
  | 'malformed-credential'
  | 'invalid-challenge'
  | 'payment-expired'
  | 'payment-insufficient'
  | 'verification-failed'

const REASONS: Readonly<Record<Fault, string>> = {
  'malformed-credential': 'invalid_payload',
  'invalid-challenge': 'invalid_challenge',
  'payment-expired': 'payment_expired',
  'payment-insufficient': 'invalid_amount',
  'verification-failed': 'verification_failed',
}

/** A payment that is not taken: nothing was charged, and a fresh challenge follows. Its message is safe to send. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly fault: Fault
  /** The fault in a word of x402, such as `insufficient_funds`. */
  readonly reason: string
  /** The transaction that was mined and reverted; empty where none was. */
  readonly transaction: string

  constructor(fault: Fault, message: string, { reason = REASONS[fault], transaction = '' } = {}) {
    super(message)
    this.fault = fault
    this.reason = reason
    this.transaction = transaction
  }
}

/** A payment of which nobody can tell yet whether it was made. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** A settled payment: its transaction, and the response headers that prove it. */
export type Settled = { transaction: string; receipt: Receipt }

/** A payment as its client sent it: well formed, by a protocol and on a network of ours, not yet verified. */
export type Payment = {
  network: 'base' | 'solana' | 'tempo'
  /** As it was sent. */
  header: string
  /** What is spent, by meaning and never by bytes of a header. */
  key: string
  /** A second such thing, where there are two. */
  alias: string | null
  payer: string
  /** The name of the purchase in the payment itself, like an `Idempotency-Key`; null without one. */
  retry_key: string | null
  /** Holds it to an offer: right question, amount, payee, and neither expired nor too early. Throws PaymentError. */
  bind(offer: Offer): Promise<void> | void
  /** Whether it can be settled, or was already. Throws PaymentError, or another error if it cannot be verified now. */
  verify(offer: Offer): Promise<void>
  /**
   * Whether the payer signed it recently: an older payment can be copied from the chain by anybody. Throws if this cannot
   * be checked now.
   */
  isProven(): Promise<boolean>
  /**
   * Brings it to its chain, once however often it is called; it was first sent `since`, in Unix milliseconds. Throws
   * PaymentError where it was not made and will not be, else OutcomeUnknown.
   */
  settle(offer: Offer, since: number): Promise<Settled>
}
