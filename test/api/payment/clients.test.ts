import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { clients } from '../../../api/pay/clients.ts'
import type { PayingFetch } from '../../../api/pay/connect.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { receiptOf } from '../../../api/payment/receipt.ts'
import type { Service } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import { pairs, pay } from './browser-page.ts'
import { cheap, expensive, networks, servePaid, startChains } from './paying.ts'

let chains: Embedded
let service: Service
let balances: Balances
let base: string

beforeAll(async () => {
  chains = await startChains()
  balances = balanceOf(chains)
  service = await servePaid(chains)
  base = `http://127.0.0.1:${service.port}`
})

type Hex = `0x${string}`
type FirstOffer = {
  scheme: 'exact'
  network: string
  maxAmountRequired: string
  payTo: Hex
  asset: Hex
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}
type FirstBody = { x402Version: 1; accepts: FirstOffer[] }

/** A client of x402 version 1, written from its specification: it knows nothing of version 2 and reads the body alone. */
const fetchFirst = async (url: string): Promise<Response> => {
  const unpaid = await fetch(url)
  if (unpaid.status !== 402) return unpaid
  const { x402Version, accepts } = (await unpaid.json()) as FirstBody
  const accepted = accepts.find((offer) => offer.network === 'base-sepolia')!
  const account = privateKeyToAccount(chains.payers.base)
  const now = Math.floor(Date.now() / 1000)
  const authorization = {
    from: account.address,
    to: accepted.payTo,
    value: accepted.maxAmountRequired,
    validAfter: String(now - 600),
    validBefore: String(now + accepted.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
  }
  const field = (name: string, type: string) => ({ name, type })
  const addresses = [field('from', 'address'), field('to', 'address')]
  const numbers = [field('value', 'uint256'), field('validAfter', 'uint256'), field('validBefore', 'uint256')]
  const signature = await account.signTypedData({
    domain: { ...accepted.extra, chainId: 84_532, verifyingContract: accepted.asset },
    types: { TransferWithAuthorization: [...addresses, ...numbers, field('nonce', 'bytes32')] },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  const { scheme, network } = accepted
  const payment = { x402Version, scheme, network, payload: { signature, authorization } }
  return fetch(url, { headers: { 'X-PAYMENT': Buffer.from(JSON.stringify(payment)).toString('base64') } })
}

describe.each(networks)('the official client on %s', (network) => {
  test.each([
    [cheap, 10_000n],
    [expensive, 20_000n],
  ])('pays for %s', async (path, price) => {
    const costs: string[] = []
    const pay: PayingFetch = await clients[network](chains, ({ amount }) => costs.push(amount))
    const before = await balances(network)
    const response = await pay(`${base}${path}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveProperty('meta.schema_version', '1.0')
    expect(costs).toEqual([String(price)])
    expect((await balances(network)) - before).toBe(price)
    expect(response.headers.get('cache-control')).toMatch(/\bprivate\b/)
    expect(receiptOf(response.headers).transaction).toMatch(network === 'solana' ? /^\w{80,90}$/ : /^0x[0-9a-f]{64}$/)
  })

  test('pays nothing for queries that are free, invalid or without results', async () => {
    const pay = await clients[network](chains, () => expect.unreachable('no payment is due'))
    const before = await balances(network)
    const paths = ['/v1/public/stats', '/v1/marketing/share-of-shelf', `${cheap}&retailer=nowhere`]
    const statuses = await Promise.all(paths.map(async (path) => (await pay(`${base}${path}`)).status))
    expect(statuses).toEqual([200, 400, 404])
    expect(await balances(network)).toBe(before)
  })
})

test.each(pairs)('the published client %s pays on %s', async (client, network) => {
  const before = await balances(network)
  const { status, body, receipt } = await pay(client, network, `${base}${cheap}`, chains)
  expect(status).toBe(200)
  expect(body).toHaveProperty('meta.schema_version', '1.0')
  expect(receipt).toMatch(/^[A-Za-z0-9+/_=-]{50,}$/)
  expect((await balances(network)) - before).toBe(10_000n)
})

test('a client of x402 version 1 pays', async () => {
  const before = await balances('base')
  const response = await fetchFirst(`${base}${cheap}`)
  expect(response.status).toBe(200)
  expect((await balances('base')) - before).toBe(10_000n)
  const receipt = JSON.parse(Buffer.from(response.headers.get('x-payment-response') ?? '', 'base64').toString())
  expect(receipt).toMatchObject({ success: true, network: 'base-sepolia', transaction: expect.stringMatching(/^0x/) })
})
