import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine, EngineError } from '../../../engine/index.ts'
import { ask } from '../../support/ask.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import { referenceFeeds } from '../../support/reference.ts'

// Ground coffee on three shelves of two departments, beside instant coffee, tea, and listings of no type.
const LISTINGS: readonly (readonly [id: string, country: string, path: string, gpc_code: string, price: string])[] = [
  ['a1', 'us', 'Grocery > Coffee', '10008179', '10.00'],
  ['a2', 'us', 'Grocery > Coffee', '10008179', '12.00'],
  ['a3', 'us', 'Grocery > Coffee', '10000115', '5.00'],
  ['a4', 'us', 'Grocery > Gifts', '10008179', '20.00'],
  ['a5', 'us', 'Kitchen > Coffee Accessories', '10008179', '14.00'],
  ['a6', 'us', 'Grocery > Tea', '10000116', '4.00'],
  ['a7', 'us', 'Grocery > Gifts', '', '99.00'],
  ['a8', 'ca', 'Grocery > Coffee', '10000115', '7.00'],
]
const DAYS = ['2026-01-10T08:00:00Z', '2026-02-10T09:00:00Z', '2026-02-20T10:00:00Z']

const observations = LISTINGS.flatMap(([listing_id, country, category_path, gpc_code, price]) =>
  DAYS.map((observed_at, index) => ({
    platform: listing_id === 'a4' ? 'beta' : 'alpha',
    country,
    listing_id,
    observed_at,
    price: (Number(price) + index).toFixed(2),
    currency: country === 'us' ? 'USD' : 'CAD',
    brand: 'Acme',
    category_path,
    ...(gpc_code ? { gpc_code } : {}),
    condition: 'new',
  })),
)

let engine: Engine
beforeAll(async () => {
  const { lake } = await ensureLake({ observations, files: referenceFeeds })
  engine = await openEngine(lake, { as_of: new Date('2026-02-21') })
})

const products = async (given: Record<string, string>): Promise<string[]> => {
  const { products } = await ask(engine, 'marketing/competitive-landscape', given)
  return products.map(({ product_id }: { product_id: string }) => product_id).sort()
}
const refused = (given: Record<string, string>) =>
  ask(engine, 'marketing/competitive-landscape', given).then(
    () => null,
    ({ code, message, details }: EngineError) => ({ code, message, details }),
  )

describe('a GPC code as a category', () => {
  test.each([
    ['a brick', '10008179', ['a1', 'a2', 'a4', 'a5']],
    ['a class, with every brick beneath it', '50202600', ['a1', 'a2', 'a3', 'a4', 'a5']],
    ['a family', '50200000', ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']],
    ['a segment', '50000000', ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']],
    ['a class with one brick of its title', '50202700', ['a6']],
  ])('finds the listings of %s on any shelf', async (_, category, expected) => {
    expect(await products({ category })).toEqual(expected)
  })

  test('resolves to the shelf with most of its listings and lists the others as alternates', async () => {
    const { category, department, resolved } = await ask(engine, 'marketing/share-of-shelf', { category: '10008179' })
    expect({ category, department }).toEqual({ category: '10008179', department: null })
    // Two of the four are on coffee, one each on the others.
    expect(resolved).toMatchObject({
      input: '10008179',
      category_path: 'grocery/coffee',
      department: 'grocery',
      match_source: 'gpc',
      match_confidence: 1,
    })
    expect(resolved.alternates).toMatchObject([
      { category_path: 'grocery/gifts', match_source: 'gpc', match_confidence: 0.25 },
      { category_path: 'kitchen/coffee-accessories', match_source: 'gpc', match_confidence: 0.25 },
    ])
  })

  test('is narrowed by country and retailer', async () => {
    expect(await products({ category: '50202600', country: 'ca' })).toEqual(['a8'])
    const { code } = (await refused({ category: '10008179', retailer: 'beta' }))!
    expect(code).toBe('RETAILER_NOT_SERVING_ELIGIBLE')
  })

  test('is narrowed by a department and does not exclude accessory shelves', async () => {
    const inKitchen = await ask(engine, 'analyst/category-summary', { category: '10008179', department: 'kitchen' })
    expect(inKitchen).toMatchObject({ product_count: 1, pricing: { min: 16 }, department: 'kitchen' })
    const everywhere = await ask(engine, 'analyst/category-summary', { category: '10008179' })
    expect(everywhere).toMatchObject({ product_count: 4, excluded: { accessory_or_parts: 0 } })
  })

  test('applies to series and past moments, whose monthly roll-ups have no type', async () => {
    const inflation = await ask(engine, 'analyst/inflation', {
      category: '10008179',
      from: '2026-01-01',
      to: '2026-03-01',
    })
    // January: (10 + 12 + 20 + 14) / 4; the days of February have their medians at the first of the two: one more.
    expect(inflation.time_series.map(({ avg_price }: { avg_price: number }) => avg_price)).toEqual([14, 15])
    expect(inflation.meta).toMatchObject({
      price_observed_at_min: '2026-01-10T08:00:00Z',
      price_observed_at_max: '2026-02-20T10:00:00Z',
    })
    const promotions = await ask(engine, 'marketing/promo-intelligence', { category: '10000115', days: '60' })
    expect(promotions.brands).toMatchObject([{ brand: 'Acme', total_observations: 3 }])
    const before = await ask(engine, 'analyst/category-summary', { category: '10008179' }, '2026-02-01T00:00:00Z')
    expect(before).toMatchObject({ product_count: 4, pricing: { avg: 14 } })
  })

  test('is returned with products', async () => {
    const { gpc } = await ask(engine, 'shopper/best-price', { product_uid: await uidOf('a1') })
    expect(gpc).toEqual({
      code: '10008179',
      title: 'Coffee - Ground',
      level: 'brick',
      segment: 'Food/Beverage',
      family: 'Beverages',
      class: 'Coffee',
      brick: 'Coffee - Ground',
      match_precision: 'exactMatch',
      match_source: 'listing',
    })
  })

  test('is refused without listings, with a broader code that has some, or if it is not a GPC code', async () => {
    expect(await refused({ category: '10008178' })).toMatchObject({
      code: 'NO_RESULTS',
      details: { gpc: { title: 'Coffee - Beans' }, try: ['50202600'] },
    })
    expect(await refused({ category: '10003387' })).toMatchObject({ code: 'NO_RESULTS', details: { try: [] } })
    expect(await refused({ category: '12345678' })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'category: 12345678 is not in the GPC release v20260201',
    })
  })
})

const uidOf = async (id: string): Promise<string> => {
  const { products } = await ask(engine, 'marketing/competitive-landscape', { category: '10008179' })
  return products.find(({ product_id }: { product_id: string }) => product_id === id).product_uid
}
