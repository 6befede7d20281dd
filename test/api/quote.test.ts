import { beforeAll, describe, expect, test } from 'vitest'
import { quoteSchema } from '../../api/http/quote-schema.ts'
import type { Lake } from '../../api/ops/lake.ts'
import { Engine, queryId, readParams } from '../../engine/index.ts'
import { readsOf } from '../../engine/show/cli/reads.ts'
import { atEnd } from '../support/at-end.ts'
import { sized } from '../support/full-size.ts'
import { type Service, samplePaths, send, serveSample } from '../support/http.ts'
import { expectRefusal } from '../support/refusals.ts'
import { createPayer, requiredOf, servePaid, startChains } from './payment/paying.ts'

let service: Service
let paid: Service
let runs = 0

/** A lake that counts what is run: plans, and statements of any kind. */
const counting = (lake: Lake): Lake => ({
  engine: () => {
    const engine = lake.engine()
    return (
      engine &&
      new Proxy(engine, {
        get: (target, name) => {
          if (['run', 'rows', 'execution', 'explain'].includes(String(name))) runs += 1
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    )
  },
})

beforeAll(async () => {
  service = await serveSample()
  paid = await servePaid(await startChains(), {}, counting)
})

const quoteOf = async (of: Service, path: string) => {
  const reply = await of.get(`/v1/quote?path=${encodeURIComponent(path)}`)
  return { reply, quote: reply.status === 200 ? quoteSchema.strict().parse(JSON.parse(reply.body)) : null }
}

describe.each(samplePaths().map(({ query, path }, at) => [queryId(query), query, path, at] as const))(
  '%s',
  (id, query, path, at) => {
    test('is quoted with the price, networks and snapshot of its 402, and nothing is run', async () => {
      runs = 0
      const { quote } = await quoteOf(paid, path)
      expect(runs).toBe(0)
      const reply = await paid.get(path)
      expect(quote).toMatchObject({ query: id, currency: 'USD', free: query.group === 'public' })
      if (query.group === 'public') expect(quote).toMatchObject({ price: '0.00', networks: [] })
      else {
        const { details } = JSON.parse(reply.body).error
        expect(quote?.price).toBe(details.price)
        expect(details.resolved_product ?? null).toEqual(quote?.resolved_product)
        expect(quote?.resolved_product !== null).toBe('product_uid' in query.params.shape)
        expect(quote?.networks).toEqual(['base', 'solana', 'tempo'])
        expect(requiredOf(reply).resource.url.endsWith(quote!.path)).toBe(true)
      }
    })

    // Each runs the query three times: by default for some of every group.
    test.runIf(at % sized(3, 1) === 0)(
      'is quoted with the age of its answer and at least the rows that it reads',
      async () => {
        const { quote } = await quoteOf(service, path)
        const { body, headers } = await service.get(path)
        const { meta } = JSON.parse(body)
        expect(quote?.cached).toBe(false)
        const { quote: later } = await quoteOf(service, path)
        expect(later).toMatchObject({ cached: true, may_be_refused: false })
        const hours = Number(headers['x-data-freshness-hours'])
        if (quote?.freshness_hours != null) expect(quote.freshness_hours).toBeLessThanOrEqual(hours)
        if (later?.freshness_hours != null) expect(later.freshness_hours).toBe(hours)
        if (meta) expect(quote?.snapshot_id).toBe(meta.snapshot_id)
        const { lake, as_of } = service.config
        const engine = await Engine.open(lake, { as_of, connections: 1 })
        atEnd(async () => engine.close())
        const sent = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
        const plan = await engine.plan(query, readParams(query, sent))
        const { is_from_memory } = await engine.execution(plan)
        const by_table: Record<string, { rows: number; scans: number }> = is_from_memory
          ? {}
          : readsOf(await engine.explain(plan)).by_table
        const read = Object.values(by_table).reduce((sum, { rows, scans }) => sum + rows / scans, 0)
        expect(quote?.rows).toBeGreaterThanOrEqual(Math.floor(read))
      },
    )
  },
)

test('a query that is refused is refused with the same status, code and message', async () => {
  const refused = [
    '/v1/analyst/inflation',
    '/v1/analyst/inflation?category=nothing-like-it',
    '/v1/analyst/inflation?category=coffee&category=tea',
    '/v1/analyst/inflation?category=%FF',
    '/v1/analyst/inflation?category=coffee&table=x',
    '/v1/analyst/inflation?category=coffee&retailer=nobody',
    '/v1/shopper/best-price?q=nothing+like+it+qqqq',
    '/v1/public/brands?limit=0',
    '/v1/public/stats?max_age=0.1',
  ]
  for (const path of refused) {
    const { reply } = await quoteOf(paid, path)
    const real = await paid.get(path, path.includes('table') ? { accept: 'text/csv' } : {})
    expect(reply.status).toBe(real.status)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(JSON.parse(reply.body).error).toEqual(JSON.parse(real.body).error)
    expectRefusal('/v1/quote', reply, real.status, JSON.parse(real.body).error.code)
  }
})

test('may_be_refused is true where only computing decides, and false once the answer is cached', async () => {
  const past = '/v1/analyst/inflation?category=coffee&from=2026-08-01&to=2026-09-01'
  expect((await quoteOf(service, past)).quote).toMatchObject({ may_be_refused: true, newest_observed_at: null })
  const limited = `${past}&max_age=24`
  expect((await quoteOf(service, limited)).quote).toMatchObject({ may_be_refused: true })
  const { body } = await service.get(past)
  expect((await quoteOf(service, past)).quote).toMatchObject({
    may_be_refused: false,
    newest_observed_at: JSON.parse(body).meta.price_observed_at_max,
  })
  const { reply } = await quoteOf(service, limited)
  expectRefusal('/v1/quote', reply, 412, 'DATA_TOO_OLD')
})

test('without payments every query is free', async () => {
  const { quote } = await quoteOf(service, '/v1/analyst/inflation?category=coffee')
  expect(quote).toMatchObject({ free: true, price: '0.00', networks: [] })
})

test('the address may have that of the service before it, and no other', async () => {
  const path = '/v1/public/stats'
  const own = `http://127.0.0.1:${service.port}${path}`
  expect((await quoteOf(service, own)).quote?.path).toBe(path)
  for (const other of [
    `http://127.0.0.1:1${path}`,
    `https://example.com${path}`,
    `//example.com${path}`,
    `http://127.0.0.1:${service.port}@example.com${path}`,
    `http://127.0.0.1:${service.port}0${path}`,
    'v1/public/stats',
    'javascript:alert(1)',
  ]) {
    const { reply } = await quoteOf(service, other)
    expectRefusal('/v1/quote', reply, 400, 'INVALID_PARAMS')
  }
})

test.each([
  '/v1/analyst/nothing',
  '/v1/quote?path=/v1/public/stats',
  '/v1/batch',
  '/openapi.json',
  '/v1/public/../public/stats',
  '/v1/public%2Fstats',
  '/v1/public/stats/',
  '/v2/public/stats',
  '/v1/__proto__/constructor',
  '/',
])('the path %s is not a query', async (path) => {
  const { reply } = await quoteOf(service, path)
  expectRefusal('/v1/quote', reply, 404, 'NOT_FOUND')
  expect(JSON.parse(reply.body).error.message).toContain('GET /openapi.json')
})

test.each([
  ['', /^path: required; send/],
  ['?path=', /^path: required; send/],
  ['?path=/v1/public/stats&path=/v1/public/brands', /^path: is given more than once/],
  ['?path=/v1/public/brands?q=a&limit=3', /^limit: is not a parameter of quote; percent-encode path/],
  ['?path=/v1/public/stats%23top', /^path: expected no fragment/],
  ['?__proto__=1', /^__proto__: is not a parameter of quote/],
])('quote%s is refused with what to send', async (text, message) => {
  const reply = await service.get(`/v1/quote${text}`)
  expectRefusal('/v1/quote', reply, 400, 'INVALID_PARAMS')
  expect(JSON.parse(reply.body).error.message).toMatch(message)
})

test('HEAD has the headers of GET; other types and methods are refused', async () => {
  const path = `/v1/quote?path=${encodeURIComponent('/v1/analyst/category-summary?category=coffee')}`
  const get = await service.get(path)
  const head = await send(service.port, path, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: '' })
  for (const name of ['content-type', 'content-length', 'x-data-freshness-hours', 'cache-control'])
    expect(head.headers[name], name).toBe(get.headers[name])
  expectRefusal('/v1/quote', await service.get(path, { accept: 'text/csv' }), 406, 'NOT_ACCEPTABLE')
  expect((await send(service.port, path, { method: 'POST' })).status).toBe(405)
})

test('a quote is free for a payer too: a payment in it is not used', async () => {
  const chains = await startChains()
  const payer = await createPayer(chains)
  const own = await servePaid(chains)
  const path = '/v1/marketing/share-of-shelf?category=coffee'
  const payment = await payer.pay(await own.get(path), 'base')
  const reply = await own.get(`/v1/quote?path=${encodeURIComponent(path)}`, payment)
  expect(reply.status).toBe(200)
  expect(reply.headers['payment-response']).toBeUndefined()
  expect((await own.get(path, payment)).status).toBe(200)
})

test('what would be bought is named before it is paid', async () => {
  const { quote } = await quoteOf(paid, '/v1/shopper/price-history?q=larkano+decaf+coffee')
  expect(quote?.resolved_product).toEqual({
    name: expect.stringMatching(/^Larkano .*Decaf Instant Coffee/),
    brand: 'Larkano',
    size: '12 x 113.4 g',
    entity_uid: expect.stringMatching(/^e_/),
    product_uid: expect.stringMatching(/^p_/),
    retailer_count: expect.any(Number),
    observed_at: expect.stringMatching(/^2026-11-/),
    match_confidence: expect.any(Number),
    products_matched: 1,
  })
  const { quote: several } = await quoteOf(paid, '/v1/shopper/best-price?q=coffee')
  expect(several?.resolved_product?.products_matched).toBeGreaterThan(1)
})

test.each(['best-price', 'price-history', 'price-drop-alert'])(
  '%s is about the product that its 402 names',
  async (name) => {
    const choices = await paid.get('/v1/shopper/price-history?q=coffee')
    const { alternates } = JSON.parse(choices.body).error.details
    for (const { entity_uid, product_uid } of alternates)
      for (const uid of [`entity_uid=${entity_uid}`, `product_uid=${product_uid}`]) {
        const path = `/v1/shopper/${name}?${uid}&days=90`
        const reply = await paid.get(path)
        expect(reply.status).toBe(402)
        const { resolved_product } = JSON.parse(reply.body).error.details
        const answer = JSON.parse((await service.get(path)).body)
        expect(resolved_product.entity_uid, path).toBe(answer.entity_uid)
        expect(resolved_product.products_matched, path).toBe(1)
        // The answer of an entity names its cheapest listing, or the one that fits best.
        if (uid.startsWith('product_uid')) {
          const { product_uid, product_name, brand } = answer
          expect(resolved_product, path).toMatchObject({ product_uid, name: product_name, brand })
        }
      }
  },
)

test.each(['price-history', 'price-drop-alert'])(
  '%s of a text that means several products asks back, free of charge',
  async (name) => {
    const { body, status, headers } = await paid.get(`/v1/shopper/${name}?q=coffee`)
    expect([status, headers['payment-required']]).toEqual([400, undefined])
    const { code, message, details } = JSON.parse(body).error
    expect([code, details.parameter]).toEqual(['INVALID_PARAMS', 'q'])
    expect(message).toBe(`q: ${details.products_matched} products match; name one of them, or send its entity_uid`)
    expect(details.alternates.length).toBe(Math.min(10, details.products_matched))
    expect(details.alternates[0]).toEqual({
      product_uid: expect.stringMatching(/^p_/),
      entity_uid: expect.stringMatching(/^e_/),
      name: expect.stringContaining('Coffee'),
      brand: expect.any(String),
      size: expect.any(String),
      retailer_count: expect.any(Number),
      price: expect.any(Number),
      observed_at: expect.any(String),
    })
    // Each choice is answered, with the name that it has in the list.
    for (const { entity_uid, name: product } of details.alternates) {
      const { body } = await service.get(`/v1/shopper/${name}?entity_uid=${entity_uid}`)
      const answer = JSON.parse(body)
      expect(answer.entity_uid, product).toBe(entity_uid)
    }
  },
)
