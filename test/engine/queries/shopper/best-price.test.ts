import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { DAY_SECONDS } from '../../../../engine/index.ts'
import { ask, askFiles, type Given } from '../../../support/ask.ts'
import { ensureLake, openEngine, sampleLake } from '../../../support/given.ts'
import { feedRow, type Listing, listing, type Observation, observed } from '../../../support/rows.ts'
import { answerOr } from '../../../support/world-queries.ts'

const kettle = (platform: string, of: Partial<Listing> = {}): Listing =>
  listing(`kettle at ${platform}`, {
    platform,
    product_name: 'Zelta Kettle KX-200 1.7 L',
    spelling: 'Zelta',
    brand: 'zelta',
    shelf: ['Home', 'Kettles'],
    ...of,
  })

/** A barcode makes listings one entity. */
const GTIN = '4006381333931'
const coded = (rows: Observation[], gtin?: string) => rows.map((row) => ({ ...feedRow(row), gtin }))

// Four retailers sell the kettle, one of them long ago; the fifth sells a smaller one of the same model.
const feed = [
  ...coded(observed(kettle('alpha'), { '2026-11-10': 4999 }, { in_stock: true, list_price: 5999 }), GTIN),
  ...coded(observed(kettle('beta'), { '2026-11-12': 3999 }, { in_stock: false }), GTIN),
  ...coded(observed(kettle('gamma'), { '2026-11-01': 3000, '2026-11-15': 4450 }, { in_stock: true }), GTIN),
  ...coded(observed(kettle('epsilon'), { '2026-07-01': 3500 }, { in_stock: true }), GTIN),
  ...coded(
    observed(
      kettle('delta', { product_name: 'Zelta Kettle KX-200 0.5 L' }),
      { '2026-11-14': 1999 },
      { in_stock: true },
    ),
  ),
  // Two retailers number different things alike.
  ...coded(observed(kettle('alpha', { listing_id: 'XJ20455', product_name: 'Quill Lamp' }), { '2026-11-10': 2500 })),
  ...coded(observed(kettle('beta', { listing_id: 'XJ20455', product_name: 'Brisk Fan' }), { '2026-11-10': 2000 })),
  ...coded(observed(kettle('zeta', { product_name: 'Orbit Toaster' }), { '2026-07-02': 1500 }, { in_stock: true })),
]

