/** What proves a payment: the transaction on its chain, and what else the service says of it. */
export type Proof = { transaction: string | null; [member: string]: unknown }

/** Reads the receipt of an answer, of x402 or of MPP: base64 of JSON. An answer that cost nothing has none. */
export const receiptOf = (headers: Headers): Proof => {
  const header = headers.get('payment-response') ?? headers.get('payment-receipt')
  if (!header) return { transaction: null }
  const { transaction, reference, ...others } = JSON.parse(Buffer.from(header, 'base64').toString())
  return { transaction: transaction ?? reference, ...others }
}
