import { Challenge, Credential } from 'mppx'
import { ToolError } from './client.ts'

/** Members of `_meta` by which x402 and MPP carry payments over this protocol. */
const X402_PAYMENT = 'x402/payment'
const X402_RESPONSE = 'x402/payment-response'
const MPP_CREDENTIAL = 'org.paymentauth/credential'
const MPP_REQUIRED = 'org.paymentauth/payment-required'
const MPP_RECEIPT = 'org.paymentauth/receipt'

/** As long as headers of the service may be. */
const MAX_HEADER_LENGTH = 16_384

type CallMeta = Readonly<Record<string, unknown>>

const header = (name: string, text: string): Record<string, string> => {
  if (text.length > MAX_HEADER_LENGTH) throw new ToolError('INVALID_PARAMS', `_meta: the payment is too long`)
  return { [name]: text }
}

const credentialOf = (value: unknown): string => {
  try {
    return Credential.serialize(value as Credential.Credential)
  } catch {
    throw new ToolError('INVALID_PARAMS', `_meta: ${MPP_CREDENTIAL}: expected a credential with challenge and payload`)
  }
}

/** The payment in the `_meta` of a call as headers of a request. */
export const paymentHeaders = (meta: CallMeta): Record<string, string> => ({
  ...(meta[X402_PAYMENT] === undefined
    ? {}
    : header('payment-signature', Buffer.from(JSON.stringify(meta[X402_PAYMENT])).toString('base64'))),
  ...(meta[MPP_CREDENTIAL] === undefined ? {} : header('authorization', credentialOf(meta[MPP_CREDENTIAL]))),
})

const decoded = (text: string | null): Record<string, unknown> | undefined =>
  text === null ? undefined : JSON.parse(Buffer.from(text, 'base64').toString())

/** The receipts of a paid answer, as `_meta` of the result. */
export const receiptMeta = (headers: Headers): Record<string, unknown> | undefined => {
  const x402 = decoded(headers.get('payment-response'))
  const mpp = decoded(headers.get('payment-receipt'))
  return x402 || mpp ? { ...(x402 && { [X402_RESPONSE]: x402 }), ...(mpp && { [MPP_RECEIPT]: mpp }) } : undefined
}

/** A 402 as the error of a tool: the offers of both protocols, and what to send instead. */
export const paymentRequired = (headers: Headers, body: string, path: string): ToolError => {
  const { error } = JSON.parse(body) as { error: { code: string; message: string; details: Record<string, unknown> } }
  const required = decoded(headers.get('payment-required'))
  const challenge = headers.get('www-authenticate')
  const { url } = (required?.resource ?? { url: path }) as { url: string }
  const message =
    `${error.message} It costs ${error.details.price} USD. Pay in _meta["${X402_PAYMENT}"] or ` +
    `_meta["${MPP_CREDENTIAL}"] of the call, or GET ${url} with a client of x402 or MPP.`
  return new ToolError(error.code, message, error.details, {
    ...(required ? { content: { ...required, error: message } } : {}),
    ...(challenge
      ? { meta: { [MPP_REQUIRED]: { httpStatus: 402, challenges: Challenge.deserializeList(challenge) } } }
      : {}),
  })
}
