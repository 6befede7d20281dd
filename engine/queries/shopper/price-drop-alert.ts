import { z } from 'zod'
import { metaBlock } from '../../answer.ts'
import { gpc, historyEcho, meta, productEcho, window } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverObserved, resolveHistory } from '../../catalog/product-scope.ts'
import { country, productParams, qOrUid, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, orNull, percent } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number()

/** Fewer priced days than this are no history to speak of. */
export const LEAST_DAYS = 3

/** 5 % or more below the average of so many days, in whole numbers. */
const isDrop = (current: number, sum: number, days: number): boolean => days > 0 && 20 * current * days <= 19 * sum

/**
 * Whether a product is cheaper than it was. A listing's price of a day is its observation, an entity's the lowest of its
 * members in stock, or the lowest where none is. current_price is that of the newest day, at most 90 days old;
 * avg_price_last_30d is the mean over the other days of the window, whatever its length. lowest_seen is the lowest of the
 * window and now, lowest_seen_date the last day it was seen. insufficient_history: fewer than 3 priced days in the
 * window. Without another day than the current one the average is null and there is no drop. observation_count is
 * of listing-days in the window. NO_RESULTS for a product that is unknown, without current price or unobserved in the window.
 */
export const priceDropAlert = defineQuery(import.meta, {
  group: 'shopper',
  name: 'price-drop-alert',
  summary: 'The current price of a product against its recent average and lowest',
  params: z
    .object({
      ...productParams,
      country,
      retailer: retailer.optional(),
      ...windowParams,
      lookback_days: windowParams.days
        .meta({ default: 30 })
        .describe('The last N days; an alias of last_N_days. Goes before days, after time_window.'),
    })
    .superRefine(qOrUid),
  row: z.object({
    current_price: figure,
    retailer: z.string(),
    condition: z.string(),
    base_sum: figure,
    base_days: count,
    lowest_seen: figure,
    lowest_seen_date: z.iso.date(),
    day_count: count,
    observation_count: count,
    member_count: count,
    observed_min: figure,
    observed_max: figure,
  }),
  answer: z
    .object({
      ...productEcho,
      retailer: z.string(),
      condition: z.string(),
      current_price: figure,
      avg_price_last_30d: figure.nullable(),
      price_vs_avg_pct: figure.nullable(),
      is_price_drop: z.boolean(),
      lowest_seen: figure,
      lowest_seen_date: z.iso.date(),
      insufficient_history: z.boolean(),
      observation_count: count,
      ...historyEcho,
      window,
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'PriceDropAlert' }),

  resolve({ lookback_days, ...question }, catalog) {
    return resolveHistory({ ...question, days: lookback_days ?? question.days }, 'daily', catalog, true)
  },

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
