import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, type Given } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { listing, type Observation, observed, priced } from '../../../support/rows.ts'

const acme = { spelling: 'Acme' }
const rows: Observation[] = [
  ...priced('1', 100, acme),
  ...priced('2', 100, { ...acme, shelf: ['Grocery', 'Tea'] }),
  ...priced('3', 100, { ...acme, shelf: ['Garden', 'Hoses'], platform: 'beta' }),
  ...priced('4', 100, { ...acme, shelf: ['Beauty'] }),
  // Last seen 91 days before: no current price.
  ...observed(listing('5', { ...acme, shelf: ['Garden'] }), { '2026-08-22': 100 }),
  ...priced('6', 100, { spelling: 'Bodum', country: 'ca' }),
]

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const broken = (params: Given) => ask(engine, 'marketing/brand-breakdown', params)

// Two in grocery; beauty and garden, of one each, by name. Ten days and a half are 252 hours.
test('four current products have the figures computed by hand', async () => {
  expect(await broken({ brand: 'ACME' })).toMatchObject({
    brand: 'Acme',
    country: 'us',
    currency: 'USD',
    breakdown: [
      { category_root: 'grocery', product_count: 2 },
      { category_root: 'beauty', product_count: 1 },
      { category_root: 'garden', product_count: 1 },
    ],
    coverage: { products: 4, sufficient: false, note: expect.stringContaining('4 products') },
    freshness: { observedThrough: '2026-11-10T12:00:00Z', staleHours: 252 },
    resolved: { input: 'ACME', match_source: 'brand', match_confidence: 1, category_path: null, alternates: [] },
    meta: { price_observed_at_min: '2026-11-10T12:00:00Z', freshness_seconds: 907_200 },
  })
})

test('a larger days parameter includes older prices', async () => {
  const { breakdown, coverage } = await broken({ brand: 'Acme', days: 91 })
  expect(coverage.products).toBe(5)
  expect(breakdown[0]).toEqual({ category_root: 'garden', product_count: 2 })
})

test('a brand without a price in the country has empty coverage rather than a refusal', async () => {
  expect(await broken({ brand: 'Bodum' })).toMatchObject({
    brand: 'Bodum',
    breakdown: [],
    coverage: { products: 0, sufficient: false, note: expect.stringContaining('no current price') },
    freshness: { observedThrough: null, staleHours: null },
    meta: { freshness_seconds: null, price_observed_at_min: null, price_observed_at_max: null },
  })
})

test.each(['Nobody', 'Generic', '!!'])('%s is refused because it is not a brand', async (brand) => {
  await expect(broken({ brand })).rejects.toMatchObject({ code: 'NO_RESULTS' })
})
