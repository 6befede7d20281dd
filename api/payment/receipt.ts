/** The receipt of a payment: its transaction, and further members. */
export type Proof = { transaction: string | null; [member: string]: unknown }

/** Reads the receipt of an answer, by x402 or MPP: base64 of JSON. A free answer has none. */
export const receiptOf = (headers: Headers): Proof => {
  const header = headers.get('payment-response') ?? headers.get('payment-receipt')
  if (!header) return { transaction: null }
  const { transaction, reference, ...others } = JSON.parse(Buffer.from(header, 'base64').toString())
  return { transaction: transaction ?? reference, ...others }
}
