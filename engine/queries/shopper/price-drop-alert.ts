import { z } from 'zod'
import { isObserved, metaBlock } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import type { Member } from '../../catalog/product-scope.ts'
import { neverObserved, resolveHistory } from '../../catalog/product-scope.ts'
import { gpc, historyEcho, meta, productEcho, window } from '../../contract/blocks.ts'
import { PRODUCT_DAYS, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, productParams, qOrUid, retailer, windowParams } from '../../contract/params.ts'
import { orNull, percent } from '../../contract/round.ts'
import { daysOfProduct, lowestDay, type ProductDay, productDays } from '../product-days.ts'
import { defineQuery } from '../query.ts'

/** Fewer priced days than this are an insufficient history. */
export const MIN_DAYS = 3

/** Whether a price is 5 % or more below the average over a number of days, in integer arithmetic. */
const isDrop = (current: number, sum: number, days: number): boolean => days > 0 && 20 * current * days <= 19 * sum

/** The cheapest offer of a day, in stock if one is. */
const bestOffer = (offers: readonly ProductDay[], members: readonly Member[]) => {
  const byId = new Map(members.map((member) => [member.listing_id, member]))
  const [best] = offers
    .map((offer) => ({ offer, member: byId.get(offer.listing_id)! }))
    .sort(
      (a, b) =>
        Number(b.offer.in_stock ?? false) - Number(a.offer.in_stock ?? false) ||
        a.offer.price - b.offer.price ||
        (a.member.product_uid < b.member.product_uid ? -1 : 1),
    )
  return best!
}

/**
 * Whether a product is cheaper than it was.
 *
 * @example
 * const { is_price_drop, price_vs_avg_pct, lowest_seen } = await engine.ask(priceDropAlert, { q: 'coffee' })
 * console.log(is_price_drop, price_vs_avg_pct, lowest_seen)
 */
export const priceDropAlert = defineQuery({
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
  answer: z
    .object({
      ...productEcho,
      retailer: field.echo(field.text('Platform key of the retailer with the current price.')),
      condition: field.text('Condition of the article: new, open_box, refurbished, used or for_parts.'),
      current_price: field.money('Price of the newest day.'),
      avg_price_last_30d: field.money('Mean price of the other days of the window; null without any.').nullable(),
      price_vs_avg_pct: headline(
        field.change('How far current_price is above (+) or below (-) the average; null without one.'),
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

  resolve({ lookback_days, ...lookup }, catalog) {
    return resolveHistory({ ...lookup, days: lookback_days ?? lookup.days }, 'daily', catalog, true)
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { days: daysOfProduct },

  toAnswer({ days: rows }, context, catalog) {
    const money = moneyIn(context.product.country, catalog)
    const { product, scope, window, members } = context
    const { window: days, current, current_price: newest, daily, observed, member_count } = productDays(rows)
    if (days.length === 0 || !newest) throw neverObserved(context)
    const { offer, member } = bestOffer(current, members)
    const others = daily.filter(({ day }) => day !== newest.day)
    const sum = others.reduce((total, { price }) => total + price, 0)
    const average = others.length === 0 ? null : sum / others.length
    const low = lowestDay([...others, newest])
    return {
      ...product,
      retailer: member.platform,
      condition: member.condition,
      current_price: money(offer.price),
      avg_price_last_30d: orNull(money, average),
      price_vs_avg_pct: average === null ? null : percent(100 * (offer.price / average - 1)),
      is_price_drop: isDrop(offer.price, sum, others.length),
      lowest_seen: money(low.price),
      lowest_seen_date: low.day,
      insufficient_history: daily.length < MIN_DAYS,
      observation_count: days.length,
      scope,
      member_count,
      window,
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, observed),
    }
  },
})
