import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask, type Given } from '../../../support/ask.ts'
import { ensureLake, openEngine } from '../../../support/given.ts'
import { feedRow, type Listing, listing, type Observation, observed } from '../../../support/rows.ts'
import { answerOr } from '../../../support/world-queries.ts'

const product = (product_name: string, platform = 'alpha', of: Partial<Listing> = {}): Listing =>
  listing(`${product_name} at ${platform}`, {
    platform,
    product_name,
    spelling: 'Zelta',
    shelf: ['Home', 'Lamps'],
    ...of,
  })
const sold = (of: Listing, prices: Record<string, number>, more: Partial<Observation> = {}, gtin?: string) =>
  observed(of, prices, { in_stock: true, ...more }).map((row) => ({ ...feedRow(row), gtin }))

const GTIN = '4006381333931'
const shared = (platform: string, of: Partial<Listing> = {}) => product('Zelta Torch TQ-31', platform, of)

const feed = [
  ...sold(product('Quiet Lamp'), { '2026-10-25': 2000, '2026-11-01': 2200, '2026-11-10': 2100, '2026-11-18': 1900 }),
  ...sold(product('Even Lantern'), { '2026-11-01': 2100, '2026-11-02': 2100, '2026-11-18': 1995 }),
  ...sold(product('Steady Candle'), { '2026-11-01': 2100, '2026-11-02': 2100, '2026-11-18': 1996 }),
  ...sold(product('Lone Bulb'), { '2026-11-18': 500 }),
  ...sold(product('Old Sconce'), { '2026-06-01': 700, '2026-06-02': 900 }),
  // Two retailers sell the torch; a used one beside them is no drop of its price.
  ...sold(shared('alpha'), { '2026-11-01': 1000, '2026-11-10': 1200 }, { promo_flag: true }, GTIN),
  ...sold(shared('beta'), { '2026-11-01': 800 }, { in_stock: false }, GTIN),
  ...sold(shared('beta'), { '2026-11-10': 1100 }, {}, GTIN),
  ...sold(shared('beta'), { '2026-11-18': 900 }, { in_stock: false }, GTIN),
]

let engine: Engine
beforeAll(async () => {
  const { lake } = await ensureLake({ observations: feed })
  engine = await openEngine(lake, { as_of: new Date('2026-11-21T00:00:00Z') })
})
const drop = (given: Given) => ask(engine, 'shopper/price-drop-alert', given)
const history = (given: Given) => ask(engine, 'shopper/price-history', given)

describe('price-drop-alert', () => {
  // The other days average (20 + 22 + 21) / 3 = 21; 19 is 9.52 % below.
  test('of one listing has the figures computed by hand', async () => {
    expect(await drop({ q: 'quiet lamp' })).toMatchObject({
      query: 'quiet lamp',
      country: 'us',
      currency: 'USD',
      product_uid: expect.stringMatching(/^p_/),
      product_name: 'Quiet Lamp',
      retailer: 'alpha',
      condition: 'new',
      current_price: 19,
      avg_price_last_30d: 21,
      price_vs_avg_pct: -9.52,
      is_price_drop: true,
      lowest_seen: 19,
      lowest_seen_date: '2026-11-18',
      insufficient_history: false,
      observation_count: 4,
      scope: 'listing',
      member_count: 1,
      window: { preset: 'last_30_days', from: '2026-10-22', to: '2026-11-21' },
      gpc: null,
      meta: { price_observed_at_min: '2026-10-25T12:00:00Z', price_observed_at_max: '2026-11-18T12:00:00Z' },
    })
  })

  test('reports a drop of exactly 5 % but not a cent less', async () => {
    expect(await drop({ q: 'even lantern' })).toMatchObject({ is_price_drop: true, price_vs_avg_pct: -5 })
    expect(await drop({ q: 'steady candle' })).toMatchObject({ is_price_drop: false, lowest_seen: 19.96 })
  })

  test('has no average and no drop where there is a single day', async () => {
    expect(await drop({ q: 'lone bulb' })).toMatchObject({
      avg_price_last_30d: null,
      price_vs_avg_pct: null,
      is_price_drop: false,
      insufficient_history: true,
      lowest_seen: 5,
    })
  })

  // By day: 10 (the cheaper is out of stock), 11, and 9 where none is in stock. (10 + 11) / 2 = 10.50.
  test('of an entity uses its lowest price in stock on each day', async () => {
    expect(await drop({ q: 'zelta torch' })).toMatchObject({
      retailer: 'beta',
      current_price: 9,
      avg_price_last_30d: 10.5,
      price_vs_avg_pct: -14.29,
      is_price_drop: true,
      lowest_seen: 9,
      lowest_seen_date: '2026-11-18',
      observation_count: 5,
      scope: 'entity',
      member_count: 2,
    })
  })

  test('of a listing given by uid ignores the rest of its entity', async () => {
    const [row] = await engine.rows(
      "SELECT product_uid FROM listing WHERE product_id = 'Zelta Torch TQ-31 at alpha'",
      {},
    )
    expect(await drop({ product_uid: String(row?.product_uid) })).toMatchObject({
      scope: 'listing',
      current_price: 12,
      avg_price_last_30d: 10,
      lowest_seen_date: '2026-11-01',
      insufficient_history: true,
    })
  })

  test.each<[Given, string]>([
    [{}, 'last_30_days'],
    [{ days: 40 }, 'last_40_days'],
    [{ days: 40, lookback_days: 50 }, 'last_50_days'],
    [{ lookback_days: 50, time_window: 'last_60_days' }, 'last_60_days'],
    [{ lookback_days: 50, time_window: 'last_60_days', from: '2026-10-24', to: '2026-11-12' }, 'custom'],
  ])('with %j has the window %s', async (given, preset) => {
    expect(await drop({ q: 'quiet lamp', ...given })).toMatchObject({ window: { preset } })
  })

  // The days of October alone: their average is 20; the price of now is not among them and yet the lowest.
  test('compares a past window with the current price', async () => {
    expect(await drop({ q: 'quiet lamp', time_window: 'previous_month' })).toMatchObject({
      current_price: 19,
      avg_price_last_30d: 20,
      lowest_seen: 19,
      observation_count: 1,
    })
  })
})

