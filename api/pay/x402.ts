import { x402Client } from '@x402/core/client'
import type { PaymentRequirements, SchemeNetworkClient } from '@x402/core/types'
import { wrapFetchWithPayment } from '@x402/fetch'
import { testnets } from '../ops/networks.ts'
import {
  type Connect,
  OfferError,
  type PayingFetch,
  type PayOptions,
  requireBaseUnits,
  requireToken,
} from './connect.ts'

/** Whether a payment is the transfer of exactly its amount: Permit2 would sign approvals too. */
const isTransfer = ({ extra }: PaymentRequirements): boolean =>
  [undefined, 'eip3009'].includes(extra?.assetTransferMethod as string | undefined)

/** The official x402 client, with a scheme for one network. */
export const payByX402 = (
  name: 'base' | 'solana',
  scheme: SchemeNetworkClient,
  onPay: Parameters<Connect>[1],
  { networks = testnets, fetch = globalThis.fetch }: PayOptions = {},
): PayingFetch => {
  const { caip2: chain, asset: token } = networks[name]
  const check = (offer: PaymentRequirements): void => {
    requireToken({ chain: offer.network, token: offer.asset }, { chain, token })
    requireBaseUnits(offer.amount)
    if (!isTransfer(offer)) throw new OfferError('the service asks for more than a transfer of the amount')
  }
  const isPayable = (offer: PaymentRequirements): boolean => {
    try {
      check(offer)
      return true
    } catch {
      return false
    }
  }
  // Callers limit what is paid in `onPay`: the default limit of a dollar is below the price of some batches.
  const client = x402Client
    .fromConfig({ schemes: [], spendControls: false })
    .register(name === 'base' ? 'eip155:*' : 'solana:*', scheme)
  // Of several offers one that can be paid; without one, the check says why.
  client.registerPolicy((_, offers) => (offers.some(isPayable) ? offers.filter(isPayable) : offers))
  client.onBeforePaymentCreation(async ({ selectedRequirements }) => {
    const offer = selectedRequirements as PaymentRequirements
    check(offer)
    onPay({ amount: offer.amount, token: offer.asset })
  })
  return wrapFetchWithPayment(fetch, client)
}
