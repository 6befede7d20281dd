import { decodePaymentResponseHeader } from '@x402/core/http'
import { Receipt } from 'mppx'

/** What proves a payment: the transaction on its chain, and what else the service says of it. */
export type Proof = { transaction: string | null; [member: string]: unknown }

/** Reads the receipt of an answer, of x402 or of MPP. An answer that cost nothing has none. */
export const receiptOf = (headers: Headers): Proof => {
  const x402 = headers.get('payment-response')
  if (x402) return { ...decodePaymentResponseHeader(x402) }
  const mpp = headers.get('payment-receipt')
  if (!mpp) return { transaction: null }
  const { reference, ...receipt } = Receipt.deserialize(mpp)
  return { transaction: reference, ...receipt }
}
