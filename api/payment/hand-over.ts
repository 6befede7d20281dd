import type { FastifyReply } from 'fastify'
import type { SerializedAnswer } from '../http/answer.ts'
import type { ChargedRequest } from '../http/charge.ts'
import { Cancelled } from '../http/deadline.ts'
import { type PaymentOutcome, timed } from '../http/trace.ts'
import type { In, Journal, Receipt, Spending } from './journal.ts'
import { receiptOf } from './receipt.ts'

/** Waits for one step on a payment network, whose time `Server-Timing` lists. Throws TimedOut. */
export const onNetwork = async <T>(
  { trace, deadline }: ChargedRequest,
  step: 'verify' | 'settle',
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> => timed(trace.timings, step, () => deadline.grant(milliseconds, work))

/** Waits for work. Throws Cancelled if the client disconnects; the work is not stopped. */
export const untilDisconnected = async <T>({ request }: ChargedRequest, work: () => Promise<T>): Promise<T> => {
  const { socket } = request.raw
  let leave = () => {}
  const disconnected = new Promise<never>((_, reject) => {
    leave = () => reject(new Cancelled())
    socket.once('close', leave)
    if (socket.destroyed) leave()
  })
  try {
    return await Promise.race([work(), disconnected])
  } finally {
    socket.off('close', leave)
  }
}

/** Records the outcome of the payment of a request. */
export const recordOutcome = (
  { trace }: ChargedRequest,
  outcome: PaymentOutcome,
  receipt: Receipt | null = null,
): void => {
  if (!trace.payment) return
  const { transaction } = receipt ? receiptOf(new Headers(receipt)) : { transaction: null }
  trace.payment = { ...trace.payment, outcome, transaction }
}

const REPLAYED = { 'idempotent-replayed': 'true' }

/** Sends an answer that was delivered before. */
export const replay = (
  { answer, receipt }: { answer: SerializedAnswer; receipt: Receipt },
  charged: ChargedRequest,
): SerializedAnswer => {
  recordOutcome(charged, 'replayed', receipt)
  charged.reply.headers({ ...receipt, ...REPLAYED })
  return answer
}

/**
 * Hands over the answer of a payment, or hands it to a later payment of the same payer if there is one. Marks it as
 * delivered when the answer was sent, and leaves it to a retry if the client disconnected.
 */
export const handOver = (
  entry: In<'settled'>,
  later: Pick<Spending, 'key' | 'retry_key'> | null,
  journal: Journal,
  reply: FastifyReply,
): SerializedAnswer => {
  let isSent = false
  const retry_key = entry.retry_key ?? later?.retry_key ?? null
  const handed = { retry_key, handed_to: later?.key ?? null, delivered_at: Date.now() }
  const finish = () => {
    const isDelivered = isSent && reply.statusCode === 200
    const ended = isDelivered ? journal.record({ ...entry, ...handed, state: 'delivered' }) : journal.suspend(entry)
    ended.catch((error) => reply.log.error({ err: error }, 'fault'))
  }
  if (reply.raw.destroyed) finish()
  else
    reply.raw
      .once('finish', () => {
        isSent = true
      })
      .once('close', finish)
  reply.headers({ ...entry.receipt, ...(later ? REPLAYED : {}) })
  return entry.answer
}
