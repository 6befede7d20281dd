import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { wrapAxiosWithPayment } from '@x402/axios'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import axios from 'axios'
import { evm, Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from 'viem/tempo'
import type { TestWallet } from '../../../api/payment/test-wallet.ts'

export type Paid = { status: number; body: unknown; receipt: string | null }
export type Client = 'fetch' | 'axios' | 'mppx'
/** The clients, and the networks that each can pay on. */
export const pairs = [
  ['fetch', 'base'],
  ['fetch', 'solana'],
  ['axios', 'base'],
  ['axios', 'solana'],
  ['mppx', 'base'],
  ['mppx', 'tempo'],
] as const
export type Pay = (client: Client, network: string, url: string, wallet: TestWallet) => Promise<Paid>

const x402For = async (network: string, { payers, rpc }: TestWallet) => {
  const client = x402Client.fromConfig({ schemes: [], spendControls: false })
  if (network === 'base') return client.register('eip155:*', new ExactEvmScheme(privateKeyToAccount(payers.base)))
  const signer = await createKeyPairSignerFromBytes(Uint8Array.from(getBase58Encoder().encode(payers.solana)))
  return client.register('solana:*', new ExactSvmScheme(signer, { rpcUrl: rpc.solana }))
}

/** MPP on Tempo; on Base it signs the offer of x402. */
const mppFetch = ({ payers, rpc }: TestWallet, network: string): typeof fetch => {
  const account = privateKeyToAccount(payers.tempo)
  const chain = { ...Chain.testnet, rpcUrls: { default: { http: [rpc.tempo] } } } as const
  const getClient = () => createClient({ account, chain, transport: http(rpc.tempo), pollingInterval: 50 })
  const method =
    network === 'tempo'
      ? tempo.charge({ account, getClient })
      : evm.charge({ account: privateKeyToAccount(payers.base) })
  return Mppx.create({ polyfill: false, methods: [method] }).fetch
}

const paidBy = async (response: Response, receipt: string): Promise<Paid> => ({
  status: response.status,
  body: await response.json(),
  receipt: response.headers.get(receipt),
})

/** Pays with a published client library. Bundled for a browser, and run in Node as it is. */
export const pay: Pay = async (client, network, url, wallet) => {
  if (client === 'mppx') {
    const mpp = mppFetch(wallet, network)
    return paidBy(await mpp(url), network === 'tempo' ? 'payment-receipt' : 'payment-response')
  }
  const x402 = await x402For(network, wallet)
  if (client === 'fetch') return paidBy(await wrapFetchWithPayment(fetch, x402)(url), 'payment-response')
  const { status, data, headers } = await wrapAxiosWithPayment(axios.create(), x402 as never).get(url)
  return { status, body: data, receipt: String(headers['payment-response']) }
}

Object.assign(globalThis, { pay })
