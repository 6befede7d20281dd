import { Agent } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type LogLine, type Service, send } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import {
  beforeEachRun,
  cheap,
  createPayer,
  type Headers,
  networks,
  type Payer,
  paymentFor,
  servePaid,
  startChains,
} from './paying.ts'

let chains: Embedded
let service: Service
/** A service whose requests have half a second. */
let impatient: Service
let payer: Payer
let balances: Balances
/** What happens before a plan is run. */
let beforeRun: () => Promise<void>

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  // With one address and one secret, either takes a payment that was made for the other.
  const shared = {
    SHELFMARK_CACHE_MIB: '0',
    SHELFMARK_BASE_URL: 'http://127.0.0.1:8402',
    SHELFMARK_MPP_SECRET: 's'.repeat(32),
  }
  const serve = (settings: Record<string, string>) =>
    servePaid(chains, { ...shared, ...settings }, (lake) => beforeEachRun(lake, () => beforeRun()))
  service = await serve({})
  impatient = await serve({ SHELFMARK_TIMEOUT_MS: '500' })
})

beforeEach(() => {
  beforeRun = async () => {}
})

describe.each(networks)('nothing is charged on %s', (network) => {
  /** Whatever happened, nothing moved, and the payment still buys what it was made for. */
  const expectUnused = async (headers: Headers, before: bigint) => {
    beforeRun = async () => {}
    expect(await balances(network)).toBe(before)
    expect((await service.get(cheap, headers)).status).toBe(200)
    expect((await balances(network)) - before).toBe(10_000n)
  }

  test('when computing the answer fails', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    beforeRun = () => Promise.reject(new TypeError('a fault of ours'))
    expect((await service.get(cheap, headers)).status).toBe(500)
    await expectUnused(headers, before)
  })

  test('when computing the answer takes too long', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    beforeRun = () => new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await impatient.get(cheap, headers)).status).toBeGreaterThanOrEqual(500)
    await expectUnused(headers, before)
  })

  test('when the client disconnects', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    const left = new AbortController()
    const isComputing = new Promise<void>((resolve) => {
      beforeRun = async () => {
        left.abort()
        // The service hears of it a moment later.
        await new Promise((heard) => setTimeout(heard, 200))
        resolve()
      }
    })
    const agent = new Agent()
    await expect(send(service.port, cheap, { headers, agent, signal: left.signal })).rejects.toThrow()
    await isComputing
    await new Promise((settled) => setTimeout(settled, 200))
    agent.destroy()
    await expectUnused(headers, before)
  })

  test.each([
    ['400', 'an unknown parameter', `${cheap}&sort_by=price`],
    ['400', 'a wrong value', `${cheap}&country=mx`],
    ['400', 'an unknown category', '/v1/marketing/share-of-shelf?category=zzxxqq'],
    ['404', 'an unknown retailer', `${cheap}&retailer=nobody`],
    ['404', 'an unknown brand', '/v1/marketing/brand-tracker?brand=zzxxqq'],
    ['404', 'a scope without a deal', '/v1/shopper/deal-finder?category=10000045'],
    [
      '404',
      'days without a price, which only computing shows',
      '/v1/shopper/price-history?q=larkano+decaf+coffee&from=2025-01-01&to=2025-02-01',
    ],
    ['404', 'no such address', '/v1/marketing/share-of-shelves'],
  ])('for a %s: %s', async (status, _, path) => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    for (const sent of [{}, headers]) {
      const reply = await service.get(path, sent)
      expect(String(reply.status)).toBe(status)
      expect(reply.headers).not.toHaveProperty('www-authenticate')
      expect(reply.headers).not.toHaveProperty('payment-required')
    }
    await expectUnused(headers, before)
  })

  test('for an answer that is too old, and nothing is computed before it is paid', async () => {
    let runs = 0
    beforeRun = async () => {
      runs += 1
    }
    // That the snapshot is older refuses every query; that this shelf is older than its snapshot shows when it is computed.
    const snapshotHours = Number((await service.get('/v1/public/stats')).headers['x-data-freshness-hours'])
    const limited = (max_age: number) => `${cheap}&max_age=${max_age.toFixed(1)}`
    expect((await service.get(limited(snapshotHours - 0.1))).status).toBe(412)
    const path = limited(snapshotHours + 0.1)
    runs = 0
    const headers = await paymentFor(service, payer, path, network)
    expect(runs).toBe(0)
    const before = await balances(network)
    const reply = await service.get(path, headers)
    expect(reply).toMatchObject({ status: 412, body: expect.stringContaining('DATA_TOO_OLD') })
    expect(runs).toBe(1)
    expect(await balances(network)).toBe(before)
  })

  test('for a free answer', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    for (const path of ['/v1/public/stats', '/v1/public/categories', '/openapi.json', '/llms.txt']) {
      expect((await service.get(path)).status).toBe(200)
      expect((await service.get(path, headers)).status).toBe(200)
    }
    await expectUnused(headers, before)
  })
})

