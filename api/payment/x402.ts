import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { z } from 'zod'
import { readJson } from '../../engine/index.ts'
import { notReady } from '../http/problem.ts'
import type { Networks } from '../ops/networks.ts'
import { readExactEvm } from './exact-evm.ts'
import { readExactSvm } from './exact-svm.ts'
import type { Receipt } from './journal.ts'
import type { PaymentOffer } from './offer.ts'
import { OutcomeUnknown, type Payment, PaymentError } from './payment.ts'
import { paymentIdOf } from './payment-identifier.ts'
import type { Rails } from './rails.ts'
import { encodeHeader } from './receipt.ts'
import { takeSecret } from './resend-secret.ts'

const UNSERVED =
  'Payments on this network cannot be taken at the moment; the payment was not used: retry with the same payment.'
const UNSERVED_SECONDS = 5
/** How often a receipt that a node does not have yet is requested. */
const POLL_MS = 250

const payload = z.record(z.string(), z.unknown())
const v2Schema = z.object({
  x402Version: z.literal(2),
  payload,
  accepted: z.looseObject({ scheme: z.literal('exact'), network: z.string() }),
  resource: z.object({ url: z.string() }).nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
})
const v1Schema = z.object({ x402Version: z.literal(1), scheme: z.literal('exact'), network: z.string(), payload })

/** A credential of either version of the protocol. */
type Credential = {
  version: 1 | 2
  /** The network as that version writes it. */
  network: string
  payload: Record<string, unknown>
  accepted: Record<string, unknown> | null
  url: string | null
  extensions: Record<string, unknown> | null
}

const networkOf = (name: string, { base, solana }: Networks): 'base' | 'solana' | null => {
  if (name === base.caip2 || name === base.v1) return 'base'
  return name === solana.caip2 || name === solana.v1 ? 'solana' : null
}

/** `PAYMENT-SIGNATURE` of version 2 or `X-PAYMENT` of version 1: base64 of JSON. */
const readCredential = (header: string): Credential => {
  const json = readJson(Buffer.from(header, 'base64').toString())
  const v2 = v2Schema.safeParse(json).data
  if (v2) {
    const { accepted, payload, resource, extensions } = v2
    return {
      version: 2,
      network: accepted.network,
      payload,
      accepted,
      url: resource?.url ?? null,
      extensions: extensions ?? null,
    }
  }
  const v1 = v1Schema.safeParse(json).data
  if (!v1)
    throw new PaymentError('malformed-credential', 'The payment header must be base64 of an x402 payment payload.')
  return { version: 1, network: v1.network, payload: v1.payload, accepted: null, url: null, extensions: null }
}

const isSnakeCase = (reason: string | undefined): reason is string => /^[a-z][a-z0-9_]{1,79}$/.test(reason ?? '')

/** A refusal with the facilitator's reason if that is a plain code: longer texts may contain the payment. */
export const refused = (message: string, code: string | undefined, transaction = ''): PaymentError => {
  const reason = isSnakeCase(code) ? code : undefined
  return new PaymentError('verification-failed', `${message}${reason ? ` (${reason})` : ''}.`, { reason, transaction })
}

/**
 * Whether a failed settlement is final: the payment itself is invalid, or its transaction was mined and reverted. A
 * facilitator that is out of gas, uncertain or still settling it may yet bring it to the chain.
 */
export const isFinal = ({ errorReason = '', transaction }: SettleResponse): boolean =>
  transaction !== ''
    ? errorReason !== 'settlement_pending'
    : /^(invalid_|insufficient_|transaction_simulation_failed)/.test(errorReason) &&
      !/transaction_failed$/.test(errorReason)

const receiptOf = (version: 1 | 2, response: SettleResponse): Receipt => ({
  [version === 1 ? 'x-payment-response' : 'payment-response']: encodeHeader(response),
})

