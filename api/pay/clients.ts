import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from 'viem/tempo'
import type { TestWallet } from '../payment/embedded/test-wallet.ts'

/** What a payment is of: base units of a token, as the challenge asked. */
export type Cost = { amount: string; token: string }

/** Fetches what is free, and pays once for what is not. `onPay` is told the cost before the payment is sent. */
export type PayingFetch = (url: string, init?: RequestInit) => Promise<Response>
type Connect = (wallet: TestWallet, onPay: (cost: Cost) => void) => Promise<PayingFetch>

const payByX402 = (client: x402Client, onPay: (cost: Cost) => void): PayingFetch => {
  client.onAfterPaymentCreation(async ({ selectedRequirements: { amount, asset } }) => onPay({ amount, token: asset }))
  return wrapFetchWithPayment(fetch, client)
}

/** The official clients of each network, with a wallet and nothing of ours in between. */
export const clients: Readonly<Record<'base' | 'solana' | 'tempo', Connect>> = {
  base: async ({ payers }, onPay) => {
    const scheme = new ExactEvmScheme(privateKeyToAccount(payers.base))
    return payByX402(new x402Client().register('eip155:*', scheme), onPay)
  },
  solana: async ({ payers, rpc }, onPay) => {
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(payers.solana))
    const scheme = new ExactSvmScheme(signer, { rpcUrl: rpc.solana })
    return payByX402(new x402Client().register('solana:*', scheme), onPay)
  },
  tempo: async ({ payers, rpc }, onPay) => {
    const account = privateKeyToAccount(payers.tempo)
    const chain = { ...Chain.testnet, rpcUrls: { default: { http: [rpc.tempo] } } }
    const client = createClient({ account, chain, transport: http(rpc.tempo) })
    const method = tempo.charge({ account, getClient: () => client })
    const mppx = Mppx.create({ methods: [method], polyfill: false })
    mppx.onChallengeReceived(({ challenge: { request } }) => {
      onPay({ amount: String(request.amount), token: String(request.currency) })
    })
    return mppx.fetch
  },
}
