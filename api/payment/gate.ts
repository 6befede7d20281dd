import type { SupportedKind } from '@x402/core/types'
import type { Answer } from '../answer.ts'
import type { Charge, QueryRequest } from '../charge.ts'
import { Cancelled } from '../deadline.ts'
import type { RateLimit } from '../limits.ts'
import { notReady } from '../problem.ts'
import { payerHash } from '../trace.ts'
import { paymentRequired } from './challenge.ts'
import { readPayment } from './credential.ts'
import { answerFromEarlier } from './earlier.ts'
import { handOver, note, onNetwork, replay, untilLeft } from './hand-over.ts'
import type { In, Journal, Spending } from './journal.ts'
import { type Offer, offerOf } from './offer.ts'
import { type Payment, PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'
import { retryKeyOf } from './retry-key.ts'
import type { Settler, Settling } from './settler.ts'

const IN_DOUBT =
  'Whether the payment was made is not known yet; it is settled in the background. Ask again with it or with a new ' +
  'payment of the same payer, which is not charged once this one is settled.'
const BUSY = 'This payment is being processed by another request: retry with it.'
const UNVERIFIED = 'Payments cannot be verified just now; the payment was not used: retry with it.'
const FULL = 'Too many settlements are open; the payment was not used: retry with it.'
const RETRY_SECONDS = 2
const FULL_SECONDS = 5

export type Gate = {
  rails: Rails
  journal: Journal
  settler: Settler
  /** What the facilitator serves now. */
  kinds(): Promise<readonly SupportedKind[]>
  /** The public address of the service. */
  base_url(): string
  takeToken: RateLimit
}

/** Verifies payments; the same one at the same time once, so that repeating it is no work for a facilitator. */
const createVerify = (settle_ms: number) => {
  const underWay = new Map<string, Promise<void>>()
  const once = (payment: Payment, offer: Offer): Promise<void> => {
    const known = underWay.get(payment.header)
    if (known) return known
    const verified = payment.verify(offer).finally(() => underWay.delete(payment.header))
    underWay.set(payment.header, verified)
    return verified
  }
  return async (payment: Payment, offer: Offer, queryRequest: QueryRequest): Promise<void> => {
    const { request } = queryRequest
    await payment.bind(offer)
    try {
      await onNetwork(queryRequest, 'verify', settle_ms, () => once(payment, offer))
    } catch (error) {
      if (error instanceof PaymentError) throw error
      note(queryRequest, 'unverified')
      request.log.warn({ network: payment.network, reason: (error as Error).name }, 'payments cannot be verified')
      throw notReady(UNVERIFIED, RETRY_SECONDS)
    }
  }
}

/** Computes the answer and puts it aside before the payment may go to its chain; until then nothing was charged. */
const execute = async (
  entry: In<'claimed'>,
  { payment, offer }: Omit<Settling, 'entry'>,
  compute: () => Promise<Answer>,
  { journal }: Gate,
  { deadline }: QueryRequest,
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
  { settler, rails }: Gate,
  queryRequest: QueryRequest,
): Promise<In<'settled'>> => {
  const { network } = settling.payment
  try {
    const settled = await settler.settleFor(settling, (work) =>
      onNetwork(queryRequest, 'settle', 2 * rails.settle_ms, () => untilLeft(queryRequest, work)),
    )
    note(queryRequest, 'settled', settled.receipt)
    return settled
  } catch (error) {
    if (error instanceof PaymentError) throw error
    note(queryRequest, 'in doubt')
    queryRequest.request.log.warn({ network, reason: (error as Error).name }, 'settlement in doubt')
    throw notReady(IN_DOUBT, RETRY_SECONDS)
  }
}

/**
 * The order of a payment: bind to the question, verify, claim, execute, settle, release the body. Nothing but a settled
 * payment releases one; a refusal, a failure of ours or a client that left costs nothing. A payment that was seen before
 * goes on where it stopped: it is verified, executed and settled once. Its answer is sent again for ten minutes
 * after delivery, in case it was lost on the way. A new payment of somebody who is owed the answer is not used.
 */
export const createGate = (gate: Gate): Charge => {
  const { rails, journal, settler, kinds, base_url, takeToken } = gate
  const verify = createVerify(rails.settle_ms)

  /** The answer of an earlier payment, null where this one is verified and may buy it. */
  const admit = async (
    payment: Payment,
    offer: Offer,
    spending: Spending,
    queryRequest: QueryRequest,
  ): Promise<Answer | null> => {
    await payment.bind(offer)
    const answer = await answerFromEarlier(payment, spending, gate, queryRequest)
    if (answer) return answer
    if (settler.isFull()) throw notReady(FULL, FULL_SECONDS)
    await verify(payment, offer, queryRequest)
    queryRequest.reply.headers(takeToken(payment.payer))
    return null
  }

  return async (queryRequest, compute) => {
    const { query, given, request, reply } = queryRequest
    const offer = offerOf({ query, given, base_url: base_url(), kinds: await kinds() }, rails)
    const acceptPayment = request.raw.headersDistinct['accept-payment']?.join(',')
    let payment: Payment | null = null
    try {
      payment = await readPayment(request.raw.headersDistinct, rails)
      if (!payment) throw paymentRequired(offer, rails, acceptPayment)
      const { key, alias, payer, network } = payment
      queryRequest.trace.payment = { network, payer: payerHash(payer), outcome: 'not used', transaction: null }
      const retry_key = retryKeyOf(request, payment)
      const spending = { key, alias, question: offer.question, payer: `${network}/${payer}`, retry_key }

      const background = settler.background(key)
      if (background) await onNetwork(queryRequest, 'settle', rails.settle_ms, () => background).catch(() => {})
      const isNew = !(await journal.knows(spending))
      if (isNew) {
        const answer = await admit(payment, offer, spending, queryRequest)
        if (answer) return answer
      }
      const claim = await journal.claim(spending)
      if (claim.outcome === 'busy') throw notReady(BUSY, 1)
      if (claim.outcome === 'replayed') return replay(claim.entry, queryRequest)
      if (claim.outcome !== 'held') throw new PaymentError('invalid-challenge', 'The payment was already used.')
      const { entry } = claim
      if (entry.state === 'claimed' && !isNew) {
        // The request that had it gave it up since, and this one is not verified: the next will be.
        await journal.release(entry)
        throw notReady(BUSY, 1)
      }

      const settling =
        entry.state === 'claimed' ? await execute(entry, { payment, offer }, compute, gate, queryRequest) : entry
      const settled =
        settling.state === 'settling' ? await settle({ entry: settling, payment, offer }, gate, queryRequest) : settling
      if (entry.state === 'settled') note(queryRequest, 'replayed', entry.receipt)
      return handOver(settled, null, journal, reply)
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      note(queryRequest, 'refused')
      throw paymentRequired(offer, rails, acceptPayment, { error, network: payment?.network ?? null })
    }
  }
}
