import { z } from 'zod'
import { dateTimeOf, isObserved, metaBlock } from '../../catalog/answer.ts'
import { minorUnits, moneyIn } from '../../catalog/countries.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverPosted, resolveHistory } from '../../catalog/product-scope.ts'
import { productEcho } from '../../contract/blocks.ts'
import { AGE, LOWNESS, ONE_PRODUCT, POSTED_PRICES, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, historyParams, qOrUid, retailer, windowParams } from '../../contract/params.ts'
import { orNull, percent } from '../../contract/round.ts'
import { storedContents } from '../../search/contents.ts'
import { ageInDays } from '../listed.ts'
import { lownessOf, priceHistoryOf } from '../lowness.ts'
import { daysOfProduct, groupedBy, isBuyable, type Posted, postedPrices } from '../posted-prices.ts'
import { cheapestFirst, extremesOf, hasFewDays, historyFields, type PriceNow, pricesNow } from '../product-now.ts'
import { matchFields } from '../product-offers.ts'
import { defineQuery } from '../query.ts'
import { unitPriceBlock } from '../unit-price.ts'

/** The sum of a listing's prices over the days on which they stand. */
type PriceSum = { sum: number; days: number }

const NONE: PriceSum = { sum: 0, days: 0 }

const sumOf = (prices: readonly Posted[]): PriceSum =>
  prices.reduce(
    ({ sum, days }, { price, from, to }) => ({ sum: sum + price * (to - from), days: days + to - from }),
    NONE,
  )

/** A price that stands now, with when its listing was observed last and its standing prices in the window. */
type ComparedPrice = PriceNow & { past: PriceSum; observed_second: number }

/** The current price over the average of its listing; infinite without one. */
const relativeOf = ({ price: { price }, past: { sum, days } }: ComparedPrice): number =>
  days === 0 ? Number.POSITIVE_INFINITY : (price * days) / sum

/** Whether a price is 5 % or more below the average of its listing, in integer arithmetic. */
const isDrop = ({ price: { price }, past: { sum, days } }: ComparedPrice): boolean =>
  days > 0 && 20 * price * days <= 19 * sum

/** Listings that can be bought first, then those that fell most below their own average, then the cheapest. */
const greatestDropFirst = (a: ComparedPrice, b: ComparedPrice): number => {
  const stock = Number(isBuyable(b.price)) - Number(isBuyable(a.price))
  const [left, right] = [relativeOf(a), relativeOf(b)]
  return stock || (left === right ? 0 : left - right) || cheapestFirst(a, b)
}

const change = (compared: ComparedPrice): number | null =>
  compared.past.days === 0 ? null : percent(100 * (relativeOf(compared) - 1))

const averageOf = ({ past: { sum, days } }: ComparedPrice): number | null => (days === 0 ? null : sum / days)

/**
 * Whether a product is cheaper than it was, at a retailer that sells it.
 *
 * @example
 * const { is_price_drop, price_vs_avg_pct, lowest_seen } = await engine.ask(priceDropAlert, { q: 'larkano decaf coffee' })
 * console.log(is_price_drop, price_vs_avg_pct, lowest_seen)
 */
