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
  ...sold(product('Zelta Torch TQ-32 Mini'), { '2026-11-18': 700 }),
  ...sold(product('Quiet Lamp'), { '2026-10-25': 2000, '2026-11-01': 2200, '2026-11-10': 2100, '2026-11-18': 1900 }),
  ...sold(product('Even Lantern'), { '2026-11-15': 2200, '2026-11-18': 1990 }),
  ...sold(product('Steady Candle'), { '2026-11-15': 2200, '2026-11-18': 1991 }),
  ...sold(product('Lone Bulb'), { '2026-11-18': 500 }),
  ...sold(product('Maple Syrup', 'gamma', { shelf: ['Grocery', 'Syrups'] }), { '2026-11-18': 1000 }).map((row) => ({
    ...row,
    size_value: '500',
    size_unit: 'ml',
  })),
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
const cheapest = (given: Given) => ask(engine, 'shopper/best-price', given)

describe('price-drop-alert', () => {
  // From 22 October to 20 November the price stands at 20 for 7 days, 22 for 9, 21 for 8 and 19 for 3, after 3 days
  // without: (140 + 198 + 168 + 57) / 27 = 20.85; 19 is 8.88 % below. Of the 4 observed days none was cheaper.
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
      avg_price_last_30d: 20.85,
      price_vs_avg_pct: -8.88,
      is_price_drop: true,
      lowest_seen: 19,
      lowest_seen_date: '2026-11-18',
      lowest_seen_retailer: 'alpha',
      highest_seen: 22,
      highest_seen_date: '2026-11-01',
      insufficient_history: false,
      observation_count: 4,
      percentile_in_history: 0,
      days_since_lower: null,
      previous_price: 21,
      scope: 'listing',
      member_count: 1,
      window: { preset: 'last_30_days', from: '2026-10-22', to: '2026-11-21' },
      gpc: null,
      meta: { price_observed_at_min: '2026-10-25T12:00:00Z', price_observed_at_max: '2026-11-18T12:00:00Z' },
    })
  })

  // 22 and 19.90 stand for three days each: 20.95, 95 % of which is 19.9025; of 20.955 it is 19.907.
  test('reports a drop of exactly 5 % but not a cent less', async () => {
    expect(await drop({ q: 'even lantern' })).toMatchObject({ is_price_drop: true, price_vs_avg_pct: -5.01 })
    expect(await drop({ q: 'steady candle' })).toMatchObject({ is_price_drop: false, lowest_seen: 19.91 })
  })

  test('has no drop where there is a single price', async () => {
    expect(await drop({ q: 'lone bulb' })).toMatchObject({
      avg_price_last_30d: 5,
      price_vs_avg_pct: 0,
      is_price_drop: false,
      insufficient_history: true,
      lowest_seen: 5,
      percentile_in_history: null,
    })
  })

  // Alpha: 10 for 9 days, 12 for 11: 11.10, 8.11 % above. Beta is out of stock now, 9 after 11 for 8 days in stock, so
  // that it comes second however far it fell.
  test('of an entity compares each listing with itself', async () => {
    const answer = await drop({ q: 'zelta torch tq-31' })
    expect(answer).toMatchObject({
      retailer: 'alpha',
      current_price: 12,
      avg_price_last_30d: 11.1,
      price_vs_avg_pct: 8.11,
      is_price_drop: false,
      lowest_seen: 10,
      lowest_seen_date: '2026-11-01',
      lowest_seen_retailer: 'alpha',
      highest_seen: 12,
      highest_seen_date: '2026-11-10',
      observation_count: 5,
      scope: 'entity',
      member_count: 2,
    })
    expect(answer.offers).toMatchObject([
      { retailer: 'alpha', price: 12, in_stock: true, avg_price: 11.1, price_vs_avg_pct: 8.11 },
      { retailer: 'beta', price: 9, in_stock: false, avg_price: 11, price_vs_avg_pct: -18.18 },
    ])
  })

  // 10.00 for 500 ml, which only the size columns say.
  test('and the others have the unit price by the size of the listing, wherever it is stated', async () => {
    const unit_price = { value: 2, per: '100 ml' }
    for (const ask of [drop, history]) expect(await ask({ q: 'maple syrup' })).toMatchObject({ unit_price })
    const answer = await cheapest({ q: 'maple syrup' })
    expect(answer.best_price).toMatchObject({ unit_price, size: { value: 500, unit: 'ml', pack: 1 } })
  })

  test('of a listing given by uid ignores the rest of its entity', async () => {
    const [row] = await engine.rows(
      "SELECT product_uid FROM listing WHERE product_id = 'Zelta Torch TQ-31 at beta'",
      {},
    )
    expect(await drop({ product_uid: String(row?.product_uid) })).toMatchObject({
      scope: 'listing',
      current_price: 9,
      avg_price_last_30d: 11,
      lowest_seen_date: '2026-11-10',
      observation_count: 3,
    })
  })

  test('is refused where no price stands now, 35 days after the last observation', async () => {
    const answerAt = (as_of: string) => answerOr(ask(engine, 'shopper/price-drop-alert', { q: 'old sconce' }, as_of))
    expect(await answerAt('2026-07-07T00:00:00Z')).toMatchObject({ current_price: 9 })
    expect(await answerAt('2026-07-08T00:00:00Z')).toBe('NO_RESULTS')
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

  // The days of October alone, on all of which the price was 20.
  test('compares a past window with the current price', async () => {
    expect(await drop({ q: 'quiet lamp', time_window: 'previous_month' })).toMatchObject({
      current_price: 19,
      avg_price_last_30d: 20,
      lowest_seen: 20,
      observation_count: 1,
    })
  })
})

