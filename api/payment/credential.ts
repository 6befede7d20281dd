import type { Credential } from 'mppx'
import { Refusal } from '../http/problem.ts'
import type { Sent } from './journal.ts'
import { readCredential, readMpp } from './mpp.ts'
import type { Payment } from './payment.ts'
import type { Rails } from './rails.ts'
import type { SessionPayment, Sessions } from './sessions/sessions.ts'
import { readX402 } from './x402.ts'

type RequestHeaders = Readonly<Record<string, string[] | undefined>>

const X402 = ['payment-signature', 'x-payment']
const MPP = ['authorization', 'payment-authorization']

const SCHEME = /(?:^|,)\s*payment\s+/gi

/** The header with the only payment of a request; null if there is none. Throws INVALID_PARAMS if there are several. */
const paymentHeader = (headers: RequestHeaders) => {
  const x402 = X402.flatMap((name) => headers[name] ?? [])
  const mpp = MPP.flatMap((name) => headers[name] ?? []).filter((value) => value.match(SCHEME))
  const credentials = x402.length + mpp.flatMap((value) => value.match(SCHEME) ?? []).length
  if (credentials > 1) throw new Refusal('INVALID_PARAMS', 'The request has several payments; send one, in one header.')
  const [signature] = x402
  const [authorization] = mpp
  return { signature, authorization }
}

/**
 * The payment in the headers of a request; null if there is none. Throws INVALID_PARAMS if there are several, and
 * PaymentError if it is malformed or matches no offer.
 */
export const readPayment = async (headers: RequestHeaders, rails: Rails): Promise<Payment | null> => {
  const { signature, authorization } = paymentHeader(headers)
  if (signature !== undefined) return readX402(signature, rails)
  return authorization === undefined ? null : readMpp(authorization, rails)
}

/** The credential of a session of MPP in the headers of a request; null if there is none. */
export const readSessionCredential = (headers: RequestHeaders): Credential.Credential | null => {
  const { authorization } = paymentHeader(headers)
  const credential = authorization === undefined ? null : readCredential(authorization)
  return credential?.challenge.intent === 'session' ? credential : null
}

/** The payment from a session in the headers of a request; null if there is none. */
export const readSessionPayment = (headers: RequestHeaders, sessions: Sessions): SessionPayment | null => {
  const { signature } = paymentHeader(headers)
  if (signature !== undefined) return sessions.ofX402(signature)
  const credential = readSessionCredential(headers)
  return credential && sessions.ofMpp(credential)
}

/** Reads a payment from a journal again. Throws PaymentError if its network is not accepted. */
export const readSent = async ({ network, credential }: Sent, rails: Rails): Promise<Payment> =>
  network === 'tempo' ? readMpp(credential, rails, true) : readX402(credential, rails)
