/** The receipt of a payment: its transaction, and further members. */
export type Proof = { transaction: string | null; [member: string]: unknown }

/** A header of x402. Equals what the functions of @x402/core make, which take ten times as long. */
export const encodeHeader = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** Reads the receipt of an answer, by x402 or MPP: base64 of JSON. A free answer has none. */
export const receiptOf = (headers: Headers): Proof => {
  const header = headers.get('payment-response') ?? headers.get('payment-receipt')
  if (!header) return { transaction: null }
  const { transaction, reference, ...others } = JSON.parse(Buffer.from(header, 'base64').toString())
  return { transaction: transaction ?? reference, ...others }
}
