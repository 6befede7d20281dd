import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, type Given } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { type Listing, listing, type Observation, observed } from '../../../support/rows.ts'

const on = (days: Readonly<Record<number, number>>, of: Listing, details: Partial<Observation> = {}) =>
  Object.entries(days).flatMap(([day, price]) =>
    observed(of, { [`2026-10-${day.padStart(2, '0')}`]: price }, { ...details }),
  )

const old = listing('1', { spelling: 'Acme' })
const rows: Observation[] = [
  ...on({ 1: 100, 2: 100, 4: 110 }, old),
  ...on(
    { 1: 200, 2: 220, 4: 200 },
    listing('2', { spelling: 'ACME, Inc.', platform: 'beta', shelf: ['Garden', 'Hoses'] }),
    {
      in_stock: true,
      list_price: 300,
    },
  ),
  // Expensive, and new on the 4th.
  ...on({ 4: 900 }, listing('3', { spelling: 'Visit the Acme Store', platform: 'gamma' }), { in_stock: false }),
  ...on({ 5: 1 }, listing('4', { spelling: 'Acme', country: 'ca' })),
  ...on({ 2: 1 }, listing('5', { spelling: 'Bodum' })),
  ...on({ 2: 1 }, listing('6', { spelling: 'Generic' })),
]

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of: new Date('2026-11-21T00:00:00Z') })
})

const tracked = (params: Given) =>
  ask(engine, 'marketing/brand-tracker', { brand: 'acme', from: '2026-10-01', to: '2026-10-05', ...params })

const point = {
  partial: false,
  retailer_avg_price: null,
  category_avg_price: null,
  price_index: null,
  insufficient_sample: true,
  sample_threshold: 30,
}

// The naive average goes from 1.50 to 4.03 as the third listing enters; that of the two priced on every day from 1.50 to
// 1.55. Two pairs are too few to link by: the links are of averages, 1.60 / 1.50 and 4.0333 / 1.60.
test('three days of three listings have the figures computed by hand', async () => {
  expect(await tracked({})).toMatchObject({
    brand: 'Acme',
    country: 'us',
    currency: 'USD',
    retailer: null,
    window: {
      preset: 'custom',
      from: '2026-10-01',
      to: '2026-10-05',
      comparison_from: '2026-09-27',
      comparison_to: '2026-10-01',
      granularity: 'daily',
      timezone: 'UTC',
    },
    sample_threshold: 30,
    insufficient_sample_points: 3,
    insufficient_sample: true,
    stable_basket_size: 2,
    time_series: [
      {
        ...point,
        date: '2026-10-01',
        period: '2026-10-01',
        avg_price: 1.5,
        min_price: 1,
        max_price: 2,
        median_price: 1.5,
        product_count: 2,
        observation_count: 2,
        change_pct: null,
        matched_basket_size: 0,
        method: null,
        in_stock_count: 1,
        promo_count: 1,
        stable_avg_price: 1.5,
      },
      {
        ...point,
        date: '2026-10-02',
        avg_price: 1.6,
        min_price: 1,
        max_price: 2.2,
        median_price: 1.6,
        change_pct: 6.67,
        matched_basket_size: 2,
        method: 'naive',
        promo_count: 1,
        stable_avg_price: 1.6,
      },
      // The 3rd, without observations, is no period.
      {
        ...point,
        date: '2026-10-04',
        avg_price: 4.03,
        min_price: 1.1,
        max_price: 9,
        median_price: 2,
        product_count: 3,
        observation_count: 3,
        change_pct: 152.08,
        matched_basket_size: 2,
        method: 'naive',
        in_stock_count: 1,
        promo_count: 1,
        stable_avg_price: 1.55,
      },
    ],
    meta: { price_observed_at_min: '2026-10-01T12:00:00Z', price_observed_at_max: '2026-10-04T12:00:00Z' },
  })
})

// The lower middle of 1.00, 1.00, 1.10 and of 2.00, 2.00, 2.20, and the 9.00: on average 4.00. One period has no basket.
test('a week has one price per listing', async () => {
  const { time_series, ...answer } = await tracked({ granularity: 'weekly' })
  expect(answer).toMatchObject({ stable_basket_size: null, insufficient_sample_points: 1 })
  expect(time_series).toMatchObject([
    {
      ...point,
      // From Monday the 28th of September, which the window cuts.
      date: '2026-09-28',
      period: '2026-W40',
      partial: true,
      avg_price: 4,
      median_price: 2,
      product_count: 3,
      observation_count: 7,
      stable_avg_price: null,
    },
  ])
})

test('a brand is tracked in one country only', async () => {
  const { time_series, ...answer } = await tracked({ country: 'ca', to: '2026-10-06' })
  expect(answer).toMatchObject({ country: 'ca', currency: 'CAD', stable_basket_size: null })
  expect(time_series).toMatchObject([{ date: '2026-10-05', avg_price: 0.01, product_count: 1 }])
})

test.each([
  [{ brand: 'Nobody' }, { brand: 'Nobody' }],
  [{ brand: 'Generic' }, { brand: 'Generic' }],
  [{ from: '2026-09-01', to: '2026-10-01' }, { from: '2026-09-01' }],
])('%j has no results', async (params, details) => {
  await expect(tracked(params)).rejects.toMatchObject({ code: 'NO_RESULTS', details })
})

test('a misspelt brand is refused with the closest brands', async () => {
  await expect(tracked({ brand: 'Bodun' })).rejects.toMatchObject({ details: { closest_brands: ['Bodum'] } })
})
