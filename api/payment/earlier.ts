import { setTimeout as sleep } from 'node:timers/promises'
import type { SerializedAnswer } from '../http/answer.ts'
import type { ChargedRequest } from '../http/charge.ts'
import { notReady } from '../http/problem.ts'
import type { PaymentContext } from './context.ts'
import { handOver, onNetwork, recordOutcome, replay } from './hand-over.ts'
import type { Entry, Spending } from './journal.ts'
import type { Payment } from './payment.ts'
import { reusedKey } from './retry-key.ts'
import type { Settler } from './settler.ts'

/** The refusal of a payment that cannot be verified now. */
export const UNVERIFIED =
  'Payments cannot be verified at the moment; the payment was not used: retry with the same payment.'
const OWED =
  'An earlier payment for this answer is not settled yet; this one was not used. Retry with it or a new one: once the ' +
  'earlier one is settled it pays for the answer.'
const RETRY_SECONDS = 2

/** How often to check whether another request has finished with a payment, in milliseconds. */
const POLL_MS = 250

/** Finishes an earlier payment, or waits for the request that holds it, until the time is up. Returns its entry. */
const finish = async (
  first: Entry,
  find: () => Promise<Entry | null>,
  settler: Settler,
  milliseconds: number,
): Promise<Entry | null> => {
  const deadline = performance.now() + milliseconds
  let earlier = first
  while (!(await settler.attempt(earlier.key)) && performance.now() < deadline) {
    await sleep(POLL_MS)
    const payment = await find()
    if (!payment || payment.state === 'delivered') return payment
    earlier = payment
  }
  return find()
}

/**
 * The answer that an earlier payment of the same payer bought; the new payment is then not used. Null if there is none,
 * so that the new one must pay. The payer must have signed the new one: nobody else gets the answer. Throws if the
 * earlier one is not settled yet, or has the same retry key for another query.
 */
export const answerFromEarlier = async (
  payment: Payment,
  spending: Spending,
  { journal, settler, rails, takeToken }: PaymentContext,
  charged: ChargedRequest,
): Promise<SerializedAnswer | null> => {
  const { request, reply } = charged
  const find = (): Promise<Entry | null> => journal.earlier(spending)
  let earlier = await find()
  if (!earlier) return null
  const isProven = await onNetwork(charged, 'verify', rails.settle_ms, () => payment.isProven()).catch(() => {
    recordOutcome(charged, 'unverified')
    throw notReady(UNVERIFIED, RETRY_SECONDS)
  })
  if (!isProven) return null
  reply.headers(takeToken(payment.payer))

  const isOther = ({ question }: Entry): boolean => question !== spending.question
  if (earlier.state === 'claimed' || (earlier.state !== 'delivered' && !isOther(earlier))) {
    const first = earlier
    const work = () => finish(first, find, settler, rails.settle_ms)
    earlier = await onNetwork(charged, 'settle', rails.settle_ms, work).catch(find)
    if (!earlier) return null
  }
  if (isOther(earlier)) throw reusedKey(request)
  if (earlier.state === 'delivered') {
    const { answer, receipt } = earlier
    return answer && replay({ answer, receipt }, charged)
  }
  const entry = earlier.state === 'settled' ? await journal.takeUp(earlier.key) : null
  if (entry?.state === 'settled') {
    recordOutcome(charged, 'replayed', entry.receipt)
    return handOver(entry, spending, journal, reply)
  }
  throw notReady(OWED, RETRY_SECONDS)
}
