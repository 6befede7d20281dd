import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from 'viem/tempo'
import type { TestWallet } from '../payment/embedded/test-wallet.ts'
import type { Connect } from './connect.ts'

/** The official payment method of Tempo, with a wallet. */
export const methodOf = ({ payers, rpc }: TestWallet) => {
  const account = privateKeyToAccount(payers.tempo)
  const chain = { ...Chain.testnet, rpcUrls: { default: { http: [rpc.tempo] } } }
  const client = createClient({ account, chain, transport: http(rpc.tempo) })
  return tempo.charge({ account, getClient: () => client })
}

/** Pays on Tempo by MPP, with a signed transaction, which the service sends. */
export const connect: Connect = async (wallet, onPay) => {
  const mppx = Mppx.create({ methods: [methodOf(wallet)], polyfill: false })
  mppx.onChallengeReceived(({ challenge: { request } }) => {
    onPay({ amount: String(request.amount), token: String(request.currency) })
  })
  return mppx.fetch
}
