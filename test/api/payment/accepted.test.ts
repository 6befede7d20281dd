import { decodePaymentRequiredHeader } from '@x402/core/http'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type Reply, type Service, serveSample } from '../../support/http.ts'
import { balanceOf } from './balances.ts'
import { serveFacilitator } from './interposed.ts'
import { cheap, createPayer, type Network, networks, type Payer, paymentFor, startChains } from './paying.ts'

let chains: Embedded
let payer: Payer
let facilitator: string
let everywhere: Service

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  facilitator = await serveFacilitator(chains.facilitator, {})
  everywhere = await serveOn(networks)
})

const settingsOf = (network: Network): Record<string, string> =>
  ({
    base: { SHELFMARK_PAY_TO_EVM: chains.payTo.evm, SHELFMARK_BASE_RPC_URL: chains.rpc.base },
    solana: { SHELFMARK_PAY_TO_SOLANA: chains.payTo.solana, SHELFMARK_SOLANA_RPC_URL: chains.rpc.solana },
    tempo: {
      SHELFMARK_PAY_TO_TEMPO: chains.payTo.tempo,
      SHELFMARK_TEMPO_RPC_URL: chains.rpc.tempo,
      SHELFMARK_MPP_SECRET: 'a secret of thirty-two characters',
    },
  })[network]

/** A service that takes payments on these networks alone. */
const serveOn = (accepted: readonly Network[], url = facilitator) =>
  serveSample({
    SHELFMARK_PAYMENTS: 'facilitator',
    SHELFMARK_NETWORKS: 'testnet',
    SHELFMARK_BASE_URL: 'http://127.0.0.1',
    ...(accepted.some((network) => network !== 'tempo') ? { SHELFMARK_FACILITATOR_URL: url } : {}),
    ...Object.assign({}, ...accepted.map(settingsOf)),
  })

const offered = ({ headers }: Reply): Network[] => {
  const { 'payment-required': required, 'www-authenticate': challenge } = headers
  const { accepts = [] } = required ? decodePaymentRequiredHeader(String(required)) : {}
  const x402 = accepts.map(({ network }): Network => (network.startsWith('eip155:') ? 'base' : 'solana'))
  return [...x402, ...(challenge ? (['tempo'] as const) : [])]
}

const subsets: Network[][] = [
  ['base'],
  ['solana'],
  ['tempo'],
  ['base', 'solana'],
  ['base', 'tempo'],
  ['solana', 'tempo'],
  ['base', 'solana', 'tempo'],
]

describe.each(subsets.map((accepted) => ({ accepted })))('a service that accepts $accepted', ({ accepted }) => {
  let service: Service
  beforeAll(async () => {
    service = await serveOn(accepted)
  })

  test('offers and takes payments on exactly these networks', async () => {
    const unpaid = await service.get(cheap)
    expect(unpaid.status).toBe(402)
    expect(offered(unpaid)).toEqual(accepted)
    const body = JSON.parse(unpaid.body)
    expect(body.accepts).toHaveLength(accepted.filter((network) => network !== 'tempo').length)
    expect('challengeId' in body).toBe(accepted.includes('tempo'))
    for (const network of accepted) {
      const before = await balanceOf(chains)(network)
      const answer = await service.get(cheap, await paymentFor(service, payer, cheap, network))
      expect(answer.status, answer.body).toBe(200)
      expect((await balanceOf(chains)(network)) - before).toBe(10_000n)
    }
  })

  test('refuses payments on the other networks', async () => {
    for (const network of networks.filter((name) => !accepted.includes(name))) {
      const before = await balanceOf(chains)(network)
      const refused = await service.get(cheap, await paymentFor(everywhere, payer, cheap, network))
      expect(refused.status, refused.body).toBe(402)
      expect((await balanceOf(chains)(network)) - before).toBe(0n)
    }
  })

  test('names exactly these networks in its documents', async () => {
    const titles = { base: 'Base', solana: 'Solana', tempo: 'Tempo' }
    const contract = (await service.get('/openapi.json')).body
    const { paths, info } = JSON.parse(contract)
    const { protocols, offers } = paths['/v1/shopper/best-price'].get['x-payment-info']
    const isMpp = accepted.includes('tempo')
    const isX402 = accepted.some((network) => network !== 'tempo')
    expect(protocols.flatMap(Object.keys)).toEqual([...(isX402 ? ['x402'] : []), ...(isMpp ? ['mpp'] : [])])
    expect(offers !== undefined).toBe(isMpp)
    expect(contract.includes('WWW-Authenticate')).toBe(isMpp)
    expect(contract.includes('PAYMENT-REQUIRED')).toBe(isX402)
    const guide = (await service.get('/llms.txt')).body
    for (const network of networks)
      for (const text of [info['x-guidance'], guide])
        expect(text.includes(`on ${titles[network]}`) || text.includes(`and ${titles[network]}`)).toBe(
          accepted.includes(network),
        )
  })
})

test('a service is not ready where its only facilitator does not answer', async () => {
  const service = await serveOn(['base'], 'http://127.0.0.1:9')
  const unpaid = await service.get(cheap)
  expect(unpaid.status).toBe(503)
  expect(JSON.parse(unpaid.body).error.code).toBe('NOT_READY')
  expect(unpaid.headers['retry-after']).toBe('5')
  const both = await serveOn(['base', 'tempo'], 'http://127.0.0.1:9')
  expect(offered(await both.get(cheap))).toEqual(['tempo'])
  const refused = await both.get(cheap, await paymentFor(everywhere, payer, cheap, 'base'))
  expect(refused.status, refused.body).toBe(503)
})
