import Negotiator from 'negotiator'
import type { NetworkName } from '../ops/networks.ts'

/** The `method/intent` of the Payment authentication scheme for each network, in the order of our offers. */
const NETWORKS: Readonly<Record<string, NetworkName>> = {
  'evm/charge': 'base',
  'solana/charge': 'solana',
  'tempo/charge': 'tempo',
}

/**
 * The networks that a client can pay on, by its `Accept-Payment` header, which has the syntax of `Accept`: most
 * preferred first, without those of `q=0`; all networks if none of them is listed, since a 402 must offer something.
 */
export const preferredNetworks = (acceptPayment: string | undefined): readonly NetworkName[] => {
  const all = Object.keys(NETWORKS)
  const preferred = new Negotiator({ headers: { accept: acceptPayment } }).mediaTypes(all)
  return (preferred.length > 0 ? preferred : all).map((name) => NETWORKS[name]!)
}