test('nothing is charged for a 304', async () => {
  const warm = await servePaid(chains)
  const bought = await warm.get(cheap, await paymentFor(warm, payer, cheap, 'base'))
  const held = { 'if-none-match': String(bought.headers.etag) }
  const before = await balances('base')
  const payment = await paymentFor(warm, payer, cheap, 'base')
  const again = await warm.get(cheap, { ...held, ...payment })
  expect(again).toMatchObject({ status: 304, body: '' })
  expect(await balances('base')).toBe(before)
  expect((await warm.get(cheap, held)).status).toBe(304)
  expect((await warm.get(cheap, { 'if-none-match': '*' })).status).toBe(402)
  expect((await warm.get(cheap, { 'if-none-match': '"another"' })).status).toBe(402)
  expect((await warm.get(cheap, payment)).status).toBe(200)
})

test('paid routes refuse HEAD, and a preflight lists the headers that a page may read', async () => {
  expect((await send(service.port, cheap, { method: 'HEAD' })).status).toBe(405)
  const { status, headers } = await send(service.port, cheap, { method: 'OPTIONS' })
  expect(status).toBe(204)
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Payment-Receipt', 'WWW-Authenticate'])
    expect(headers['access-control-expose-headers']).toContain(name)
})

test('the address in a challenge is the configured one, whatever host the request names', async () => {
  const unpaid = await service.get(cheap, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  expect(unpaid.status).toBe(402)
  expect(JSON.stringify(unpaid) + Buffer.from(String(unpaid.headers['payment-required']), 'base64')).not.toContain(
    'evil',
  )
})

test('the log contains no credential, signature, secret or payer', async () => {
  const secrets: string[] = []
  for (const network of networks) {
    const headers = await paymentFor(service, payer, cheap, network)
    const [text = ''] = Object.values(headers)
    const json = JSON.parse(Buffer.from(text.replace(/^Payment /, ''), 'base64').toString())
    const { signature, transaction, authorization } = json.payload
    secrets.push(
      text,
      ...[signature, transaction, authorization?.nonce, authorization?.from, json.source].filter(Boolean),
    )
    for (const path of [cheap, cheap, `${cheap}&retailer=nobody`]) await service.get(path, headers)
    beforeRun = () => Promise.reject(new TypeError('a fault of ours'))
    await service.get(cheap, await paymentFor(service, payer, cheap, network))
    beforeRun = async () => {}
  }
  const log = service.log.map((line: LogLine) => JSON.stringify(line)).join('\n')
  expect(log).toContain('"outcome":"settled"')
  expect(log).toContain('"msg":"fault"')
  expect(secrets.length).toBeGreaterThan(8)
  const needles = [...secrets, payer.evm.address, payer.account.address].map((text) => text.slice(-40).toLowerCase())
  for (const needle of needles) expect(log.toLowerCase()).not.toContain(needle)
})
