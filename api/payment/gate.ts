import { createHash } from 'node:crypto'
import type { SerializedAnswer } from '../http/answer.ts'
import type { Charge, ChargedRequest } from '../http/charge.ts'
import { Cancelled } from '../http/deadline.ts'
import { clientOf } from '../http/limits.ts'
import { notReady } from '../http/problem.ts'
import { payerHash } from '../http/trace.ts'
import { paymentRequired, type RefusedPayment } from './challenge.ts'
import type { PaymentContext } from './context.ts'
import { readPayment, readSessionPayment } from './credential.ts'
import { answerFromEarlier, UNVERIFIED } from './earlier.ts'
import { handOver, onNetwork, recordOutcome, replay, untilDisconnected } from './hand-over.ts'
import type { In, Spending } from './journal.ts'
import { offerOf, type PaymentOffer } from './offer.ts'
import { type Payment, PaymentError } from './payment.ts'
import { retryKeyOf } from './retry-key.ts'
import { type Session, VoucherTooLow } from './sessions/session.ts'
import type { SessionPayment } from './sessions/sessions.ts'
import type { Settling } from './settler.ts'

const IN_DOUBT =
  'The payment is in doubt and is being settled in the background. Retry with it, or with a new payment of the same ' +
  'payer, which is not charged if this one is settled.'
const BUSY = 'This payment is being processed by another request; retry with the same payment.'
const UNPROVEN =
  'The payment was presented before, and anybody can copy it from its chain: repeat it with the extra of the offer that ' +
  'it accepted or with its Idempotency-Key, or make a new one, which is not used if an answer is owed.'
const FULL = 'Too many payments are being settled; the payment was not used: retry with the same payment.'
/** What a payment costs of its client's rate that its payer's key did not sign, or that asks a node. */
const UNSIGNED_TOKENS = 10
const RETRY_SECONDS = 2
const FULL_SECONDS = 5

/** Verifies payments; concurrent requests with the same payment share one call to the facilitator. */
const createVerify = (settle_ms: number) => {
  const inProgress = new Map<string, Promise<void>>()
  const once = (payment: Payment, offer: PaymentOffer): Promise<void> => {
    const pending = inProgress.get(payment.header)
    if (pending) return pending
    const verified = payment.verify(offer).finally(() => inProgress.delete(payment.header))
    inProgress.set(payment.header, verified)
    return verified
  }
  return async (payment: Payment, offer: PaymentOffer, charged: ChargedRequest): Promise<void> => {
    const { request } = charged
    await payment.bind(offer)
    try {
      // The signature, by a node where only it knows, then the facilitator: each call ends by itself.
      await onNetwork(charged, 'verify', 2 * settle_ms, () => once(payment, offer))
    } catch (error) {
      if (error instanceof PaymentError) throw error
      recordOutcome(charged, 'unverified')
      request.log.warn({ network: payment.network, reason: (error as Error).name }, 'payments cannot be verified')
      throw notReady(UNVERIFIED, RETRY_SECONDS)
    }
  }
}

/** Computes and records the answer before the payment is sent to its chain; until then nothing is charged. */
const execute = async (
  entry: In<'claimed'>,
  { payment, offer }: Omit<Settling, 'entry'>,
  compute: () => Promise<SerializedAnswer>,
  { journal }: PaymentContext,
  { deadline }: ChargedRequest,
): Promise<In<'settling'>> => {
  try {
    const answer = await compute()
    if (deadline.signal.aborted) throw new Cancelled()
    const sent = { since: Date.now(), network: payment.network, credential: payment.header, offer }
    const settling: In<'settling'> = { ...entry, state: 'settling', answer, sent }
    await journal.record(settling)
    return settling
  } catch (error) {
    await journal.release(entry)
    throw error
  }
}

const settle = async (
  settling: Settling,
  { settler, rails }: PaymentContext,
  charged: ChargedRequest,
): Promise<In<'settled'>> => {
  const { network } = settling.payment
  try {
    const settled = await settler.settleFor(settling, (work) =>
      onNetwork(charged, 'settle', 2 * rails.settle_ms, () => untilDisconnected(charged, work)),
    )
    recordOutcome(charged, 'settled', settled.receipt)
    return settled
  } catch (error) {
    if (error instanceof PaymentError) throw error
    recordOutcome(charged, 'in doubt')
    charged.request.log.warn({ network, reason: (error as Error).name }, 'settlement in doubt')
    throw notReady(IN_DOUBT, RETRY_SECONDS)
  }
}

