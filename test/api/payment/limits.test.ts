import { beforeAll, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { balanceOf } from './balances.ts'
import {
  beforeEachRun,
  cheap,
  createPayer,
  networks,
  type Payer,
  paymentFor,
  servePaid,
  startChains,
} from './paying.ts'

let chains: Embedded
let payer: Payer

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
})

test.each(networks)(
  'a payer on %s with too many requests is refused before anything is computed or charged',
  async (network) => {
    let runs = 0
    const limits = { SHELFMARK_RATE: '1', SHELFMARK_BURST: '10', SHELFMARK_CACHE_MIB: '0' }
    const service = await servePaid(chains, limits, (lake) =>
      beforeEachRun(lake, async () => {
        runs += 1
      }),
    )
    const payments = []
    // Each costs its address a token; payments are counted for their payer too.
    for (let i = 0; i < 4; i++) payments.push(await paymentFor(service, payer, cheap, network))
    const before = await balanceOf(chains)(network)
    for (const [i, headers] of payments.entries()) {
      const reply = await service.get(cheap, headers)
      expect(reply.status).toBe(200)
      expect(reply.headers.ratelimit).toMatch(new RegExp(`^"payer";r=${9 - i};t=\\d+$`))
      expect(reply.headers['ratelimit-policy']).toBe('"payer";q=10;w=600')
    }
    const last = await paymentFor(service, payer, cheap, network)
    expect(runs).toBe(4)
    const refused = await service.get(cheap)
    expect((await service.get(cheap, last)).status).toBe(429)
    expect(refused.status).toBe(402)
    expect(runs).toBe(4)
    expect((await balanceOf(chains)(network)) - before).toBe(40_000n)
  },
)

test('a payer is limited independently of its addresses', async () => {
  const proxied = { SHELFMARK_RATE: '1', SHELFMARK_BURST: '2', SHELFMARK_PROXIES: '127.0.0.1' }
  const service = await servePaid(chains, proxied)
  const from = (host: number) => ({ 'x-forwarded-for': `10.0.0.${host}` })
  const replies = []
  for (let host = 1; host <= 3; host++) {
    const payment = await payer.pay(await service.get(cheap, from(host)), 'base')
    replies.push(await service.get(cheap, { ...payment, ...from(host) }))
  }
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429])
  const { headers, body } = replies[2]!
  expect(JSON.parse(body).error.code).toBe('RATE_LIMITED')
  expect(headers.ratelimit).toMatch(/^"payer";r=0;t=\d+$/)
  expect(headers['retry-after']).toMatch(/^\d+$/)
  expect(headers).not.toHaveProperty('www-authenticate')
})

test('an overloaded service refuses before it requires payment', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const narrow = { SHELFMARK_CONNECTIONS: '1', SHELFMARK_QUEUE: '0', SHELFMARK_CACHE_MIB: '0' }
  let isComputing = () => {}
  const computing = new Promise<void>((resolve) => {
    isComputing = resolve
  })
  const service = await servePaid(chains, narrow, (lake) =>
    beforeEachRun(lake, async () => {
      isComputing()
      await held
    }),
  )
  const first = service.get(cheap, await paymentFor(service, payer, cheap, 'base'))
  await computing
  const busy = await service.get(cheap)
  expect(busy.status).toBe(503)
  expect(busy.headers['retry-after']).toMatch(/^\d+$/)
  expect(busy.headers).not.toHaveProperty('www-authenticate')
  release()
  expect((await first).status).toBe(200)
  expect((await service.get(cheap)).status).toBe(402)
})

test('an answer is sent again to whoever presents its payment, for its own query alone', async () => {
  const service = await servePaid(chains)
  const payment = await paymentFor(service, payer, cheap, 'base')
  const before = await balanceOf(chains)('base')
  const keyed = { ...payment, 'idempotency-key': 'a name that only the payer knows' }
  const first = await service.get(cheap, keyed)
  const again = await service.get(cheap, keyed)
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
  for (const presented of [payment, keyed, { ...payment, 'idempotency-key': 'another' }]) {
    const replayed = await service.get(cheap, presented)
    expect(replayed).toMatchObject({ status: 200, body: first.body, headers: { 'idempotent-replayed': 'true' } })
  }
  expect((await service.get(`${cheap}&country=ca`, keyed)).status).toBe(402)
  expect((await balanceOf(chains)('base')) - before).toBe(10_000n)
})
