import type { PaymentRequirements, SupportedKind } from '@x402/core/types'
import type { Address } from 'viem'
import type { Sale } from '../http/charge.ts'
import type { Rails } from './rails.ts'

/** How long a client may take to pay an x402 offer. */
export const TIMEOUT_SECONDS = 60

/** The request of an MPP challenge with method `tempo` and intent `charge`. */
export type ChargeRequest = {
  amount: string
  currency: Address
  recipient: Address
  methodDetails: { chainId: number; supportedModes: string[] }
}

/** The price of an answer or a batch, its payees and the ways to pay it. */
export type PaymentOffer = {
  /** The group and name of the query, or `batch`. */
  query: string
  /** What a payment is bound to: the method, path and sorted parameters of a query, or the hash of a batch. */
  question: string
  /** Its public address, independent of the request's Host header. */
  url: string
  realm: string
  description: string
  /** Null for a batch. */
  parameters: Record<string, string> | null
  /** In base units of a dollar token with 6 decimals. */
  amount: string
  accepts: PaymentRequirements[]
  /** Null where Tempo is not accepted. */
  charge: ChargeRequest | null
}

type Offered = { sale: Sale; base_url: string; kinds: readonly SupportedKind[] }

/** The offer for a sale, on the networks that have an account and, for x402, that the facilitator supports. */
export const offerOf = ({ sale, base_url, kinds }: Offered, { networks, accounts }: Rails): PaymentOffer => {
  const { base, solana, tempo } = networks
  const { name: query, description, path, parameters, question } = sale
  const amount = String(sale.amount)
  const served = (network: string): SupportedKind | undefined =>
    kinds.find((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)
  const feePayer = served(solana.caip2)?.extra?.feePayer
  const exact = { scheme: 'exact', amount, maxTimeoutSeconds: TIMEOUT_SECONDS }
  const { name, version } = base
  return {
    query,
    question,
    url: `${base_url}${path}`,
    realm: new URL(base_url).hostname,
    description,
    parameters,
    amount,
    accepts: [
      ...(accounts.base && served(base.caip2)
        ? [{ ...exact, network: base.caip2, asset: base.asset, payTo: accounts.base.payTo, extra: { name, version } }]
        : []),
      ...(accounts.solana && typeof feePayer === 'string'
        ? [{ ...exact, network: solana.caip2, asset: solana.asset, payTo: accounts.solana.payTo, extra: { feePayer } }]
        : []),
    ],
    charge: accounts.tempo && {
      amount,
      currency: tempo.currency,
      recipient: accounts.tempo.payTo,
      methodDetails: { chainId: tempo.chain_id, supportedModes: ['pull'] },
    },
  }
}
