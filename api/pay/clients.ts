import { withPackages } from '../packages.ts'
import type { TestWallet } from '../payment/embedded/test-wallet.ts'

/** What a payment is of: base units of a token, as the challenge asked. */
export type Cost = { amount: string; token: string }

/** Fetches what is free, and pays once for what is not. */
export type PayingFetch = (url: string, init?: RequestInit) => Promise<Response>

/** Gives a client its wallet. `onPay` is told the cost before a payment is sent. */
export type Connect = (wallet: TestWallet, onPay: (cost: Cost) => void) => Promise<PayingFetch>

/** The official clients of each network, with nothing of ours in between. Each takes a while to load: none in vain. */
export const clients: Readonly<Record<'base' | 'solana' | 'tempo', Connect>> = {
  base: async (...given) => (await withPackages('pay', () => import('./base.ts'))).connect(...given),
  solana: async (...given) => (await withPackages('pay', () => import('./solana.ts'))).connect(...given),
  tempo: async (...given) => (await withPackages('pay', () => import('./tempo.ts'))).connect(...given),
}
