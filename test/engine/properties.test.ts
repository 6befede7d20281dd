import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { lownessFields } from '../../engine/contract/lowness-fields.ts'
import { brandNorm, type Engine, isPlaceholder, queries, queryId } from '../../engine/index.ts'
import { ask, type Given } from '../support/ask.ts'
import { sized } from '../support/full-size.ts'
import { givenEngine } from '../support/given.ts'
import { addDays, sum } from '../support/oracle.ts'
import { listing, type Observation, observed } from '../support/rows.ts'
import { ages, answerOr, given, paramsFor, scopes } from '../support/world-queries.ts'
import { brandKeyOf, brandSpellings, WORLD_END, worldOf } from '../support/worlds.ts'

const SEED = 6
const rows = worldOf(SEED)
const as_of = new Date(WORLD_END)
const runs = { seed: SEED, numRuns: sized(3, 20) }
const window = { from: '2026-08-05', to: '2026-11-10' }

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of })
})

type Answer = Record<string, unknown>

/** An answer without what it says of the lake, and of the wording of the query. */
const figuresOf = ({ meta, resolved, last_updated, ...figures }: Answer) => figures
/** What is decided over all that a lake holds: which listings are one product. */
const ENTITIES = new Set([
  'entity_uid',
  'match_type',
  'matched_price_index',
  'matched_entities',
  'likely_price_index',
  'likely_pairs',
])
/** What a price row says of the year before. */
const HISTORY: ReadonlySet<string> = new Set(Object.keys(lownessFields))
/** The same without entities and histories, and with brands by their keys, since labels too are counted over the whole lake. */
const ofWindow = (answer: Answer) =>
  JSON.stringify(figuresOf(answer), (key, value) => {
    if (ENTITIES.has(key) || HISTORY.has(key)) return undefined
    return key === 'brand' && value ? brandKeyOf(value) : value
  })

test('shares of shelf add up to 100 %, and their counts to the total', () =>
  fc.assert(
    fc.asyncProperty(scopes, ages, async (scope, days) => {
      const answer = await answerOr(ask(engine, 'marketing/share-of-shelf', { ...given(scope), days }, scope.as_of))
      if (typeof answer === 'string') return
      const brands: { product_count: number; share_pct: number }[] = answer.brands
      expect(sum(brands.map(({ product_count }) => product_count))).toBe(answer.total_products)
      if (answer.total_products === 0) return
      // Each share is rounded to the nearest hundredth.
      const total = sum(brands.map(({ share_pct }) => share_pct))
      expect(Math.abs(total - 100)).toBeLessThanOrEqual(0.005 * brands.length + 1e-9)
      expect(answer.hhi).toBeGreaterThanOrEqual(1 / brands.length - 0.0001)
      expect(answer.hhi).toBeLessThanOrEqual(1)
    }),
    runs,
  ))

test('the pages of competitive-landscape contain every product once', async () => {
  const params = { category: 'Grocery', sort: 'discount' }
  const whole = await ask(engine, 'marketing/competitive-landscape', { ...params, limit: 200 })
  const products = []
  for (let offset = 0; offset < whole.total_products; offset += 37)
    products.push(...(await ask(engine, 'marketing/competitive-landscape', { ...params, limit: 37, offset })).products)
  expect(products).toEqual(whole.products)
  expect(new Set(products.map(({ product_uid }) => product_uid)).size).toBe(whole.total_products)
})

describe('a different spelling of a brand does not change the answer', () => {
  const cases: [string, Given][] = [
    ['marketing/brand-tracker', { ...window, granularity: 'weekly' }],
    ['marketing/promo-intelligence', { ...window, category: 'Grocery' }],
    ['marketing/brand-breakdown', {}],
    ['marketing/price-positioning', { category: 'Grocery' }],
  ]
  test.each(cases)('of %s', async (id, params) => {
    for (const key of ['acme', 'loreal', 'blackanddecker']) {
      const spellings = brandSpellings.filter((brand) => brand.key === key).map(({ spelling }) => spelling)
      const [first, ...others] = await Promise.all(
        [...spellings, ...spellings.map((spelling) => ` ${spelling.toUpperCase()}™ `)].map((brand) =>
          ask(engine, id, { ...params, brand }),
        ),
      )
      for (const other of others) expect(figuresOf(other)).toEqual(figuresOf(first))
    }
  })
})

