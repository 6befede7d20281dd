import { z } from 'zod'
import { isObserved, metaBlock } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverObserved, resolveHistory } from '../../catalog/product-scope.ts'
import { gpc, historyEcho, meta, periodFields, productEcho, window } from '../../contract/blocks.ts'
import { PRODUCT_DAYS, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, granularity, productParams, qOrUid, retailer, windowParams } from '../../contract/params.ts'
import { orNull } from '../../contract/round.ts'
import { periodEcho } from '../../statistics/series.ts'
import { daysOfProduct, highestDay, lowestDay, productDays, productPeriods } from '../product-days.ts'
import { defineQuery } from '../query.ts'
import { MIN_DAYS } from './price-drop-alert.ts'

/**
 * A product's prices over time, from the same listings and daily prices as price-drop-alert.
 *
 * @example
 * const { product_name, time_series } = await engine.ask(priceHistory, { q: 'coffee', days: 90, granularity: 'weekly' })
 * console.log(product_name)
 * for (const { period, min_price } of time_series) console.log(period, min_price)
 */
export const priceHistory = defineQuery({
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
    return resolveHistory(params, params.granularity, catalog)
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { days: daysOfProduct },

  toAnswer({ days: rows }, context, catalog) {
    const money = moneyIn(context.product.country, catalog)
    const { product, scope, window, periods, members } = context
    const days = productDays(rows)
    if (days.window.length === 0) throw neverObserved(context)
    const [low, high] = [lowestDay(days.daily), highestDay(days.daily)]
    return {
      ...product,
      scope,
      member_count: days.member_count,
      granularity: window.granularity,
      window,
      current_price: orNull(money, days.current_price?.price ?? null),
      lowest_seen: money(low.price),
      lowest_seen_date: low.day,
      highest_seen: money(high.price),
      highest_seen_date: high.day,
      insufficient_history: days.daily.length < MIN_DAYS,
      observation_count: days.window.length,
      time_series: productPeriods(days.window, periods.unit, members).map((period) => ({
        ...periodEcho(period.date, window.granularity, periods),
        avg_price: money(period.average_price),
        min_price: money(period.min_price),
        max_price: money(period.max_price),
        median_price: money(period.median_price),
        retailer_count: period.retailer_count,
        observation_count: period.observation_count,
        in_stock_count: period.in_stock_count,
        promo_count: period.promo_count,
      })),
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, days.observed),
    }
  },
})