describe('price-history', () => {
  // Alpha stands at 10 to the 9th and at 12 from the 10th, beta in stock at 11 from the 10th to the 17th. Weeks from Monday;
  // 1 November is a Sunday, and both it and the week of today are cut by the window.
  test('of an entity by week has the figures computed by hand', async () => {
    const answer = await history({
      q: 'zelta torch tq-31',
      granularity: 'weekly',
      from: '2026-11-01',
      to: '2026-11-21',
    })
    expect(answer).toMatchObject({
      scope: 'entity',
      member_count: 2,
      granularity: 'weekly',
      current_price: 12,
      lowest_seen: 10,
      lowest_seen_date: '2026-11-01',
      lowest_seen_retailer: 'alpha',
      highest_seen: 12,
      highest_seen_date: '2026-11-10',
      insufficient_history: false,
      observation_count: 5,
      percentile_in_history: null,
      days_since_lower: 19,
      previous_price: 10,
    })
    const week = (date: string, period: string, prices: number[], counts: number[], partial: boolean) => ({
      ...{ date, period, partial },
      ...{ avg_price: prices[0], min_price: prices[1], max_price: prices[2], median_price: prices[3] },
      ...{ retailer_count: counts[0], observation_count: counts[1], promo_count: counts[2] },
      ...{ in_stock_count: counts[3], stock_known_count: counts[4] },
    })
    expect(answer.time_series).toEqual([
      week('2026-10-26', '2026-W44', [10, 10, 10, 10], [2, 2, 1, 1, 2], true),
      week('2026-11-02', '2026-W45', [10, 10, 10, 10], [2, 0, 1, 1, 2], false),
      // Alpha 10 on Monday, then 12 on six days; beta 11 on six.
      week('2026-11-09', '2026-W46', [11.38, 10, 12, 11], [2, 2, 1, 2, 2], false),
      // Alpha 12 on five days, beta 11 on two.
      week('2026-11-16', '2026-W47', [11.71, 11, 12, 12], [2, 1, 1, 1, 2], true),
    ])
    const of = (price: number | null, in_stock: boolean | null) => ({ price, in_stock, list_price: null })
    expect(answer.offers).toMatchObject([
      {
        retailer: 'alpha',
        changes: [
          { date: '2026-11-01', ...of(10, true), promo_flag: true },
          { date: '2026-11-10', ...of(12, true), promo_flag: true },
        ],
      },
      {
        retailer: 'beta',
        changes: [
          { date: '2026-11-01', ...of(8, false) },
          { date: '2026-11-10', ...of(11, true) },
          { date: '2026-11-18', ...of(9, false) },
        ],
      },
    ])
  })

  // 22 stands on 9 days of November, 21 on 8, 19 on 3.
  test('by month weighs each price by the days it stands', async () => {
    const { time_series } = await history({ q: 'quiet lamp', granularity: 'monthly', from: '2026-11-01' })
    expect(time_series).toMatchObject([
      { period: '2026-11', avg_price: 21.15, min_price: 19, max_price: 22, median_price: 21 },
    ])
  })

  test('of a past window has no current price, and says from when on it was unobserved', async () => {
    const answer = await history({ q: 'old sconce', from: '2026-06-01', to: '2026-08-01', granularity: 'monthly' })
    expect(answer).toMatchObject({
      current_price: null,
      highest_seen: 9,
      percentile_in_history: null,
      meta: { price_observed_at_max: '2026-06-02T12:00:00Z' },
    })
    // 9 stands from 2 June to 6 July.
    expect(answer.offers).toMatchObject([
      {
        changes: [
          { date: '2026-06-01', price: 7 },
          { date: '2026-06-02', price: 9 },
          { date: '2026-07-07', price: null, list_price: null, in_stock: null, promo_flag: null },
        ],
      },
    ])
  })

  test('shows a price that was posted before the window and stands in it', async () => {
    const answer = await history({ q: 'old sconce', from: '2026-06-20', to: '2026-06-22' })
    expect(answer).toMatchObject({ observation_count: 0, insufficient_history: true, lowest_seen_date: '2026-06-20' })
    expect(answer.time_series).toMatchObject([
      { date: '2026-06-20', min_price: 9, observation_count: 0 },
      { date: '2026-06-21', min_price: 9 },
    ])
  })
})

describe.each(['shopper/price-drop-alert', 'shopper/price-history'])('%s is refused', (id) => {
  test.each<[Given, string]>([
    [{}, 'INVALID_PARAMS'],
    [{ q: 'quiet lamp', time_window: 'custom' }, 'INVALID_PARAMS'],
    [{ q: 'quiet lamp', from: '2026-11-02', to: '2026-11-01' }, 'INVALID_PARAMS'],
    [{ q: 'qqqqzzzz' }, 'NO_RESULTS'],
    [{ q: 'quiet lamp', from: '2026-01-01', to: '2026-02-01' }, 'NO_RESULTS'],
    [{ q: 'zelta' }, 'INVALID_PARAMS'],
    [{ q: 'qqqqzzzz', retailer: 'nobody' }, 'RETAILER_NOT_SERVING_ELIGIBLE'],
  ])('with %j: %s', async (given, code) => {
    expect(await answerOr(ask(engine, id, given))).toBe(code)
  })
})
