import { z } from 'zod'
import { isObserved, metaBlock } from '../../answer.ts'
import { gpc, historyEcho, meta, periodFields, productEcho, window } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverObserved, resolveHistory } from '../../catalog/product-scope.ts'
import { PRODUCT_DAYS, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { category, country, granularity, productParams, qOrUid, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, orNull } from '../../round.ts'
import { periodEcho } from '../../statistics/series.ts'
import { LEAST_DAYS } from './price-drop-alert.ts'

/** The window as a whole, in cents and seconds since 1970. */
const summary = z.object({
  current_price: figure,
  lowest_seen: z.number(),
  lowest_seen_date: z.iso.date(),
  highest_seen: z.number(),
  highest_seen_date: z.iso.date(),
  day_count: count,
  member_count: count,
  observed_min: z.number(),
  observed_max: z.number(),
})

/**
 * A product's prices over time, from the same listings and daily prices as price-drop-alert.
 *
 * @example
 * const { product_name, time_series } = await engine.ask(priceHistory, { q: 'coffee', days: 90, granularity: 'weekly' })
 * console.log(product_name)
 * for (const { period, min_price } of time_series) console.log(period, min_price)
 */
export const priceHistory = defineQuery(import.meta, {
  group: 'shopper',
  name: 'price-history',
  summary: 'The prices of a product over time',
  definition: {
    population: PRODUCT_DAYS,
    formula:
      'avg_price and median_price of a period are over the prices of its listings, one vote a listing (the median of its ' +
      'days). min_price and max_price are the lowest and highest observation of a day, so that no granularity hides them. ' +
      "lowest_seen and highest_seen are the extremes of the product's daily price, on the last day they were seen.",
    null_rule:
      'current_price is null when the newest observation is more than 90 days old. insufficient_history flags windows with ' +
      'fewer than 3 priced days. NO_RESULTS, free of charge, for a product that is unknown or unobserved in the window.',
    sources: [sources.prices],
  },
  params: z
    .object({
      ...productParams,
      category: category.optional(),
      country,
      retailer: retailer.optional(),
      ...windowParams,
      granularity: granularity.default('daily'),
    })
    .superRefine(qOrUid),
  row: z.object({
    date: z.iso.date(),
    product_count: count,
    price_sum: z.number(),
    min_price: z.number(),
    max_price: z.number(),
    median_price: z.number(),
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
      current_price: headline(field.money('Price of the newest day; null when that is over 90 days ago.')).nullable(),
      lowest_seen: field.money('Lowest daily price of the window.'),
      lowest_seen_date: field.date('The last day on which it was seen.'),
      highest_seen: field.money('Highest daily price of the window.'),
      highest_seen_date: field.date('The last day on which that was seen.'),
      insufficient_history: field.flag('Whether fewer than 3 days of the window have a price.'),
      observation_count: field.count('Days on which listings were observed, added up over the listings.'),
      time_series: field.list(
        z.object({
          ...periodFields,
          avg_price: field.money('Mean of the listing prices of the period; one vote a listing.'),
          min_price: field.money('Lowest price observed on a day.'),
          max_price: field.money('Highest price observed on a day.'),
          median_price: field.money('Median of the listing prices of the period.'),
          retailer_count: field.count('Retailers observed in the period.'),
          observation_count: field.count('Days on which listings were observed, added up over the listings.'),
          in_stock_count: field.count('Listings in stock on their last day in the period.'),
          promo_count: field.count('Listings on promotion on their last day in the period.'),
        }),
        'The periods with observations, oldest first.',
      ),
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'PriceHistory', description: 'The prices of a product over time.' }),

  resolve(params, catalog) {
    const { bindings, context } = resolveHistory(params, params.granularity, catalog)
    return { bindings: { ...bindings, unit: context.periods.unit }, context }
  },

  mayBeEmpty: (context) => !isObserved(context),

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
