import type { SupportedKind } from '@x402/core/types'
import type { FastifyReply } from 'fastify'
import type { Answer } from '../answer.ts'
import type { Asked, Charge } from '../charge.ts'
import { Cancelled } from '../deadline.ts'
import type { RateLimit } from '../limits.ts'
import { receiptOf } from '../pay/receipt.ts'
import { notReady } from '../problem.ts'
import { type PaymentOutcome, payerHash, timed } from '../trace.ts'
import { paymentRequired } from './challenge.ts'
import { readPayment } from './credential.ts'
import type { Entry, Journal, Receipt } from './journal.ts'
import { type Offer, offerOf } from './offer.ts'
import { type Payment, PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'

const RETRY = 'Whether it was settled is not known yet: send the same payment again, and make no other.'
const BUSY = 'This payment is at work in another request: send the same payment again.'
const UNVERIFIED = 'Payments cannot be verified just now; the payment was not used: send it again.'
const RETRY_SECONDS = 2

export type Gate = {
  rails: Rails
  journal: Journal
  /** What the facilitator serves now. */
  kinds(): Promise<readonly SupportedKind[]>
  /** The public address of the service. */
  base_url(): string
  takeToken: RateLimit
}

type In<State extends Entry['state']> = Extract<Entry, { state: State }>

/** How many calls to a network each step may take in a row; whether a payment was made is looked up where settling failed. */
const CALLS = { verify: 1, settle: 2 }

/** Waits for one step on a payment network, whose time `Server-Timing` tells. Throws TimedOut. */
const onNetwork = async <T>(
  { trace, deadline }: Asked,
  step: keyof typeof CALLS,
  settle_ms: number,
  work: () => Promise<T>,
): Promise<T> => timed(trace.timings, step, () => deadline.grant(CALLS[step] * settle_ms, work))

/** Notes what became of the payment of a request. */
const note = ({ trace }: Asked, outcome: PaymentOutcome, receipt: Receipt | null = null): void => {
  if (!trace.payment) return
  const { transaction } = receipt ? receiptOf(new Headers(receipt)) : { transaction: null }
  trace.payment = { ...trace.payment, outcome, transaction }
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
  return async (payment: Payment, offer: Offer, asked: Asked): Promise<void> => {
    const { request } = asked
    await payment.bind(offer)
    try {
      await onNetwork(asked, 'verify', settle_ms, () => once(payment, offer))
    } catch (error) {
      if (error instanceof PaymentError) throw error
      note(asked, 'unverified')
      request.log.warn({ network: payment.network, reason: (error as Error).name }, 'payments cannot be verified')
      throw notReady(UNVERIFIED, RETRY_SECONDS)
    }
  }
}

/** Computes the answer and puts it aside before the payment may go to its chain; until then nothing was charged. */
const execute = async (entry: In<'claimed'>, compute: () => Promise<Answer>, journal: Journal, { deadline }: Asked) => {
  try {
    const answer = await compute()
    if (deadline.signal.aborted) throw new Cancelled()
    const settling = { ...entry, state: 'settling', answer, receipt: null } as const
    await journal.record(settling)
    return settling
  } catch (error) {
    await journal.release(entry)
    throw error
  }
}

type Settling = { entry: In<'settling'>; payment: Payment; offer: Offer }

const settle = async ({ entry, payment, offer }: Settling, { journal, rails }: Gate, asked: Asked) => {
  const { network } = payment
  const { request } = asked
  try {
    const work = () => payment.settle(offer)
    const { transaction, receipt } = await onNetwork(asked, 'settle', rails.settle_ms, work)
    const settlement = { at: Date.now(), network, transaction, amount: offer.amount, payer: payment.payer }
    const settled = { ...entry, state: 'settled', receipt, settlement } as const
    await journal.record(settled)
    note(asked, 'settled', receipt)
    return settled
  } catch (error) {
    if (error instanceof PaymentError) {
      await journal.release(entry)
      throw error
    }
    await journal.suspend(entry)
    note(asked, 'in doubt')
    request.log.warn({ network, reason: (error as Error).name }, 'settlement in doubt')
    throw notReady(RETRY, RETRY_SECONDS)
  }
}

/** Marks the payment as delivered once the answer has left, and leaves it to a retry where the client did. */
const handOver = (entry: In<'settled'>, journal: Journal, reply: FastifyReply): Answer => {
  let isSent = false
  const record = () => journal.record({ ...entry, state: 'delivered', delivered_at: Date.now() })
  const end = () => {
    const isDelivered = isSent && reply.statusCode === 200
    const ended = isDelivered ? record() : journal.suspend(entry)
    ended.catch((error) => reply.log.error({ err: error }, 'fault'))
  }
  if (reply.raw.destroyed) end()
  else
    reply.raw
      .once('finish', () => {
        isSent = true
      })
      .once('close', end)
  reply.headers(entry.receipt)
  return entry.answer
}

/**
 * The order of a payment: bind to the question, verify, claim, execute, settle, release the body. Nothing but a settled
 * payment releases one; a refusal, a failure of ours or a client that left costs nothing. A payment that was seen before
 * goes on where it stopped: it is verified, executed and settled once. Its answer is sent again for ten minutes
 * after delivery, in case it was lost on the way.
 */
export const createGate = (gate: Gate): Charge => {
  const { rails, journal, kinds, base_url, takeToken } = gate
  const verify = createVerify(rails.settle_ms)
  return async (asked, compute) => {
    const { query, given, request, reply } = asked
    const offer = offerOf({ query, given, base_url: base_url(), kinds: await kinds() }, rails)
    const acceptPayment = request.raw.headersDistinct['accept-payment']?.join(',')
    let payment: Payment | null = null
    try {
      payment = await readPayment(request.raw.headersDistinct, rails)
      if (!payment) throw paymentRequired(offer, rails, acceptPayment)
      const { key, alias, payer, network } = payment
      asked.trace.payment = { network, payer: payerHash(payer), outcome: 'not used', transaction: null }
      const [retry_key = null] = request.raw.headersDistinct['idempotency-key'] ?? []
      const spending = { key, alias, question: offer.question, retry_key }

      const isNew = !(await journal.knows(spending))
      if (isNew) {
        await verify(payment, offer, asked)
        reply.headers(takeToken(payer))
      }
      const claim = await journal.claim(spending)
      if (claim.outcome === 'busy') throw notReady(BUSY, 1)
      if (claim.outcome === 'replayed') {
        const { answer, receipt } = claim.entry
        note(asked, 'replayed', receipt)
        reply.headers({ ...receipt, 'idempotent-replayed': 'true' })
        return answer
      }
      if (claim.outcome !== 'held') throw new PaymentError('invalid-challenge', 'The payment was already used.')
      const { entry } = claim
      if (entry.state === 'claimed' && !isNew) {
        // The request that had it gave it up since, and this one is not verified: the next will be.
        await journal.release(entry)
        throw notReady(BUSY, 1)
      }

      const settling = entry.state === 'claimed' ? await execute(entry, compute, journal, asked) : entry
      const settled =
        settling.state === 'settling' ? await settle({ entry: settling, payment, offer }, gate, asked) : settling
      if (entry.state === 'settled') note(asked, 'replayed', entry.receipt)
      return handOver(settled, journal, reply)
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      note(asked, 'refused')
      throw paymentRequired(offer, rails, acceptPayment, { error, network: payment?.network ?? null })
    }
  }
}