export const priceDropAlert = defineQuery({
  group: 'shopper',
  name: 'price-drop-alert',
  summary: 'The current price of a product against its recent average and lowest',
  definition: {
    population: POSTED_PRICES.trim(),
    formula:
      'Each listing whose price stands now is compared with itself: avg_price_last_30d is the mean of its prices over the days ' +
      'of the window on which they stand, whatever its length, and price_vs_avg_pct how far the current price is from it. ' +
      'current_price, retailer and these figures are of the listing that fell most, in stock or of unknown stock if one is; ' +
      'ties by price, then product_uid; unit_price is current_price / contents by size. is_price_drop: it is at least 5 % below its average. offers compares all of them. ' +
      'lowest_seen and highest_seen are the extremes of the window, of all listings; of equal prices the one posted last is ' +
      `dated and named, on the first day of the window that it stands. ${AGE}${LOWNESS.trim()}`,
    null_rule:
      'The average is null, and there is no drop, where the price of that listing does not stand in the window. ' +
      `insufficient_history flags windows with fewer than 3 observed days. ${ONE_PRODUCT}NO_RESULTS, free of charge, for a ` +
      'product that is unknown or without a price that stands now, and one in the window.',
    sources: [sources.prices],
  },
  params: z
    .object({
      ...historyParams,
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
      current_price: field.money('Price that stands now at the retailer where it fell most.'),
      avg_price_last_30d: field
        .money('Mean of the standing prices of that listing in the window; null without any.')
        .nullable(),
      price_vs_avg_pct: headline(
        field.change('How far current_price is above (+) or below (-) the average; null without one.'),
      ).nullable(),
      is_price_drop: field.flag('Whether current_price is at least 5 % below the average.'),
      ...historyFields,
      offers: field.list(
        z.object({
          product_uid: field.key('Id of the listing.'),
          retailer: field.text('Platform key of the retailer.'),
          product_name: field.text('Title of the listing; null where the feed has none.').nullable(),
          ...matchFields,
          price: field.money('Price that stands now.'),
          in_stock: field.flag('Whether it can be bought; null where the retailer says nothing.').nullable(),
          observed_at: field.time('When that price was observed last.'),
          age_days: field.age('Whole days of 24 hours from then to meta.computed_at.'),
          avg_price: field.money('Mean of its standing prices in the window; null without any.').nullable(),
          price_vs_avg_pct: field.change('How far the price is from that; null without it.').nullable(),
        }),
        'The listings whose price stands now, the greatest drop first.',
      ),
    })
    .meta({ id: 'PriceDropAlert', description: 'The current price of a product against its recent ones.' }),

  resolve({ lookback_days, ...lookup }, catalog) {
    return resolveHistory({ ...lookup, days: lookback_days ?? lookup.days }, 'daily', catalog, true)
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { days: daysOfProduct },

  toAnswer({ days: rows }, context, catalog) {
    const money = moneyIn(context.product.country, catalog)
    const { product, scope, window, periods, members, before } = context
    const prices = postedPrices(rows, { from: periods.from, to: periods.to, before })
    const past = groupedBy(prices.counting, ({ listing_id }) => listing_id)
    const observed = new Map(rows.map(({ listing_id, observed_second }) => [listing_id, observed_second]))
    const compared = pricesNow(prices.now, members)
      .map((now): ComparedPrice => {
        const { listing_id } = now.price
        return { ...now, past: sumOf(past.get(listing_id) ?? []), observed_second: observed.get(listing_id)! }
      })
      .sort(greatestDropFirst)
    const [best] = compared
    if (prices.window.length === 0 || !best) throw neverPosted(context)
    const { price, member } = best
    const ofBest = prices.observed.filter(({ listing_id }) => listing_id === price.listing_id)
    return {
      ...product,
      retailer: member.platform,
      condition: member.condition,
      current_price: money(price.price),
      unit_price: unitPriceBlock(price.price, storedContents(member), minorUnits(product.country, catalog)),
      avg_price_last_30d: orNull(money, averageOf(best)),
      price_vs_avg_pct: change(best),
      is_price_drop: isDrop(best),
      ...extremesOf(prices.counting, members, money),
      insufficient_history: hasFewDays(prices.observed),
      observation_count: prices.observed.length,
      ...lownessOf(priceHistoryOf(price.price, ofBest), prices.today, money),
      scope,
      member_count: new Set(prices.window.map(({ listing_id }) => listing_id)).size,
      window,
      offers: compared.map((each) => ({
        product_uid: each.member.product_uid,
        retailer: each.member.platform,
        product_name: each.member.product_name,
        match_type: each.member.match_type,
        match_confidence: each.member.match_confidence,
        price: money(each.price.price),
        in_stock: each.price.in_stock,
        observed_at: dateTimeOf(each.observed_second),
        age_days: ageInDays(each.observed_second, context.as_of),
        avg_price: orNull(money, averageOf(each)),
        price_vs_avg_pct: change(each),
      })),
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, prices.observed_at),
    }
  },
})
