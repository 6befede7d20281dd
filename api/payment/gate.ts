import type { SupportedKind } from '@x402/core/types'
import type { FastifyReply } from 'fastify'
import type { Answer } from '../cache.ts'
import type { Asked, Charge } from '../charge.ts'
import type { RateLimit } from '../limits.ts'
import { notReady } from '../problem.ts'
import { paymentRequired } from './challenge.ts'
import { readPayment } from './credential.ts'
import type { Entry, Journal } from './journal.ts'
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

/** Runs one step of a payment, whose time `Server-Timing` tells. */
const timed = async <T>({ timings }: Asked, step: 'verify' | 'settle', work: () => Promise<T>): Promise<T> => {
  const start = performance.now()
  return work().finally(() => {
    timings[step] = performance.now() - start
  })
}

/** Verifies payments; the same one at the same time once, so that repeating it is no work for a facilitator. */
const createVerify = () => {
  const underWay = new Map<string, Promise<void>>()
  const once = (payment: Payment, offer: Offer): Promise<void> => {
    const known = underWay.get(payment.header)
    if (known) return known
    const verified = payment.verify(offer).finally(() => underWay.delete(payment.header))
    underWay.set(payment.header, verified)
    return verified
  }
  return async (payment: Payment, offer: Offer, { request }: Asked): Promise<void> => {
    await payment.bind(offer)
    try {
      await once(payment, offer)
    } catch (error) {
      if (error instanceof PaymentError) throw error
      request.log.warn({ network: payment.network, reason: (error as Error).name }, 'payments cannot be verified')
      throw notReady(UNVERIFIED, RETRY_SECONDS)
    }
  }
}

/** Computes the answer and puts it aside before the payment may go to its chain; until then nothing was charged. */
const execute = async (entry: In<'claimed'>, compute: () => Promise<Answer>, journal: Journal, { request }: Asked) => {
  try {
    const answer = await compute()
    if (request.raw.socket.destroyed) throw new Error('the client left')
    const settling = { ...entry, state: 'settling', answer, receipt: null } as const
    await journal.record(settling)
    return settling
  } catch (error) {
    await journal.release(entry)
    throw error
  }
}

const settle = async (entry: In<'settling'>, payment: Payment, offer: Offer, journal: Journal, { request }: Asked) => {
  const { network } = payment
  try {
    const { transaction, receipt } = await payment.settle(offer)
    const settlement = { at: Date.now(), network, transaction, amount: offer.amount, payer: payment.payer }
    const settled = { ...entry, state: 'settled', receipt, settlement } as const
    await journal.record(settled)
    request.log.info({ network, amount: offer.amount }, 'paid')
    return settled
  } catch (error) {
    if (error instanceof PaymentError) {
      await journal.release(entry)
      throw error
    }
    await journal.suspend(entry)
    request.log.warn({ network, reason: (error as Error).name }, 'settlement in doubt')
    throw notReady(RETRY, RETRY_SECONDS)
  }
}

/** Marks the payment as delivered once the answer has left, and leaves it to a retry where the client did. */
const handOver = (entry: In<'settled'>, journal: Journal, reply: FastifyReply): Answer => {
  let isSent = false
  const end = () => {
    const isDelivered = isSent && reply.statusCode === 200
    const ended = isDelivered ? journal.record({ ...entry, state: 'delivered' }) : journal.suspend(entry)
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
 * goes on where it stopped: it is verified, executed and settled once.
 */
export const createGate = ({ rails, journal, kinds, base_url, takeToken }: Gate): Charge => {
  const verify = createVerify()
  return async (asked, compute) => {
    const { query, given, request, reply } = asked
    const offer = offerOf({ query, given, base_url: base_url(), kinds: await kinds() }, rails)
    try {
      const payment = await readPayment(request.raw.headersDistinct, rails)
      if (!payment) throw paymentRequired(offer, rails)
      const { key, alias, payer } = payment
      const [retry_key = null] = request.raw.headersDistinct['idempotency-key'] ?? []
      const spending = { key, alias, question: offer.question, retry_key }

      const isNew = !(await journal.knows(spending))
      if (isNew) {
        await timed(asked, 'verify', () => verify(payment, offer, asked))
        reply.headers(takeToken(payer))
      }
      const claim = await journal.claim(spending)
      if (claim.outcome === 'busy') throw notReady(BUSY, 1)
      if (claim.outcome !== 'held') throw new PaymentError('invalid-challenge', 'The payment was already used.')
      const { entry } = claim
      if (entry.state === 'claimed' && !isNew) {
        // The request that had it gave it up since, and this one is not verified: the next will be.
        await journal.release(entry)
        throw notReady(BUSY, 1)
      }

      const settling = entry.state === 'claimed' ? await execute(entry, compute, journal, asked) : entry
      const settled =
        settling.state === 'settling'
          ? await timed(asked, 'settle', () => settle(settling, payment, offer, journal, asked))
          : settling
      return handOver(settled, journal, reply)
    } catch (error) {
      throw error instanceof PaymentError ? paymentRequired(offer, rails, error) : error
    }
  }
}
