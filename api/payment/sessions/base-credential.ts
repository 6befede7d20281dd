import { isDeepStrictEqual } from 'node:util'
import type { PaymentRequirements } from '@x402/core/types'
import { type Hex, isAddressEqual } from 'viem'
import { z } from 'zod'
import { readJson } from '../../../engine/index.ts'
import type { PaymentOffer } from '../offer.ts'
import { PaymentError } from '../payment.ts'
import { channelIdOf, isSignedBy, SCHEME } from './base-channel.ts'
import type { BaseSession, Voucher } from './session.ts'

/** The codes of the scheme, by which its clients know what to do. */
const codeOf = (name: string): string => `invalid_batch_settlement_evm_${name}`
/** Clients then take the sum from `channelState`, or from the chain without one. */
export const OUT_OF_SYNC = codeOf('cumulative_amount_mismatch')
export const FORGED_VOUCHER = codeOf('voucher_signature')

export const refusal = (name: string, message: string): PaymentError =>
  new PaymentError('verification-failed', message, { reason: codeOf(name) })

const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`))
    .transform((text) => text.toLowerCase() as Hex)

/** Of 128 bits. */
const MAX_SUM = 2n ** 128n - 1n
const sum = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt)
  .refine((amount) => amount <= MAX_SUM)

const config = z.object({
  payer: hex(20),
  payerAuthorizer: hex(20),
  receiver: hex(20),
  receiverAuthorizer: hex(20),
  token: hex(20),
  withdrawDelay: z.int(),
  salt: hex(32),
})
const signed = {
  channelConfig: config,
  voucher: z.object({
    channelId: hex(32),
    maxClaimableAmount: sum,
    signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/),
  }),
}

/** What a client sends: a deposit with the first voucher, a voucher, or the wish to close the channel. */
const payloadSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('deposit'),
    ...signed,
    deposit: z.object({
      amount: sum.refine((amount) => amount > 0n),
      authorization: z.object({
        erc3009Authorization: z.object({ validAfter: sum, validBefore: sum, salt: hex(32) }),
      }),
    }),
  }),
  z.object({ type: z.literal('voucher'), ...signed }),
  z.object({ type: z.literal('refund'), ...signed, amount: sum.optional() }),
])

type BasePayload = z.output<typeof payloadSchema>

const credentialSchema = z.object({
  x402Version: z.literal(2),
  payload: z.record(z.string(), z.unknown()),
  accepted: z.looseObject({ scheme: z.literal(SCHEME), network: z.string() }),
  resource: z.object({ url: z.string() }).nullish(),
})

export type BaseCredential = {
  network: string
  url: string | null
  /** What the client sent, and the same checked. */
  sent: Record<string, unknown>
  payload: BasePayload
}

/** The payment of a header, if it is of the scheme; null otherwise. Throws PaymentError if it is malformed. */
export const readBasePayment = (header: string): BaseCredential | null => {
  const credential = credentialSchema.safeParse(readJson(Buffer.from(header, 'base64').toString())).data
  if (!credential) return null
  const payload = payloadSchema.safeParse(credential.payload).data
  if (!payload)
    throw new PaymentError(
      'malformed-credential',
      'The payload must be a deposit by EIP-3009, a voucher or a refund of the scheme batch-settlement.',
    )
  const { accepted, resource, payload: sent } = credential
  return { network: accepted.network, url: resource?.url ?? null, sent, payload }
}

/** Checks a channel against the terms of an offer. Throws PaymentError. */
export const requireTerms = (
  { network, url, payload }: BaseCredential,
  offer: PaymentOffer,
  terms: PaymentRequirements,
): void => {
  const { receiver, receiverAuthorizer, token, withdrawDelay, payerAuthorizer } = payload.channelConfig
  const { extra } = terms
  if (network !== terms.network)
    throw refusal('network_mismatch', 'The payment is for another network; choose an offer.')
  if (url !== null && url !== offer.url)
    throw new PaymentError('verification-failed', 'The payment is for another resource; pay an offer for this one.')
  if (!isAddressEqual(receiver, terms.payTo as Hex))
    throw refusal('receiver_mismatch', 'The channel is not to the payee of the offer.')
  if (!isAddressEqual(receiverAuthorizer, extra.receiverAuthorizer as Hex))
    throw refusal('receiver_authorizer_mismatch', 'The channel has another receiverAuthorizer than the offer.')
  if (!isAddressEqual(token, terms.asset as Hex))
    throw refusal('token_mismatch', 'The channel has another token than the offer.')
  if (withdrawDelay !== extra.withdrawDelay)
    throw refusal('withdraw_delay_mismatch', 'The channel has another withdrawDelay than the offer.')
  if (BigInt(payerAuthorizer) === 0n)
    throw refusal('voucher_signature', 'The channel must have a payerAuthorizer, whose key signs its vouchers.')
}

export const voucherOf = ({ payload: { voucher } }: BaseCredential): Voucher => ({
  cumulativeAmount: voucher.maxClaimableAmount,
  signature: voucher.signature as Hex,
})

/** Checks that a voucher is of its channel, and signed for it. Throws PaymentError. */
export const requireVoucher = async (
  sent: BaseCredential,
  session: BaseSession | null,
  chain_id: number,
): Promise<void> => {
  const { channelConfig, voucher } = sent.payload
  const isSame = session !== null && isDeepStrictEqual(session.config, channelConfig)
  if (!isSame && channelIdOf(channelConfig, chain_id) !== voucher.channelId)
    throw refusal('channel_id_mismatch', 'The channelId is not that of the channelConfig.')
  if (!(await isSignedBy(channelConfig.payerAuthorizer, voucher.channelId, voucherOf(sent), chain_id)))
    throw new PaymentError('verification-failed', 'The voucher is not signed by the payerAuthorizer of its channel.', {
      reason: FORGED_VOUCHER,
    })
}
