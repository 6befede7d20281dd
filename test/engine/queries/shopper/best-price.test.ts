import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, askFiles, type Given } from '../../../support/ask.ts'
import { givenLake, openEngine } from '../../../support/given.ts'
import { feedRow, type Listing, listing, type Observation, observed } from '../../../support/rows.ts'
import { answerOr } from '../../../support/world-questions.ts'

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
  ...coded(observed(kettle('zeta', { product_name: 'Orbit Toaster' }), { '2026-07-02': 1500 }, { in_stock: true })),
]

let engine: Engine
const best = (given: Given) => ask(engine, 'shopper/best-price', given)
beforeAll(async () => {
  const { lake } = await givenLake({ observations: feed })
  engine = await openEngine(lake, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const shown = ({ prices }: { prices: { retailer: string; price: number; match_type: string }[] }) =>
  prices.map(({ retailer, price, match_type }) => [retailer, price, match_type])

describe('one product at several retailers', () => {
  test('in stock comes first, then the cheapest; the text also finds the smaller one', async () => {
    const answer = await best({ q: 'zelta kettle kx-200' })
    expect(shown(answer)).toEqual([
      ['delta', 19.99, 'title'],
      ['gamma', 44.5, 'entity'],
      ['alpha', 49.99, 'entity'],
      ['beta', 39.99, 'entity'],
    ])
    expect(answer.best_price).toEqual(answer.prices[0])
    expect(answer.retailer_count).toBe(4)
  })

  // 49.99 + 39.99 + 44.50 over three is 44.8266; 10.00 over 39.99 is 25.006 %.
  test('strict keeps the verified ones, of which every field is told', async () => {
    const answer = await best({ q: 'zelta kettle kx-200', strict: true })
    expect(shown(answer).map(([retailer]) => retailer)).toEqual(['gamma', 'alpha', 'beta'])
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
        freshness_seconds: 5.5 * 86_400,
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
    })
  })

  test('the limit shortens the list and nothing else', async () => {
    const [all, one] = [await best({ q: 'zelta kettle kx-200' }), await best({ q: 'zelta kettle kx-200', limit: 1 })]
    expect(one).toEqual({ ...all, prices: all.prices.slice(0, 1) })
  })

  test('a uid of a listing or of an entity names the same prices', async () => {
    const { product_uid, entity_uid, prices } = await best({ q: 'zelta kettle kx-200', strict: true })
    expect((await best({ product_uid })).prices).toEqual(prices)
    expect((await best({ entity_uid })).prices).toEqual(prices)
    expect((await best({ product_uid, q: 'toaster' })).prices).toEqual(prices)
  })

  test('prices older than days are left out', async () => {
    const retailers = async (days: number) => shown(await best({ q: GTIN, days })).map(([retailer]) => retailer)
    expect(await retailers(365)).toEqual(['epsilon', 'gamma', 'alpha', 'beta'])
    expect(await retailers(10)).toEqual(['gamma', 'beta'])
  })

  test('trailing words that nothing matches are dropped and told', async () => {
    expect(await best({ q: 'zelta kettle kx-200 qqqqzzzz' })).toMatchObject({ dropped_terms: ['qqqqzzzz'] })
  })
})

describe('is refused', () => {
  const refusal = async (given: Given) => answerOr(best(given))

  test('without a product, naming what to send', async () => {
    await expect(best({})).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/q, product_uid or entity_uid/),
    })
  })

  test.each([
    { q: 'qqqqzzzz' },
    { product_uid: 'p_nobody' },
    { entity_uid: 'e_nobody' },
    { q: 'kettle', country: 'ca' },
  ])('for what the catalogue does not know: %j', async (given) => expect(await refusal(given)).toBe('NO_RESULTS'))

  test('for a product whose last price is too old', async () => {
    expect(await refusal({ q: 'orbit toaster' })).toBe('NO_RESULTS')
    expect(await refusal({ q: 'orbit toaster', days: 365 })).toMatchObject({ retailer_count: 1 })
  })

  test('for a retailer that does not serve before the product is looked for', async () => {
    expect(await refusal({ q: 'qqqqzzzz', retailer: 'nobody' })).toBe('RETAILER_NOT_SERVING_ELIGIBLE')
  })
})

describe('the newest prices', () => {
  test.each<Given>([
    { q: 'zelta kettle kx-200' },
    { q: GTIN },
    { q: 'zelta kettle kx-200', days: 365 },
    { q: 'zelta kettle', days: 8 },
  ])('of %o are the same in memory as in the files', async (given) => {
    const answer = JSON.stringify(await best(given))
    expect(JSON.stringify(await askFiles(engine, 'shopper/best-price', given))).toBe(answer)
  })
})
