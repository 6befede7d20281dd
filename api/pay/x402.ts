import { x402Client } from '@x402/core/client'
import type { SchemeNetworkClient } from '@x402/core/types'
import { wrapFetchWithPayment } from '@x402/fetch'
import type { Connect, PayingFetch } from './connect.ts'

/** The official x402 client, with a scheme for one family of networks. */
export const payByX402 = (
  networks: 'eip155:*' | 'solana:*',
  scheme: SchemeNetworkClient,
  onPay: Parameters<Connect>[1],
): PayingFetch => {
  // It pays with test money, which needs no cap; a batch may cost more than the default one, a dollar.
  const client = x402Client.fromConfig({ schemes: [], spendControls: false }).register(networks, scheme)
  client.onAfterPaymentCreation(async ({ selectedRequirements: { amount, asset } }) => onPay({ amount, token: asset }))
  return wrapFetchWithPayment(fetch, client)
}
