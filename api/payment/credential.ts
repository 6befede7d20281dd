import { Refusal } from '../problem.ts'
import type { Sent } from './journal.ts'
import { readMpp } from './mpp.ts'
import type { Payment } from './payment.ts'
import type { Rails } from './rails.ts'
import { readX402 } from './x402.ts'

type Headers = Readonly<Record<string, string[] | undefined>>

const X402 = ['payment-signature', 'x-payment']
const MPP = ['authorization', 'payment-authorization']

const SCHEME = /(?:^|,)\s*payment\s+/gi

/**
 * The payment that a request carries, in whichever header; null where it carries none. Throws INVALID_PARAMS where there
 * are several, since only one could be meant, and PaymentError where it is malformed or of no offer of ours.
 */
export const readPayment = async (headers: Headers, rails: Rails): Promise<Payment | null> => {
  const x402 = X402.flatMap((name) => headers[name] ?? [])
  const mpp = MPP.flatMap((name) => headers[name] ?? []).filter((value) => value.match(SCHEME))
  const credentials = x402.length + mpp.flatMap((value) => value.match(SCHEME) ?? []).length
  if (credentials > 1) throw new Refusal('INVALID_PARAMS', 'Send one payment, in one header.')
  const [signature] = x402
  const [authorization] = mpp
  if (signature !== undefined) return readX402(signature, rails)
  return authorization === undefined ? null : readMpp(authorization, rails)
}

/** A payment that was sent before, read again from a journal. Throws PaymentError where its network is not accepted any more. */
export const readSent = async ({ network, credential }: Sent, rails: Rails): Promise<Payment> =>
  network === 'tempo' ? readMpp(credential, rails, true) : readX402(credential, rails)
