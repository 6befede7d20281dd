import { z } from 'zod'
import { metaBlock } from '../../answer.ts'
import { gpc, historyEcho, meta, productEcho, window } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverObserved, resolveHistory } from '../../catalog/product-scope.ts'
import { country, granularity, productParams, qOrUid, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, orNull } from '../../round.ts'
import { periodEcho } from '../../statistics/series.ts'
import { LEAST_DAYS } from './price-drop-alert.ts'

const count = z.int().min(0)
const figure = z.number()

/** The window as a whole, in cents and seconds since 1970. */
const summary = z.object({
  current_price: figure.nullable(),
  lowest_seen: figure,
  lowest_seen_date: z.iso.date(),
  highest_seen: figure,
  highest_seen_date: z.iso.date(),
  day_count: count,
  member_count: count,
  observed_min: figure,
  observed_max: figure,
})

/**
 * A product's prices over time, from the same listings and prices of a day as price-drop-alert. A point averages
 * listing-period prices, one vote a listing; its min_price and max_price are the lowest and highest listing-day, so that
 * no granularity hides them; stock and promotions are those of a listing's last day in the period. lowest_seen and
 * highest_seen are the extremes of the product's daily price in the window, on the last day they were seen. current_price
 * is the price of the newest day before as_of, null when that is more than 90 days ago. NO_RESULTS for a product that is
 * unknown or unobserved in the window.
 */
export const priceHistory = defineQuery(import.meta, {
  group: 'shopper',
  name: 'price-history',
  summary: 'The prices of a product over time',
  params: z
    .object({
      ...productParams,
      country,
      retailer: retailer.optional(),
      ...windowParams,
      granularity: granularity.default('daily'),
    })
    .superRefine(qOrUid),
  row: z.object({
    date: z.iso.date(),
    product_count: count,
    price_sum: figure,
    min_price: figure,
    max_price: figure,
    median_price: figure,
    retailer_count: count,
    observation_count: count,
    in_stock_count: count,
    promo_count: count,
    summary,
  }),
  answer: z
    .object({
      ...productEcho,
      ...historyEcho,
      granularity,
      window,
      current_price: figure.nullable(),
      lowest_seen: figure,
      lowest_seen_date: z.iso.date(),
      highest_seen: figure,
      highest_seen_date: z.iso.date(),
      insufficient_history: z.boolean(),
      observation_count: count,
      time_series: z.array(
        z.object({
          date: z.iso.date(),
          period: z.string(),
          partial: z.boolean(),
          avg_price: figure,
          min_price: figure,
          max_price: figure,
          median_price: figure,
          retailer_count: count,
          observation_count: count,
          in_stock_count: count,
          promo_count: count,
        }),
      ),
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'PriceHistory' }),

  resolve(params, catalog) {
    const { bindings, context } = resolveHistory(params, params.granularity, catalog)
    return { bindings: { ...bindings, unit: context.periods.unit }, context }
  },

  shape(rows, context, catalog) {
    const { product, scope, window, periods } = context
    const [first] = rows
    if (!first) throw neverObserved(context)
    const { summary } = first
    return {
      ...product,
      scope,
      member_count: summary.member_count,
      granularity: window.granularity,
      window,
      current_price: orNull(money, summary.current_price),
      lowest_seen: money(summary.lowest_seen),
      lowest_seen_date: summary.lowest_seen_date,
      highest_seen: money(summary.highest_seen),
      highest_seen_date: summary.highest_seen_date,
      insufficient_history: summary.day_count < LEAST_DAYS,
      observation_count: rows.reduce((sum, { observation_count }) => sum + observation_count, 0),
      time_series: rows.map((row) => ({
        ...periodEcho(row.date, window.granularity, periods),
        avg_price: money(row.price_sum / row.product_count),
        min_price: money(row.min_price),
        max_price: money(row.max_price),
        median_price: money(row.median_price),
        retailer_count: row.retailer_count,
        observation_count: row.observation_count,
        in_stock_count: row.in_stock_count,
        promo_count: row.promo_count,
      })),
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, { min: summary.observed_min, max: summary.observed_max }),
    }
  },
})
