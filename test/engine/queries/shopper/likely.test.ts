import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, type Given, planOf } from '../../../support/ask.ts'
import { ensureLake, openEngine } from '../../../support/given.ts'
import { feedRow, listing, observed } from '../../../support/rows.ts'
import { answerOr } from '../../../support/world-queries.ts'

const BRANDS = ['Harlow', 'Brindle', 'Castaway', 'Dunmore', 'Everly', 'Foxglove', 'Granite Bay', 'Hollins']
const KINDS = [
  ['Sea Salt Kettle Potato Chips', 'Potato Chips Kettle Cooked Sea Salt', 8.5],
  ['Creamy Almond Butter Spread', 'Almond Butter Creamy', 16],
  ['Organic Whole Wheat Penne Pasta', 'Penne Whole Wheat Pasta Organic', 12],
  ['Wild Blueberry Fruit Preserve', 'Preserve Wild Blueberry', 11],
  ['Dark Roast Ground Coffee', 'Ground Coffee, Dark Roast', 10],
] as const

/** Each brand's foods as two shops name them, without barcodes; the prices of the second are a tenth higher. */
const foods = BRANDS.flatMap((brand, b) =>
  KINDS.map(([name, other, ounces], k) => {
    const cents = 299 + 50 * k + 7 * b
    return { brand, name: `${brand} ${name}, ${ounces} oz`, other: `${brand} ${other} ${ounces} Ounce`, cents }
  }),
)
const shelf = ['Grocery', 'Pantry']
const feed = foods.flatMap(({ brand, name, other, cents }, i) =>
  (['alpha', 'beta'] as const).flatMap((platform) => {
    const product_name = platform === 'alpha' ? name : other
    const price = platform === 'alpha' ? cents : Math.round(cents * 1.1)
    const of = listing(`${platform} ${i}`, { platform, product_name, spelling: brand, shelf })
    return observed(of, { '2026-10-05': price, '2026-11-02': price, '2026-11-15': price }, { in_stock: true })
  }),
)

let lake: string
let engine: Engine
beforeAll(async () => {
  ;({ lake } = await ensureLake({ observations: feed.map(feedRow) }))
  engine = await openEngine(lake, { as_of: new Date('2026-11-21T00:00:00Z') })
})
const q = 'harlow sea salt kettle potato chips'

describe('listings without barcodes, which two shops name differently', () => {
  test('are rows of best-price with the probability that they are one product', async () => {
    const answer = await ask(engine, 'shopper/best-price', { q })
    expect(answer).toMatchObject({ likely_count: 1, retailer_count: 2 })
    expect(answer.prices.slice(0, 2)).toMatchObject([
      { retailer: 'alpha', match_type: 'entity', match_confidence: 1, is_likely: false },
      { retailer: 'beta', match_type: 'title', is_likely: true, product_name: foods[0]!.other },
    ])
    expect(answer.prices[1].match_confidence).toBeGreaterThanOrEqual(0.5)
    expect(answer.prices[1].match_confidence).toBeLessThan(1)
  })

  test('have the best price at the cheaper shop, even if the title of the other is closer to the text', async () => {
    const asBeta = { q: 'harlow preserve wild blueberry' }
    const answer = await ask(engine, 'shopper/best-price', asBeta)
    expect(answer.best_price).toMatchObject({ retailer: 'alpha', is_likely: true })
    expect(answer.prices[0]).toMatchObject({ retailer: 'alpha', price: foods[3]!.cents / 100 })
    const strict = await ask(engine, 'shopper/best-price', { ...asBeta, strict: true })
    expect(strict.best_price).toMatchObject({ retailer: 'beta', is_likely: false })
  })

  test('are not compared with strict', async () => {
    const answer = await ask(engine, 'shopper/best-price', { q, strict: true })
    expect(answer).toMatchObject({ likely_count: 0, retailer_count: 1 })
  })

  test('are found before the payment as one product of two retailers', async () => {
    const { context } = await planOf(engine, 'shopper/best-price', { q })
    expect(context).toMatchObject({ resolved_product: { retailer_count: 2 } })
  })

  test.each(['shopper/price-history', 'shopper/price-drop-alert'])('make a %s with likely=true alone', async (id) => {
    const [{ product_uid, retailer }] = (await ask(engine, 'shopper/best-price', { q })).prices
    const of = (given: Given) => ask(engine, id, { product_uid, ...given })
    expect(retailer).toBe('alpha')
    expect(await of({})).toMatchObject({ scope: 'listing', member_count: 1 })
    const likely = await of({ likely: true })
    expect(likely).toMatchObject({ scope: 'likely', member_count: 2 })
    expect(likely.offers).toMatchObject([
      { retailer: 'alpha', match_type: 'entity', match_confidence: 1 },
      { retailer: 'beta', match_type: 'title' },
    ])
  })

  test('are the pairs of the likely index, where the certain one has none', async () => {
    const params = { retailer: 'beta', category: shelf.join(' > '), granularity: 'monthly', days: 60 }
    const { time_series } = await ask(engine, 'analyst/retailer-index', params)
    for (const point of time_series) {
      expect(point).toMatchObject({ matched_price_index: null, matched_entities: 0 })
      expect(point.likely_pairs).toBeGreaterThan(foods.length / 2)
      expect(point.likely_price_index).toBeCloseTo(1.1, 2)
    }
  })

  test('are the same from memory, from Parquet and beyond the memory budget', async () => {
    const options = { as_of: new Date('2026-11-21T00:00:00Z') }
    const others = [
      await openEngine(lake, { ...options, warm: true }),
      await openEngine(lake, { ...options, memory_budget: 1000 }),
    ]
    const { prices } = await ask(engine, 'shopper/best-price', { q })
    const requests: [string, Given][] = [
      ['shopper/best-price', { q }],
      ['shopper/best-price', { product_uid: prices[1].product_uid }],
      ['shopper/price-history', { product_uid: prices[1].product_uid, likely: true }],
      ['analyst/retailer-index', { retailer: 'beta', days: 60 }],
    ]
    for (const [id, given] of requests) {
      const expected = await answerOr(ask(engine, id, given))
      expect(typeof expected).toBe('object')
      for (const other of others) expect(await answerOr(ask(other, id, given)), id).toEqual(expected)
    }
  })
})
