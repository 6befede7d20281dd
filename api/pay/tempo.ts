import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from 'viem/tempo'
import type { Connect } from './clients.ts'

/** Pays on Tempo, by MPP, with a transaction that it signs and the service sends. */
export const connect: Connect = async ({ payers, rpc }, onPay) => {
  const account = privateKeyToAccount(payers.tempo)
  const chain = { ...Chain.testnet, rpcUrls: { default: { http: [rpc.tempo] } } }
  const client = createClient({ account, chain, transport: http(rpc.tempo) })
  const mppx = Mppx.create({ methods: [tempo.charge({ account, getClient: () => client })], polyfill: false })
  mppx.onChallengeReceived(({ challenge: { request } }) => {
    onPay({ amount: String(request.amount), token: String(request.currency) })
  })
  return mppx.fetch
}
