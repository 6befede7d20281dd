import type { FastifyReply } from 'fastify'
import type { Answer } from '../answer.ts'
import type { QueryRequest } from '../charge.ts'
import { Cancelled } from '../deadline.ts'
import { receiptOf } from '../pay/receipt.ts'
import { type PaymentOutcome, timed } from '../trace.ts'
import type { In, Journal, Receipt, Spending } from './journal.ts'

/** Waits for one step on a payment network, whose time `Server-Timing` tells. Throws TimedOut. */
export const onNetwork = async <T>(
  { trace, deadline }: QueryRequest,
  step: 'verify' | 'settle',
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> => timed(trace.timings, step, () => deadline.grant(milliseconds, work))

/** Waits for work until the client has left. Throws Cancelled then; the work is not stopped. */
export const untilLeft = async <T>({ request }: QueryRequest, work: () => Promise<T>): Promise<T> => {
  const { socket } = request.raw
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(new Cancelled())
    socket.once('close', leave)
    if (socket.destroyed) leave()
  })
  try {
    return await Promise.race([work(), left])
  } finally {
    socket.off('close', leave)
  }
}

/** Notes what became of the payment of a request. */
export const note = ({ trace }: QueryRequest, outcome: PaymentOutcome, receipt: Receipt | null = null): void => {
  if (!trace.payment) return
  const { transaction } = receipt ? receiptOf(new Headers(receipt)) : { transaction: null }
  trace.payment = { ...trace.payment, outcome, transaction }
}

const REPLAYED = { 'idempotent-replayed': 'true' }

/** Sends an answer again that was delivered before. */
export const replay = (
  { answer, receipt }: { answer: Answer; receipt: Receipt },
  queryRequest: QueryRequest,
): Answer => {
  note(queryRequest, 'replayed', receipt)
  queryRequest.reply.headers({ ...receipt, ...REPLAYED })
  return answer
}

/**
 * Hands over the answer of a payment, to the later one of the same payer where there is one: marks it as delivered once
 * the answer has left, and leaves it to a retry where the client did.
 */
export const handOver = (
  entry: In<'settled'>,
  later: Pick<Spending, 'key' | 'retry_key'> | null,
  journal: Journal,
  reply: FastifyReply,
): Answer => {
  let isSent = false
  const retry_key = entry.retry_key ?? later?.retry_key ?? null
  const handed = { retry_key, handed_to: later?.key ?? null, delivered_at: Date.now() }
  const end = () => {
    const isDelivered = isSent && reply.statusCode === 200
    const ended = isDelivered ? journal.record({ ...entry, ...handed, state: 'delivered' }) : journal.suspend(entry)
    ended.catch((error) => reply.log.error({ err: error }, 'fault'))
  }
  if (reply.raw.destroyed) end()
  else
    reply.raw
      .once('finish', () => {
        isSent = true
      })
      .once('close', end)
  reply.headers({ ...entry.receipt, ...(later ? REPLAYED : {}) })
  return entry.answer
}