let engine: Engine
const best = (given: Given) => ask(engine, 'shopper/best-price', given)
beforeAll(async () => {
  const { lake } = await ensureLake({ observations: feed })
  engine = await openEngine(lake, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const offersIn = ({ prices }: { prices: { retailer: string; price: number; match_type: string }[] }) =>
  prices.map(({ retailer, price, match_type }) => [retailer, price, match_type])

test('a product without a price in these days is not answered with one of another kind', async () => {
  const observations = [
    ...coded(observed(kettle('zeta', { product_name: 'Orbit Toaster' }), { '2025-01-05': 1500, '2026-07-02': 1500 })),
    ...coded(observed(kettle('zeta', { listing_id: 'cover', product_name: 'Toaster Cover' }), { '2026-06-20': 900 })),
  ]
  const toasters = await openEngine((await ensureLake({ observations })).lake, { as_of: new Date('2026-06-25') })
  await expect(ask(toasters, 'shopper/best-price', { q: 'toaster' })).rejects.toMatchObject({ code: 'NO_RESULTS' })
})

describe('one product at several retailers', () => {
  test('is listed with offers in stock first, then by price, along with other products of the same name', async () => {
    const answer = await best({ q: 'zelta kettle kx-200' })
    expect(offersIn(answer)).toEqual([
      ['delta', 19.99, 'title'],
      ['gamma', 44.5, 'entity'],
      ['alpha', 49.99, 'entity'],
      ['beta', 39.99, 'entity'],
    ])
    expect(answer.best_price).toEqual(answer.prices[0])
    expect(answer.retailer_count).toBe(4)
  })

  // 49.99 + 39.99 + 44.50 over three is 44.8266; 10.00 over 39.99 is 25.006 %.
  test('has only verified offers with strict, each with every field', async () => {
    const answer = await best({ q: 'zelta kettle kx-200', strict: true })
    expect(offersIn(answer).map(([retailer]) => retailer)).toEqual(['gamma', 'alpha', 'beta'])
    expect(answer).toMatchObject({
      query: 'zelta kettle kx-200',
      dropped_terms: null,
      country: 'us',
      currency: 'USD',
      entity_uid: expect.stringMatching(/^e_/),
      product_name: 'Zelta Kettle KX-200 1.7 L',
      brand: 'Zelta',
      retailer_count: 3,
      price_summary: { min: 39.99, max: 49.99, avg: 44.83, median: 44.5, spread_pct: 25.01 },
      meta: {
        price_observed_at_min: '2026-11-10T12:00:00Z',
        price_observed_at_max: '2026-11-15T12:00:00Z',
        freshness_seconds: 5.5 * DAY_SECONDS,
      },
    })
    expect(answer.prices[1]).toEqual({
      product_uid: expect.stringMatching(/^p_/),
      entity_uid: answer.entity_uid,
      product_id: 'kettle at alpha',
      product_name: 'Zelta Kettle KX-200 1.7 L',
      brand: 'Zelta',
      retailer: 'alpha',
      price: 49.99,
      list_price: 59.99,
      discount_pct: 16.67,
      star_rating: null,
      review_count: null,
      promo_flag: null,
      in_stock: true,
      condition: 'new',
      url: null,
      match_type: 'entity',
      observed_at: '2026-11-10T12:00:00Z',
      scraped_at: expect.any(String),
      recommended_price: null,
      match_confidence: 1,
      is_likely: false,
      // What a kettle holds is not what it contains.
      size: null,
      unit_price: null,
      age_days: 10,
      percentile_in_history: null,
      days_since_lower: null,
      previous_price: null,
    })
  })

  test('is shortened by limit without any other change', async () => {
    const [all, one] = [await best({ q: 'zelta kettle kx-200' }), await best({ q: 'zelta kettle kx-200', limit: 1 })]
    expect(one).toEqual({ ...all, prices: all.prices.slice(0, 1) })
  })

  test('has the same prices by the uid of a listing or of its entity', async () => {
    const { product_uid, entity_uid, prices } = await best({ q: 'zelta kettle kx-200', strict: true })
    expect((await best({ product_uid })).prices).toEqual(prices)
    expect((await best({ entity_uid })).prices).toEqual(prices)
    expect((await best({ product_uid, q: 'toaster' })).prices).toEqual(prices)
  })

  test('has no prices older than days', async () => {
    const retailers = async (days: number) => offersIn(await best({ q: GTIN, days })).map(([retailer]) => retailer)
    expect(await retailers(365)).toEqual(['epsilon', 'gamma', 'alpha', 'beta'])
    expect(await retailers(10)).toEqual(['gamma', 'beta'])
  })

  test('is found without trailing qualifiers that match nothing, which are returned', async () => {
    expect(await best({ q: 'zelta kettle kx-200 gold 2027' })).toMatchObject({ dropped_terms: ['gold', '2027'] })
  })
})

const SMALLER = 'Zelta Kettle KX-200 0.5 L'
const LARGER = 'Zelta Kettle KX-200 1.7 L'

describe('the answer names the product of best_price and how many products the text matches', () => {
  const productsOf = ({
    product_uid,
    entity_uid,
    product_name,
    brand,
    best_price,
  }: Awaited<ReturnType<typeof best>>) => [
    { product_uid, entity_uid, product_name, brand },
    {
      product_uid: best_price.product_uid,
      entity_uid: best_price.entity_uid,
      product_name: best_price.product_name,
      brand: best_price.brand,
    },
  ]

  test.each<[string, boolean, number, Given]>([
    [SMALLER, true, 2, { q: 'zelta kettle kx-200' }],
    [LARGER, true, 2, { q: 'zelta kettle kx-200', strict: true }],
    [LARGER, false, 1, { q: LARGER }],
    [LARGER, false, 1, { q: GTIN }],
  ])('%s, ambiguous: %s, %i matched: %o', async (product_name, ambiguous, products_matched, given) => {
    const answer = await best(given)
    expect(answer).toMatchObject({ product_name, ambiguous, products_matched })
    const [top, of_best_price] = productsOf(answer)
    expect(top).toEqual(of_best_price)
  })

  test('without counting listings that have no current price', async () => {
    expect(await best({ q: 'orbit toaster', days: 365 })).toMatchObject({ products_matched: 1 })
    expect(await best({ q: 'kettle', days: 7 })).toMatchObject({ products_matched: 2 })
    expect(await best({ q: 'kettle', days: 6 })).toMatchObject({ ambiguous: false, products_matched: 1 })
  })

  test('and is ambiguous for an id that two retailers use for different products', async () => {
    const answer = await best({ q: 'XJ20455' })
    expect(answer).toMatchObject({ ambiguous: true, products_matched: 2, retailer_count: 1 })
    expect(answer.product_name).toBe(answer.best_price.product_name)
  })

  test('and is never ambiguous for a uid, which is returned as it was sent', async () => {
    const { prices, entity_uid } = await best({ q: GTIN })
    expect(await best({ entity_uid })).toMatchObject({
      ambiguous: false,
      products_matched: 1,
      product_uid: prices[0].product_uid,
    })
    for (const { product_uid, product_name } of prices)
      expect(await best({ product_uid })).toMatchObject({
        ambiguous: false,
        products_matched: 1,
        product_uid,
        product_name,
        entity_uid,
        best_price: { product_uid: prices[0].product_uid },
      })
  })
})

test.each<Given>([
  { q: 'laptop' },
  { q: 'coffee', country: 'ca' },
  { q: 'juice' },
  { q: 'coffee', strict: true },
  { q: 'shampoo', days: 365 },
])('best-price of the sample lake with %o names the product that it prices', async (given) => {
  const { lake, as_of } = await sampleLake()
  const sample = await openEngine(lake, { as_of })
  const answer = await ask(sample, 'shopper/best-price', { ...given, limit: 50 })
  const { product_uid, entity_uid, product_name, brand, prices, products_matched, left_out } = answer
  expect(answer.best_price).toMatchObject({ product_uid, entity_uid, product_name, brand })
  type Priced = { product_uid: string; entity_uid: string | null }
  const likely = await sample.rows('SELECT product_uid, likely_uid FROM listing WHERE likely_uid IS NOT NULL', {})
  const likelyOf = new Map(likely.map((row) => [row.product_uid, row.likely_uid]))
  const productOf = (row: Priced) => (given.strict ? null : likelyOf.get(row.product_uid)) ?? row.entity_uid
  const priced = new Set(prices.map(productOf))
  expect(answer.ambiguous).toBe(products_matched > 1)
  if (prices.length < 50 && left_out === 0 && !given.strict) expect(products_matched).toBe(priced.size)
  else expect(products_matched).toBeGreaterThanOrEqual(priced.size)
})

describe('best-price is refused', () => {
  const refusal = async (given: Given) => answerOr(best(given))

  test('without a product, with what to send', async () => {
    await expect(best({})).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/q, product_uid or entity_uid/),
    })
  })

  test.each([
    { q: 'qqqqzzzz' },
    { q: 'zelta kettle kx-200 qqqqzzzz' },
    { product_uid: 'p_nobody' },
    { entity_uid: 'e_nobody' },
    { q: 'kettle', country: 'ca' },
  ])('for a product that does not exist: %j', async (given) => expect(await refusal(given)).toBe('NO_RESULTS'))

  test('for a product whose newest price is too old', async () => {
    expect(await refusal({ q: 'orbit toaster' })).toBe('NO_RESULTS')
    expect(await refusal({ q: 'orbit toaster', days: 365 })).toMatchObject({ retailer_count: 1 })
  })

  test('for a retailer that is not serving before the product is searched', async () => {
    expect(await refusal({ q: 'qqqqzzzz', retailer: 'nobody' })).toBe('RETAILER_NOT_SERVING_ELIGIBLE')
  })
})

describe('the newest prices', () => {
  test.each<Given>([
    { q: 'zelta kettle kx-200' },
    { q: GTIN },
    { q: 'zelta kettle kx-200', days: 365 },
    { q: 'zelta kettle', days: 8 },
  ])('with %o are the same from memory and from files', async (given) => {
    const answer = JSON.stringify(await best(given))
    expect(JSON.stringify(await askFiles(engine, 'shopper/best-price', given))).toBe(answer)
  })
})
