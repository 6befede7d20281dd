import { wrapFetchWithPayment } from '@x402/fetch'
import { PaymentRequest } from 'mppx'
import { Mppx } from 'mppx/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { prices } from '../../../api/ops/prices.ts'
import { methodOf } from '../../../api/pay/tempo.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type Reply, type Service, samplePaths, serveSample } from '../../support/http.ts'
import { listedPayments } from '../../support/listed-payments.ts'
import { post } from '../../support/post.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { type Balances, balanceOf } from './balances.ts'
import { beforeEachRun, createPayer, networks, type Payer, requiredOf, servePaid, startChains } from './paying.ts'

const PATH = '/v1/batch'
const summary = (days: number) => ({ path: '/v1/analyst/category-summary', params: { category: 'coffee', days } })
const shelf = { path: '/v1/marketing/share-of-shelf', params: { category: 'coffee' } }
const stats = { path: '/v1/public/stats' }
/** 0.02 + 0.01 + 0 dollars. */
const requests = [summary(90), shelf, stats]
const AMOUNT = '30000'

let chains: Embedded
let service: Service
let free: Service
let payer: Payer
let balances: Balances

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  // A batch has the time of one request, however slow the machine.
  service = await servePaid(chains, { SHELFMARK_TIMEOUT_MS: '120000' })
  free = await serveSample()
})

const batch = (body: unknown, headers: Record<string, string> = {}, of = service): Promise<Reply> =>
  post(of.port, PATH, JSON.stringify(body), { headers })

test('an unpaid batch gets a 402 with the sum of its prices in every place', async () => {
  const unpaid = await batch(requests)
  expect(unpaid.status).toBe(402)
  const { accepts, resource, extensions } = requiredOf(unpaid)
  expect(accepts.map(({ amount }) => amount)).toEqual([AMOUNT, AMOUNT])
  expect(resource.url).toBe(`http://127.0.0.1:${service.port}${PATH}`)
  expect(extensions).toHaveProperty('bazaar.info.input.method', 'POST')
  const [, request = ''] = /request="([^"]+)"/.exec(String(unpaid.headers['www-authenticate'])) ?? []
  expect(PaymentRequest.deserialize(request)).toMatchObject({ amount: AMOUNT })
  expect(JSON.parse(unpaid.body)).toMatchObject({
    x402Version: 1,
    accepts: [{ maxAmountRequired: AMOUNT }, { maxAmountRequired: AMOUNT }],
    error: { details: { price: '0.03', amount: AMOUNT } },
  })
})

test('the price of every query, and of repeated ones each time, is in the sum', async () => {
  const all = samplePaths()
  const body = [...all, ...all].map(({ path }) => ({ path }))
  const sum = 2 * all.reduce((total, { query }) => total + prices[query.group], 0)
  const { accepts } = requiredOf(await batch(body))
  expect(accepts.map(({ amount }) => amount)).toEqual([String(sum), String(sum)])
})

test('a batch of free queries needs no payment', async () => {
  const reply = await batch([stats, { path: '/v1/public/brands', params: { limit: 3 } }])
  expect(reply.status).toBe(200)
  expect(reply.headers['payment-response']).toBeUndefined()
})

describe.each(networks)('a payment on %s', (network) => {
  test('buys all answers at once, and the same bytes again, and nothing else', async () => {
    const payment = await payer.pay(await batch(requests), network)
    const before = await balances(network)
    const paid = await batch(requests, payment)
    expect(paid.status, paid.body).toBe(200)
    expect(paid.body).toBe((await batch(requests, {}, free)).body)
    expect((await balances(network)) - before).toBe(BigInt(AMOUNT))
    const again = await batch(requests, payment)
    expect(again).toMatchObject({ status: 200, body: paid.body, headers: { 'idempotent-replayed': 'true' } })
    // In another form it is the same batch; in another order it is not.
    const paths = ['/v1/analyst/category-summary?category=coffee&days=90', `${shelf.path}?category=coffee`, stats.path]
    const inPaths = await batch({ requests: paths.map((path) => ({ path })) }, payment)
    expect(inPaths).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    expect((await batch([...requests].reverse(), payment)).status).toBe(402)
    expect((await batch([summary(91), shelf, stats], payment)).status).toBe(402)
    expect((await balances(network)) - before).toBe(BigInt(AMOUNT))
  })

  test('of another sum is refused and not used', async () => {
    const payment = await payer.pay(await batch([shelf]), network)
    const before = await balances(network)
    for (const body of [requests, [shelf, shelf], [summary(90)]]) {
      const refused = await batch(body, payment)
      expect(refused.status).toBe(402)
      expect(JSON.parse(refused.body)).toMatchObject({ success: false })
    }
    expect(await balances(network)).toBe(before)
    expect((await batch([shelf], payment)).status).toBe(200)
  })

  test('is not used if a request is refused, or cannot be computed', async () => {
    let isBroken = true
    const uncached = await servePaid(chains, { SHELFMARK_CACHE_MIB: '0' }, (lake) =>
      beforeEachRun(lake, async () => {
        if (isBroken) throw new Error('a fault')
      }),
    )
    const payment = await payer.pay(await batch(requests, {}, uncached), network)
    const before = await balances(network)
    expectRefusal(PATH, await batch(requests, payment, uncached), 500, 'INTERNAL_ERROR')
    const refused = await batch([...requests, { path: '/v1/analyst/inflation' }], payment, uncached)
    expectRefusal(PATH, refused, 422, 'BATCH_REFUSED')
    expect(await balances(network)).toBe(before)
    isBroken = false
    expect((await batch(requests, payment, uncached)).status).toBe(200)
    expect((await balances(network)) - before).toBe(BigInt(AMOUNT))
  })
})

