import { z } from 'zod'
import { isObserved, metaBlock } from '../../answer.ts'
import { gpc, historyEcho, meta, productEcho, window } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverObserved, resolveHistory } from '../../catalog/product-scope.ts'
import { PRODUCT_DAYS, sources } from '../../definition.ts'
import { count, field, headline } from '../../field.ts'
import { category, country, productParams, qOrUid, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, orNull, percent } from '../../round.ts'

/** Fewer priced days than this are no history to speak of. */
export const LEAST_DAYS = 3

/** 5 % or more below the average over a number of days, in whole numbers. */
const isDrop = (current: number, sum: number, days: number): boolean => days > 0 && 20 * current * days <= 19 * sum

/**
 * Whether a product is cheaper than it was.
 *
 * @example
 * const { is_price_drop, price_vs_avg_pct, lowest_seen } = await engine.ask(priceDropAlert, { q: 'coffee' })
 * console.log(is_price_drop, price_vs_avg_pct, lowest_seen)
 */
export const priceDropAlert = defineQuery(import.meta, {
  group: 'shopper',
  name: 'price-drop-alert',
  summary: 'The current price of a product against its recent average and lowest',
  definition: {
    population: PRODUCT_DAYS,
    formula:
      'current_price is the price of the newest day, which is at most 90 days old. avg_price_last_30d is the mean over the ' +
      'other days of the window, whatever its length. is_price_drop: current_price is at least 5 % below that average. ' +
      'lowest_seen is the lowest price of the window and now.',
    null_rule:
      'Without another day than the newest the average is null and there is no drop. insufficient_history flags windows ' +
      'with fewer than 3 priced days. NO_RESULTS, free of charge, for a product that is unknown, without a current price ' +
      'or unobserved in the window.',
    sources: [sources.prices],
  },
  params: z
    .object({
      ...productParams,
      category: category.optional(),
      country,
      retailer: retailer.optional(),
      ...windowParams,
      lookback_days: windowParams.days
        .meta({ default: 30 })
        .describe('The window of the last N days; it wins over days, and time_window over it.'),
    })
    .superRefine(qOrUid),
  row: z.object({
    current_price: z.number(),
    retailer: z.string(),
    condition: z.string(),
    base_sum: z.number(),
    base_days: count,
    lowest_seen: z.number(),
    lowest_seen_date: z.iso.date(),
    day_count: count,
    observation_count: count,
    member_count: count,
    observed_min: z.number(),
    observed_max: z.number(),
  }),
  answer: z
    .object({
      ...productEcho,
      retailer: field.text('Platform key of the retailer with the current price.'),
      condition: field.text('Condition of the article: new, open_box, refurbished, used or for_parts.'),
      current_price: field.money('Price of the newest day.'),
      avg_price_last_30d: field.money('Mean price of the other days of the window; null without any.').nullable(),
      price_vs_avg_pct: headline(
        field.percent('How far current_price is above (+) or below (-) the average; null without one.'),
      ).nullable(),
      is_price_drop: field.flag('Whether current_price is at least 5 % below the average.'),
      lowest_seen: field.money('Lowest price of the window and now.'),
      lowest_seen_date: field.date('The last day on which it was seen.'),
      insufficient_history: field.flag('Whether fewer than 3 days of the window have a price.'),
      observation_count: field.count('Days on which listings were observed, added up over the listings.'),
      ...historyEcho,
      window,
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'PriceDropAlert', description: 'The current price of a product against its recent ones.' }),

  resolve({ lookback_days, ...question }, catalog) {
    return resolveHistory({ ...question, days: lookback_days ?? question.days }, 'daily', catalog, true)
  },

  mayBeEmpty: (context) => !isObserved(context),

  shape(rows, context, catalog) {
    const { product, scope, window } = context
    const [row] = rows
    if (!row) throw neverObserved(context)
    const { base_sum, base_days, current_price } = row
    const average = base_days === 0 ? null : base_sum / base_days
    return {
      ...product,
      retailer: row.retailer,
      condition: row.condition,
      current_price: money(current_price),
      avg_price_last_30d: orNull(money, average),
      price_vs_avg_pct: average === null ? null : percent(100 * (current_price / average - 1)),
      is_price_drop: isDrop(current_price, base_sum, base_days),
      lowest_seen: money(row.lowest_seen),
      lowest_seen_date: row.lowest_seen_date,
      insufficient_history: row.day_count < LEAST_DAYS,
      observation_count: row.observation_count,
      scope,
      member_count: row.member_count,
      window,
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, { min: row.observed_min, max: row.observed_max }),
    }
  },
})
