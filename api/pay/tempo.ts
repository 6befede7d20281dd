import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from 'viem/tempo'
import { mainnets, type Networks, testnets } from '../ops/networks.ts'
import { type Connect, OfferError, requireBaseUnits, requiredOf, requireToken, type Wallet } from './connect.ts'

/** The official payment method of Tempo, with a wallet. */
export const methodOf = ({ payers, rpc }: Wallet, { tempo: { chain_id } }: Networks = testnets) => {
  const account = privateKeyToAccount(requiredOf(payers.tempo, 'key for tempo'))
  const node = requiredOf(rpc.tempo, 'node of tempo')
  const definition = chain_id === mainnets.tempo.chain_id ? Chain.mainnet : Chain.testnet
  const chain = { ...definition, rpcUrls: { default: { http: [node] } } }
  const client = createClient({ account, chain, transport: http(node) })
  return tempo.charge({ account, getClient: () => client, expectedChainId: chain_id })
}

type ChargeDetails = { chainId?: unknown; machineTokenEnabled?: unknown } | undefined

/** Pays on Tempo by MPP, with a signed transaction, which the service sends. */
export const connect: Connect = async (wallet, onPay, { networks = testnets, fetch = globalThis.fetch } = {}) => {
  const { chain_id: chain, currency: token } = networks.tempo
  const mppx = Mppx.create({
    methods: [methodOf(wallet, networks)],
    polyfill: false,
    fetch,
    maxPaymentRetries: 1,
    // Unlike an event handler, it prevents the payment by throwing.
    onChallenge: async ({ request }, { createCredential }) => {
      const { chainId = chain, machineTokenEnabled } = (request.methodDetails as ChargeDetails) ?? {}
      requireToken({ chain: chainId, token: request.currency }, { chain, token })
      requireBaseUnits(request.amount)
      if (machineTokenEnabled) throw new OfferError('the service asks for more than a transfer of the amount')
      onPay({ amount: String(request.amount), token: String(request.currency) })
      return createCredential()
    },
  })
  return mppx.fetch
}
