import Negotiator from 'negotiator'
import type { Payment } from './payment.ts'

export type Network = Payment['network']

/** How the Payment authentication scheme names a payment on each network, `method/intent`, in the order of our offers. */
const NETWORKS: Readonly<Record<string, Network>> = {
  'evm/charge': 'base',
  'solana/charge': 'solana',
  'tempo/charge': 'tempo',
}

/**
 * The networks that a client can pay on, by its `Accept-Payment` header, whose form is that of `Accept`: those it prefers
 * first, and without those of `q=0`. All of them where it names none of ours, since it must be offered something.
 */
export const preferredNetworks = (acceptPayment: string | undefined): readonly Network[] => {
  const all = Object.keys(NETWORKS)
  const preferred = new Negotiator({ headers: { accept: acceptPayment } }).mediaTypes(all)
  return (preferred.length > 0 ? preferred : all).map((name) => NETWORKS[name]!)
}
