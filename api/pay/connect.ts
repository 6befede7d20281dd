import type { TestWallet } from '../payment/embedded/test-wallet.ts'

/** The cost of a payment, in base units of a token, as in the challenge. */
export type Cost = { amount: string; token: string }

/** A `fetch` that pays once for what is not free. */
export type PayingFetch = (url: string, init?: RequestInit) => Promise<Response>

/** Creates a client with a wallet. `onPay` receives the cost before a payment is sent. */
export type Connect = (wallet: TestWallet, onPay: (cost: Cost) => void) => Promise<PayingFetch>
