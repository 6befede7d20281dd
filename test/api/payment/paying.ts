import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from 'viem/tempo'
import type { Lake } from '../../../api/ops/lake.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { startEmbeddedChains } from '../../../api/payment/local-chains.ts'
import { openPayments } from '../../../api/payment/payments.ts'
import type { Engine } from '../../../engine/index.ts'
import { atEnd } from '../../support/at-end.ts'
import { type Reply, type Service, serveSample } from '../../support/http.ts'
import { balanceOf } from './balances.ts'

export type Network = 'base' | 'solana' | 'tempo'
export type Headers = Record<string, string>

export const networks: Network[] = ['base', 'solana', 'tempo']
export const cheap = '/v1/marketing/share-of-shelf?category=coffee'
export const expensive = '/v1/analyst/inflation?category=coffee'

/** The local chains, started once a test file. */
export const startChains = async (): Promise<Embedded> => {
  const chains = await startEmbeddedChains()
  atEnd(() => chains.close())
  return chains
}

/** Serves the sample lake on given chains, whose facilitator the test may have wrapped. */
export const servePaid = (
  chains: Embedded,
  environment: Record<string, string> = {},
  wrap?: (lake: Lake) => Lake,
): Promise<Service> =>
  serveSample({ SHELFMARK_PAYMENTS: 'embedded', ...environment }, wrap, (config, log) =>
    openPayments(config, log, chains),
  )

/** Local chains, a service on them, a payer with money and the balances of payer and payee. */
export const startPaid = async (environment?: Record<string, string>) => {
  const chains = await startChains()
  const payer = await createPayer(chains)
  return { chains, payer, balances: balanceOf(chains), service: await servePaid(chains, environment) }
}

/** A lake in which something happens before each run of a plan. */
export const beforeEachRun = (lake: Lake, before: () => Promise<void>): Lake => ({
  engine: () => {
    const engine = lake.engine()
    if (!engine) return undefined
    const run: Engine['run'] = async (plan, options) => {
      await before()
      return engine.run(plan, options)
    }
    return new Proxy(engine, {
      get: (target, name) => {
        const value = name === 'run' ? run : Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  },
})

/** The payment requirements of a 402, as clients of x402 version 2 read them. */
export const requiredOf = ({ headers }: Reply) => decodePaymentRequiredHeader(String(headers['payment-required']))

/** Payers with test money, by the stock client libraries. */
export const createPayer = async ({ payers, rpc }: Pick<Embedded, 'payers' | 'rpc'>) => {
  const svm = await createKeyPairSignerFromBytes(Uint8Array.from(getBase58Encoder().encode(payers.solana)))
  // What is at stake is test money: no cap on spending.
  const x402 = x402Client
    .fromConfig({ schemes: [], spendControls: false })
    .register('eip155:*', new ExactEvmScheme(privateKeyToAccount(payers.base)))
    .register('solana:*', new ExactSvmScheme(svm, { rpcUrl: rpc.solana }))
  const account = privateKeyToAccount(payers.tempo)
  const chain = { ...Chain.testnet, rpcUrls: { default: { http: [rpc.tempo] } } } as const
  const getClient = () => createClient({ account, chain, transport: http(rpc.tempo), pollingInterval: 5 })
  const mpp = Mppx.create({ polyfill: false, methods: [tempo.charge({ account, getClient })] })

  /** An x402 payload for a 402. */
  const payload = async (unpaid: Reply, network: Exclude<Network, 'tempo'>): Promise<PaymentPayload> => {
    const required = requiredOf(unpaid)
    const kind = network === 'base' ? 'eip155:' : 'solana:'
    const accepts = required.accepts.filter((offered) => offered.network.startsWith(kind))
    return x402.createPaymentPayload({ ...required, accepts })
  }

  /** The header of a payment for a 402; nothing is sent yet. */
  const pay = async (unpaid: Reply, network: Network): Promise<Headers> => {
    if (network !== 'tempo')
      return { 'payment-signature': encodePaymentSignatureHeader(await payload(unpaid, network)) }
    const headers = { 'www-authenticate': String(unpaid.headers['www-authenticate']) }
    return { authorization: await mpp.createCredential(new Response(null, { status: 402, headers })) }
  }
  /** A payment by x402 that has an id: the client returns the extension with the id added to its `info`. */
  const payAs = async (id: unknown, offered: Reply, network: Exclude<Network, 'tempo'>): Promise<Headers> => {
    const { 'payment-identifier': declared } = requiredOf(offered).extensions as Record<string, { info: object }>
    const { extensions, ...paid } = await payload(offered, network)
    const identified = { ...extensions, 'payment-identifier': { ...declared, info: { ...declared?.info, id } } }
    return { 'payment-signature': encodePaymentSignatureHeader({ ...paid, extensions: identified }) }
  }
  return { pay, payAs, payload, x402, account, evm: privateKeyToAccount(payers.base), solana: svm.address }
}

export type Payer = Awaited<ReturnType<typeof createPayer>>

/** A payment for a path, not yet sent. */
export const paymentFor = async (service: Service, payer: Payer, path: string, network: Network): Promise<Headers> =>
  payer.pay(await service.get(path), network)

/** The answers that a payment bought, rather than fetched again. */
export const bought = (replies: readonly Reply[]): Reply[] =>
  replies.filter(({ status, headers }) => status === 200 && headers['idempotent-replayed'] === undefined)

/** How often each status came. */
export const tally = (replies: readonly Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
