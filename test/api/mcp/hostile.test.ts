import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Challenge } from 'mppx'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { writeTestWallet } from '../../../api/payment/test-wallet.ts'
import { atEnd } from '../../support/at-end.ts'
import { sized } from '../../support/full-size.ts'
import { temporaryFolder } from '../../support/given.ts'
import { stdioHost } from '../../support/mcp.ts'
import { startChains } from '../payment/paying.ts'

type Reply = { status: number; headers: Record<string, string>; body?: string }

let chains: Embedded
let wallet: string
let url: string
/** What the hostile service answers to unpaid and to paid requests. */
let unpaid: () => Reply
let paid: () => Reply
let credentials: string[] = []

beforeAll(async () => {
  chains = await startChains()
  wallet = join(await temporaryFolder(), 'wallet.json')
  await writeTestWallet(wallet, chains)
  const server = createServer(({ headers }, response) => {
    const credential = headers['payment-signature'] ?? headers.authorization
    if (credential !== undefined) credentials.push(String(credential))
    const { status, headers: sent, body = '{}' } = credential === undefined ? unpaid() : paid()
    response.writeHead(status, { 'content-type': 'application/json', ...sent }).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  credentials = []
})

const { base, solana, tempo } = testnets
const payTo = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const evm = {
  scheme: 'exact',
  network: base.caip2,
  asset: base.asset,
  amount: '20000',
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: base.name, version: base.version },
}
const svm = {
  ...evm,
  network: solana.caip2,
  asset: solana.asset,
  payTo: solana.asset,
  extra: { feePayer: solana.asset },
}

const x402 = (...accepts: object[]): Reply => {
  const required = { x402Version: 2, error: 'pay', resource: { url, description: '', mimeType: '' }, accepts }
  return { status: 402, headers: { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') } }
}

const charge = {
  amount: '20000',
  currency: tempo.currency,
  recipient: payTo,
  methodDetails: { chainId: tempo.chain_id, supportedModes: ['pull'] },
}
const mpp = (request: object): Reply => {
  const challenge = Challenge.from({
    method: 'tempo',
    intent: 'charge',
    realm: '127.0.0.1',
    secretKey: generatePrivateKey(),
    expires: new Date(Date.now() + 60_000).toISOString() as `${string}Z`,
    request: request as never,
  })
  return { status: 402, headers: { 'www-authenticate': Challenge.serialize(challenge) } }
}

const host = (network: string, ...args: string[]) =>
  stdioHost(['--url', url, '--network', network, ...args], { SHELFMARK_WALLET: wallet })

const hosts = new Map<string, ReturnType<typeof host>>()
/** Hosts that pay nothing are shared: each takes seconds to start. */
const sharedHost = (network: string) => {
  const shared = hosts.get(network) ?? host(network)
  hosts.set(network, shared)
  return shared
}

const query = ['analyst/inflation', { category: 'coffee' }] as const

const offers: [what: string, network: string, reply: () => Reply, code: string][] = [
  ['a high amount', 'base', () => x402({ ...evm, amount: '50001' }), 'PRICE_TOO_HIGH'],
  ['an absurd amount', 'base', () => x402({ ...evm, amount: '900000000000000' }), 'PRICE_TOO_HIGH'],
  ['an amount beyond all numbers', 'base', () => x402({ ...evm, amount: '9'.repeat(40) }), 'PAYMENT_REFUSED'],
  ['a negative amount', 'base', () => x402({ ...evm, amount: '-20000' }), 'PAYMENT_REFUSED'],
  ['a decimal amount', 'base', () => x402({ ...evm, amount: '0.02' }), 'PAYMENT_REFUSED'],
  ['a hexadecimal amount', 'base', () => x402({ ...evm, amount: '0xffffff' }), 'PAYMENT_REFUSED'],
  [
    'lying decimals',
    'base',
    () => x402({ ...evm, amount: '200000', extra: { ...evm.extra, decimals: 12 } }),
    'PRICE_TOO_HIGH',
  ],
  [
    'another token',
    'base',
    () => x402({ ...evm, asset: '0x1111111111111111111111111111111111111111' }),
    'PAYMENT_REFUSED',
  ],
  ['another chain', 'base', () => x402({ ...evm, network: 'eip155:1' }), 'PAYMENT_REFUSED'],
  [
    'the main network',
    'base',
    () => x402({ ...evm, network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }),
    'PAYMENT_REFUSED',
  ],
  [
    'an approval',
    'base',
    () => x402({ ...evm, extra: { ...evm.extra, assetTransferMethod: 'permit2' } }),
    'PAYMENT_REFUSED',
  ],
  ['no offer of the network', 'base', () => x402(svm), 'PAYMENT_REFUSED'],
  ['no offer at all', 'base', () => ({ status: 402, headers: {} }), 'PAYMENT_REFUSED'],
  ['an unreadable offer', 'base', () => ({ status: 402, headers: { 'payment-required': '%%%' } }), 'PAYMENT_REFUSED'],
  [
    'another token',
    'solana',
    () => x402({ ...svm, asset: 'So11111111111111111111111111111111111111112' }),
    'PAYMENT_REFUSED',
  ],
  [
    'the main network',
    'solana',
    () => x402({ ...svm, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
    'PAYMENT_REFUSED',
  ],
  ['an absurd amount', 'solana', () => x402({ ...svm, amount: '50001' }), 'PRICE_TOO_HIGH'],
  ['another token', 'tempo', () => mpp({ ...charge, currency: payTo }), 'PAYMENT_REFUSED'],
  ['another chain', 'tempo', () => mpp({ ...charge, methodDetails: { chainId: 4217 } }), 'PAYMENT_REFUSED'],
  ['an absurd amount', 'tempo', () => mpp({ ...charge, amount: '50001' }), 'PRICE_TOO_HIGH'],
  ['lying decimals', 'tempo', () => mpp({ ...charge, amount: '20000000000', decimals: 12 }), 'PRICE_TOO_HIGH'],
  [
    'an exchange of tokens',
    'tempo',
    () => mpp({ ...charge, methodDetails: { ...charge.methodDetails, machineTokenEnabled: true } }),
    'PAYMENT_REFUSED',
  ],
]

describe('a service that asks for', () => {
  test.each(offers)('%s on %s is not paid', async (_, network, reply, code) => {
    unpaid = reply
    paid = () => ({ status: 200, headers: {} })
    const { refused, errors } = await sharedHost(network)
    const refusal = await refused(...query)
    expect(refusal, errors()).toMatchObject({ code })
    expect(refusal.message).toContain('nothing was paid')
    expect(credentials).toEqual([])
  })

  test('one of several tokens is paid in the one that it supports', async () => {
    unpaid = () => x402({ ...evm, network: 'eip155:1' }, { ...evm, asset: payTo }, { ...evm, amount: '10000' })
    paid = () => ({ status: 200, headers: {}, body: '{}' })
    const { ask } = await host('base')
    // Without a receipt the payment is in doubt.
    expect(await ask(...query)).toMatchObject({ paid: { amount_usd: 0, in_doubt_usd: 0.01 } })
    const [payment = ''] = credentials
    expect(JSON.parse(Buffer.from(payment, 'base64').toString())).toMatchObject({
      accepted: { network: base.caip2, asset: base.asset, amount: '10000' },
    })
  })
})

describe.each(sized(['base'], ['base', 'tempo']))('a service that takes payments on %s', (network) => {
  const offer = () => (network === 'tempo' ? mpp(charge) : x402(evm))

  test('and asks again is paid once a call, and never beyond the budget', async () => {
    unpaid = offer
    paid = offer
    const { call } = await host(network, '--budget', '0.05')
    const codes: unknown[] = []
    for (let i = 0; i < 4; i += 1) {
      const { structuredContent } = await call('ask', { query: query[0], params: { ...query[1], days: 30 + i } })
      codes.push((structuredContent.error as { code: string }).code)
    }
    expect(credentials).toHaveLength(2)
    expect(codes.slice(2)).toEqual(['BUDGET_EXHAUSTED', 'BUDGET_EXHAUSTED'])
  })

  test('and does not answer leaves the payment in doubt', async () => {
    unpaid = offer
    paid = () => ({ status: 500, headers: {}, body: 'gone' })
    const { refused } = await host(network, '--budget', '0.03')
    expect((await refused(...query)).details).toMatchObject({ paid: { in_doubt_usd: 0.02 } })
    expect(await refused('analyst/inflation', { category: 'coffee', days: 9 })).toMatchObject({
      code: 'BUDGET_EXHAUSTED',
    })
  })
})

test('a service that redirects a payment to another address is not followed', async () => {
  unpaid = () => x402(evm)
  paid = () => ({ status: 307, headers: { location: `${url}/elsewhere` } })
  const { refused } = await host('base')
  expect(await refused(...query)).toMatchObject({ code: 'PAYMENT_IN_DOUBT' })
  expect(credentials).toHaveLength(1)
})