describe('price-history', () => {
  // Weeks from Monday; 1 November is a Sunday, and both it and the week of today are cut by the window.
  test('of an entity by week has the figures computed by hand', async () => {
    const answer = await history({ q: 'zelta torch', granularity: 'weekly', from: '2026-11-01', to: '2026-11-21' })
    expect(answer).toMatchObject({
      scope: 'entity',
      member_count: 2,
      granularity: 'weekly',
      current_price: 9,
      lowest_seen: 9,
      lowest_seen_date: '2026-11-18',
      highest_seen: 11,
      highest_seen_date: '2026-11-10',
      insufficient_history: false,
      observation_count: 5,
    })
    const week = (date: string, period: string, prices: number[], counts: number[], partial: boolean) => ({
      ...{ date, period, partial },
      ...{ avg_price: prices[0], min_price: prices[1], max_price: prices[2], median_price: prices[3] },
      ...{ retailer_count: counts[0], observation_count: counts[1], in_stock_count: counts[2], promo_count: counts[3] },
    })
    expect(answer.time_series).toEqual([
      week('2026-10-26', '2026-W44', [9, 8, 10, 9], [2, 2, 1, 1], true),
      week('2026-11-09', '2026-W46', [11.5, 11, 12, 11.5], [2, 2, 2, 1], false),
      week('2026-11-16', '2026-W47', [9, 9, 9, 9], [1, 1, 0, 0], true),
    ])
  })

  // The month's price is the lower middle of 19, 21 and 22; its extremes are those of its days.
  test('by month averages the monthly prices of listings and keeps the extremes of their days', async () => {
    const { time_series } = await history({ q: 'quiet lamp', granularity: 'monthly', from: '2026-11-01' })
    expect(time_series).toMatchObject([{ period: '2026-11', avg_price: 21, min_price: 19, max_price: 22 }])
  })

  test('of a past window has no current price', async () => {
    expect(await history({ q: 'old sconce', from: '2026-06-01', to: '2026-07-01' })).toMatchObject({
      current_price: null,
      highest_seen: 9,
      meta: { price_observed_at_max: '2026-06-02T12:00:00Z' },
    })
  })
})

describe.each(['shopper/price-drop-alert', 'shopper/price-history'])('%s is refused', (id) => {
  test.each<[Given, string]>([
    [{}, 'INVALID_PARAMS'],
    [{ q: 'quiet lamp', time_window: 'custom' }, 'INVALID_PARAMS'],
    [{ q: 'quiet lamp', from: '2026-11-02', to: '2026-11-01' }, 'INVALID_PARAMS'],
    [{ q: 'qqqqzzzz' }, 'NO_RESULTS'],
    [{ q: 'quiet lamp', from: '2026-01-01', to: '2026-02-01' }, 'NO_RESULTS'],
    [{ q: 'qqqqzzzz', retailer: 'nobody' }, 'RETAILER_NOT_SERVING_ELIGIBLE'],
  ])('with %j: %s', async (given, code) => {
    expect(await answerOr(ask(engine, id, given))).toBe(code)
  })
})