test('a client that disconnects while its batch is computed is not charged', async () => {
  const controller = new AbortController()
  let runs = 0
  const uncached = await servePaid(chains, { SHELFMARK_CACHE_MIB: '0' }, (lake) =>
    beforeEachRun(lake, async () => {
      runs += 1
      if (runs === 2) controller.abort()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }),
  )
  const body = Array.from({ length: 10 }, (_, i) => summary(i + 40))
  const payment = await payer.pay(await batch(body, {}, uncached), 'base')
  const before = await balances('base')
  const { signal } = controller
  await expect(post(uncached.port, PATH, JSON.stringify(body), { headers: payment, signal })).rejects.toThrow()
  await expect.poll(() => uncached.log.some(({ msg }) => msg === 'client disconnected')).toBe(true)
  expect(await balances('base')).toBe(before)
  expect((await batch(body, payment, uncached)).status).toBe(200)
  expect((await balances('base')) - before).toBe(200_000n)
})

test('an Idempotency-Key names a batch: a further payment under it gets the same answers and is not used', async () => {
  const key = { 'idempotency-key': 'batch-of-the-day' }
  const unpaid = await batch(requests)
  const first = await batch(requests, { ...(await payer.pay(unpaid, 'base')), ...key })
  const before = await balances('base')
  const second = await batch(requests, { ...(await payer.pay(unpaid, 'base')), ...key })
  expect(second).toMatchObject({ status: 200, body: first.body, headers: { 'idempotent-replayed': 'true' } })
  const other = await batch([summary(91), shelf, stats], { ...(await payer.pay(unpaid, 'base')), ...key })
  expect(other.status).toBe(422)
  expect(await balances('base')).toBe(before)
})

test('the list of payments has the hash of a batch', async () => {
  const payment = await payer.pay(await batch([summary(77)]), 'base')
  expect((await batch([summary(77)], payment)).status).toBe(200)
  const { lines } = await listedPayments(service.config)
  expect(lines.filter((line) => /0\.020000 .* POST \/v1\/batch [\w-]{43}$/.test(line)).length).toBeGreaterThan(0)
})

describe('a published client pays a batch:', () => {
  const init = () => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([summary(55), shelf]),
  })
  const url = () => `http://127.0.0.1:${service.port}${PATH}`

  test('@x402/fetch', async () => {
    const response = await wrapFetchWithPayment(fetch, payer.x402)(url(), init())
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(2)
  })

  test('mppx', async () => {
    const mppx = Mppx.create({ methods: [methodOf(chains)], polyfill: false })
    const response = await mppx.fetch(url(), init())
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(2)
  })
})

test('100 category summaries are sold for one payment', async () => {
  const body = Array.from({ length: 100 }, (_, i) => summary(i + 20))
  const unpaid = await batch(body)
  expect(requiredOf(unpaid).accepts.map(({ amount }) => amount)).toEqual(['2000000', '2000000'])
  const before = await balances('base')
  const reply = await batch(body, await payer.pay(unpaid, 'base'))
  expect(reply.status).toBe(200)
  expect(JSON.parse(reply.body)).toHaveLength(100)
  expect((await balances('base')) - before).toBe(2_000_000n)
})