/**
 * The steps of a payment: bind to the query, verify, claim, execute, settle, release the body. Only a settled payment
 * releases one; a refusal, a failure of the service or a disconnect costs nothing. A payment that was presented before
 * continues where it stopped: it is verified, executed and settled once. Its answer is sent again for ten minutes after
 * delivery, in case it was lost in transit. A new payment of a payer who is owed the answer is not used.
 */
export const createGate = (context: PaymentContext): Charge => {
  const { rails, journal, settler, sessions, kinds, base_url, takeToken, takeClientToken } = context
  const verify = createVerify(rails.settle_ms)

  /** Refuses a forged payment without a call to the facilitator; a check that needs a node counts against the client's rate. */
  const requireSignature = async (payment: Payment, charged: ChargedRequest): Promise<void> => {
    const signature = await payment.signature()
    if (signature === 'valid') return
    const { request, reply } = charged
    reply.headers(takeClientToken(clientOf(request.ip), undefined, UNSIGNED_TOKENS))
    if (signature === 'forged') throw new PaymentError('verification-failed', 'The payment is not signed by its payer.')
  }

  /** The answer of an earlier payment; null if this one is verified and may buy it. */
  const admit = async (
    payment: Payment,
    offer: PaymentOffer,
    spending: Spending,
    charged: ChargedRequest,
  ): Promise<SerializedAnswer | null> => {
    await payment.bind(offer)
    await requireSignature(payment, charged)
    const answer = await answerFromEarlier(payment, spending, context, charged)
    if (answer) return answer
    if (settler.isFull()) throw notReady(FULL, FULL_SECONDS)
    await verify(payment, offer, charged)
    charged.reply.headers(takeToken(payment.payer))
    return null
  }

  return async (charged, compute) => {
    const { sale, resolved_product, request, reply } = charged
    const supported = await kinds()
    const offer = offerOf({ sale, base_url: base_url(), kinds: supported }, rails)
    const acceptPayment = request.raw.headersDistinct['accept-payment']?.join(',')
    let payment: Payment | null = null
    const required = (refused: RefusedPayment | null, missed?: Session) => {
      const offered = sessions?.offersOf(offer, supported, missed) ?? null
      return paymentRequired(offer, rails, { acceptPayment, resolved_product, sessions: offered, refused })
    }
    let session: SessionPayment | null = null
    try {
      session = sessions && readSessionPayment(request.raw.headersDistinct, sessions)
      if (session?.asksNode) reply.headers(takeClientToken(clientOf(request.ip), undefined, UNSIGNED_TOKENS))
      if (session) return await session.pay(offer, charged, compute)
      payment = await readPayment(request.raw.headersDistinct, rails)
      if (!payment) throw required(null)
      const { key, alias, payer, network } = payment
      charged.trace.payment = { network, payer: payerHash(payer), outcome: 'not used', transaction: null }
      const retry_key = retryKeyOf(request, payment)
      const secret_hash = payment.secret && createHash('sha256').update(payment.secret).digest('base64url')
      const spending = { key, alias, question: offer.question, payer: `${network}/${payer}`, retry_key, secret_hash }

      const background = settler.background(key)
      if (background) await onNetwork(charged, 'settle', rails.settle_ms, () => background).catch(() => {})
      const isNew = !(await journal.has(spending))
      if (isNew) {
        const answer = await admit(payment, offer, spending, charged)
        if (answer) return answer
      }
      const claim = await journal.claim(spending)
      if (claim.outcome === 'busy') throw notReady(BUSY, 1)
      if (claim.outcome === 'replayed') return replay(claim.entry, charged)
      if (claim.outcome === 'unproven') throw new PaymentError('invalid-challenge', UNPROVEN)
      if (claim.outcome !== 'held')
        throw new PaymentError('invalid-challenge', 'The payment was already used; make a new one.')
      const { entry } = claim
      if (entry.state === 'claimed' && !isNew) {
        // The request that claimed it gave up, and this one is not verified: the next one will be.
        await journal.release(entry)
        throw notReady(BUSY, 1)
      }

      const settling =
        entry.state === 'claimed' ? await execute(entry, { payment, offer }, compute, context, charged) : entry
      const settled =
        settling.state === 'settling' ? await settle({ entry: settling, payment, offer }, context, charged) : settling
      if (entry.state === 'settled') recordOutcome(charged, 'replayed', entry.receipt)
      return handOver(settled, null, journal, reply)
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      recordOutcome(charged, 'refused')
      if (session?.isCostly(error)) reply.headers(takeClientToken(clientOf(request.ip), undefined, UNSIGNED_TOKENS))
      const network = session?.network ?? payment?.network ?? null
      const refused = { error, network, code: session?.codeOf(error) ?? null }
      throw required(refused, error instanceof VoucherTooLow ? error.session : undefined)
    }
  }
}