describe('a placeholder is not a brand', () => {
  const placeholders = brandSpellings.filter(({ key }) => key === null).map(({ spelling }) => spelling)

  test.each(['brand-tracker', 'brand-breakdown', 'price-positioning', 'promo-intelligence'])(
    'as a parameter of %s',
    async (name) => {
      const more = name === 'promo-intelligence' ? { category: 'Grocery' } : {}
      for (const brand of placeholders)
        await expect(ask(engine, `marketing/${name}`, { ...more, brand })).rejects.toMatchObject({ code: 'NO_RESULTS' })
    },
  )

  test('in any answer', async () => {
    const brands = new Set<string>()
    for (const country of ['us', 'ca'] as const)
      for (const query of queries.filter(({ group }) => group !== 'public')) {
        const params = { ...paramsFor(query), country }
        const answer = await answerOr(ask(engine, queryId(query), params))
        JSON.stringify(answer, (key, value) => {
          if (key === 'brand' && value) brands.add(`${country} ${value}`)
          return value
        })
      }
    expect(brands.size).toBeGreaterThan(4)
    for (const brand of brands)
      expect(isPlaceholder(brandNorm(brand.slice(3))!, brand.slice(0, 2) as 'us' | 'ca'), brand).toBe(false)
  })

  test('in the shares of a shelf', async () => {
    const more = [1, 2, 3].flatMap((i) =>
      observed(listing(`placeholder ${i}`, { spelling: placeholders[i]! }), { '2026-11-10': 100 }),
    )
    const other = await givenEngine([...rows, ...more], { as_of })
    const params = { category: 'Grocery > Coffee' }
    const [before, after] = await Promise.all(
      [engine, other].map((each) => ask(each, 'marketing/share-of-shelf', params)),
    )
    const { unbranded_products, ...shares } = figuresOf(before)
    expect(figuresOf(after)).toEqual({ ...shares, unbranded_products: Number(unbranded_products) + 3 })
  })
})

test('the case of a retailer does not change the answer', async () => {
  for (const query of queries) {
    const params = paramsFor(query)
    if (!Object.keys(query.params.shape).includes('retailer')) continue
    const [lower, upper] = await Promise.all(
      ['alpha', 'ALPHA'].map((retailer) => answerOr(ask(engine, queryId(query), { ...params, retailer }))),
    )
    expect(JSON.stringify(upper), queryId(query)).toBe(JSON.stringify(lower))
    expect(lower, queryId(query)).not.toBe('RETAILER_NOT_SERVING_ELIGIBLE')
  }
})

describe('the answer for a window is the same in a lake that contains only that window', () => {
  const within = (from: string, to: string) => rows.filter(({ observed_at }) => observed_at >= from && observed_at < to)

  test('for series and promotions', async () => {
    const other = await givenEngine(within(window.from, window.to), { as_of })
    const cases: [string, Given][] = [
      ['marketing/brand-tracker', { brand: 'Tefal' }],
      ['marketing/brand-tracker', { brand: 'Acme', granularity: 'monthly' }],
      ['marketing/promo-intelligence', { category: 'Grocery' }],
      ['marketing/promo-intelligence', { category: 'Grocery', brand: 'Acme', aggregate_by: 'retailer' }],
      ['analyst/retailer-index', { retailer: 'alpha', department: 'Grocery' }],
      ['analyst/retailer-index', { retailer: 'alpha', granularity: 'monthly' }],
    ]
    for (const [id, params] of cases) {
      const [small, large] = await Promise.all([other, engine].map((each) => ask(each, id, { ...params, ...window })))
      expect(ofWindow(small), id).toBe(ofWindow(large))
    }
  })

  test.each(sized([14], [14, 60]))('for prices at most %i days old', async (days) => {
    const other = await givenEngine(within(addDays(WORLD_END, -days), WORLD_END), { as_of })
    const cases: [string, Given][] = [
      ['marketing/share-of-shelf', { category: 'Grocery' }],
      ['marketing/competitive-landscape', { category: 'Grocery' }],
      ['marketing/price-positioning', { brand: 'Acme', category: 'Grocery' }],
      ['marketing/brand-breakdown', { brand: 'Acme' }],
      ['analyst/price-dispersion', { department: 'Grocery' }],
      ['analyst/category-summary', { department: 'Grocery' }],
    ]
    for (const [id, params] of cases) {
      const [small, large] = await Promise.all([other, engine].map((each) => ask(each, id, { ...params, days })))
      expect(ofWindow(small), id).toBe(ofWindow(large))
    }
  })
})

/** Forty listings ten times as expensive, at a shop that opens in the middle of the window. */
const newcomers: Observation[] = Array.from({ length: 40 }, (_, i) => {
  const of = listing(`new ${i}`, { platform: 'omega', brand: 'acme', spelling: 'Acme' })
  return observed(of, { '2026-10-05': 15_000 + i, '2026-10-20': 15_000 + i, '2026-11-05': 15_000 + i })
}).flat()

test.each<[string, Given]>([
  ['analyst/inflation', { category: 'Grocery > Coffee' }],
  ['marketing/brand-tracker', { brand: 'Acme' }],
])('the stable basket of %s does not jump when a retailer enters', async (id, params) => {
  const other = await givenEngine([...rows, ...newcomers], { as_of })
  const monthly = { ...params, ...window, granularity: 'monthly' }
  const [before, after] = await Promise.all([engine, other].map((each) => ask(each, id, monthly)))
  type Point = { stable_avg_price: number; avg_price: number }
  const stable = (answer: { time_series: Point[] }) =>
    answer.time_series.map(({ stable_avg_price }) => stable_avg_price)
  expect(stable(before)[0]).toBeGreaterThan(0)
  expect(stable(after)).toEqual(stable(before))
  expect(after.stable_basket_size).toBe(before.stable_basket_size)
  expect(after.time_series.at(-1).avg_price).toBeGreaterThan(2 * before.time_series.at(-1).avg_price)
})