/** Reads an x402 payment of version 2 or 1. Throws PaymentError if the header is malformed or for another network. */
export const readX402 = (header: string, rails: Rails): Payment => {
  const credential = readCredential(header)
  const network = networkOf(credential.network, rails.networks)
  const account = network && rails.accounts[network]
  const { facilitator } = rails
  if (!network || !account || !facilitator)
    throw new PaymentError('verification-failed', 'Payments on that network are not accepted; choose an offer.')
  const transfer = (network === 'base' ? readExactEvm : readExactSvm)(credential.payload, account.rpc, rails)

  const { accepted, secret } = takeSecret(credential.accepted)

  const requirementsOf = ({ accepts }: PaymentOffer): PaymentRequirements => {
    const served = accepts.find((offered) => offered.network === rails.networks[network].caip2)
    if (!served) throw notReady(UNSERVED, UNSERVED_SECONDS)
    return served
  }
  /** Waits for the receipt of a transaction that the facilitator names: a node may be a block behind. */
  const isMadeBy = async (transaction: string, requirements: PaymentRequirements): Promise<boolean> => {
    const deadline = performance.now() + rails.settle_ms
    for (;;) {
      const isMade = await transfer.isMadeBy(transaction, requirements)
      if (isMade !== null || performance.now() > deadline) return isMade === true
      await sleep(POLL_MS)
    }
  }
  const payloadFor = ({ url }: PaymentOffer, accepted: PaymentRequirements): PaymentPayload => ({
    x402Version: 2,
    payload: credential.payload,
    accepted,
    resource: { url },
    ...(credential.extensions ? { extensions: credential.extensions } : {}),
  })

  return {
    network,
    header,
    key: transfer.key,
    alias: null,
    payer: transfer.payer,
    retry_key: paymentIdOf(credential.extensions),
    secret,
    async bind(offer) {
      const requirements = requirementsOf(offer)
      if (credential.url !== null && credential.url !== offer.url)
        throw new PaymentError('verification-failed', 'The payment is for another resource; pay an offer for this one.')
      if (accepted && !isDeepStrictEqual(accepted, requirements))
        throw new PaymentError(
          'verification-failed',
          'The payment accepts an offer that this resource does not have; pay one of its offers.',
        )
      await transfer.bind(requirements)
    },
    async verify(offer) {
      const requirements = requirementsOf(offer)
      // A wallet that is a contract: only its node knows what it accepts.
      if ((await transfer.signature()) === 'unknown' && !(await transfer.isProven()))
        throw refused('The payment is not signed by its payer', undefined)
      const { isValid, invalidReason } = await facilitator.verify(payloadFor(offer, requirements), requirements)
      // It is invalid, but paid, if somebody else has brought it to the chain.
      if (isValid || (await transfer.find(requirements))) return
      throw refused('The payment cannot be settled', invalidReason)
    },
    signature: transfer.signature,
    isProven: transfer.isProven,
    async settle(offer, since) {
      const requirements = requirementsOf(offer)
      const success = { success: true, network: credential.network as `${string}:${string}`, payer: transfer.payer }
      const response = await facilitator.settle(payloadFor(offer, requirements), requirements).catch(() => null)
      // The facilitator may be wrong: only the node's receipt releases the answer.
      const isMade = response?.success === true && (await isMadeBy(response.transaction, requirements))
      // In this order: what expired before the search cannot be missed by it.
      const isExpired = !isMade && (await transfer.isExpired(since))
      const isNodeLagging =
        !response?.success && !!response?.transaction && !(await transfer.hasReached(response.transaction))
      const transaction = isMade ? response.transaction : await transfer.find(requirements, since)
      if (transaction) return { transaction, receipt: receiptOf(credential.version, { ...success, transaction }) }
      if (isExpired)
        throw new PaymentError(
          'payment-expired',
          'The payment expired before it was settled; nothing was charged: pay again.',
        )
      if (!response || response.success || isNodeLagging || !isFinal(response))
        throw new OutcomeUnknown(`settlement on ${network} is in doubt`)
      const { errorReason, transaction: reverted } = response
      throw refused('The payment could not be settled', errorReason, reverted)
    },
  }
}
