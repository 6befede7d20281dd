import type { Networks, RpcUrls } from '../ops/networks.ts'
import type { TestWallet } from '../payment/test-wallet.ts'

/** The cost of a payment, in base units of a token, as in the challenge. */
export type Cost = { amount: string; token: string }

/** A `fetch` that pays once for what is not free. */
export type PayingFetch = (url: string, init?: RequestInit) => Promise<Response>

/** Keys of payers, and nodes, by network; those of other networks than the one that is paid on are not used. */
export type Wallet = { rpc: Partial<RpcUrls>; payers: Partial<TestWallet['payers']> }

export type PayOptions = {
  /** The chains and dollar tokens to pay with; default those of the testnets. */
  networks?: Networks
  /** Sends the requests, paid and unpaid. */
  fetch?: typeof fetch
}

/**
 * Creates a client with a wallet. `onPay` receives the cost before a payment is signed; if it throws, none is. An offer
 * on another chain or in another token than those of `networks` is not paid.
 */
export type Connect = (wallet: Wallet, onPay: (cost: Cost) => void, options?: PayOptions) => Promise<PayingFetch>

/** An offer that is not paid. */
export class OfferError extends Error {
  override readonly name = 'OfferError'
}

/** A part of a wallet. Throws OfferError if it is missing. */
export const requiredOf = <V>(part: V | undefined, name: string): V => {
  if (part === undefined) throw new OfferError(`the wallet has no ${name}`)
  return part
}

/** Refuses an amount that is not a whole number of base units: anything else could be read in two ways. */
export const requireBaseUnits = (amount: unknown): void => {
  if (typeof amount !== 'string' || !/^\d{1,15}$/.test(amount))
    throw new OfferError('the service offers an amount that is not a whole number of base units')
}

/** Refuses an offer on another chain or in another token than the network's dollar. */
export const requireToken = (
  offered: { chain: unknown; token: unknown },
  expected: { chain: unknown; token: string },
): void => {
  if (offered.chain !== expected.chain || String(offered.token).toLowerCase() !== expected.token.toLowerCase())
    throw new OfferError(
      `the service asks for token ${offered.token} on chain ${offered.chain}; only ${expected.token} on ${expected.chain} is paid`,
    )
}
