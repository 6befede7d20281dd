import { z } from 'zod'
import { isObserved, metaBlock } from '../../catalog/answer.ts'
import { minorUnits, moneyIn } from '../../catalog/countries.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { neverPosted, resolveHistory } from '../../catalog/product-scope.ts'
import { periodFields, productEcho } from '../../contract/blocks.ts'
import { LOWNESS, ON_PROMOTION, ONE_PRODUCT, POSTED_PRICES, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, granularity, historyParams, qOrUid, retailer, windowParams } from '../../contract/params.ts'
import { orNull } from '../../contract/round.ts'
import { storedContents } from '../../search/contents.ts'
import { periodEcho } from '../../statistics/series.ts'
import { lownessOf, NO_LOWNESS, priceHistoryOf } from '../lowness.ts'
import { daysOfProduct, postedPrices } from '../posted-prices.ts'
import { bestNow, extremesOf, hasFewDays, historyFields } from '../product-now.ts'
import { offersOf, productOffer } from '../product-offers.ts'
import { productPeriods } from '../product-periods.ts'
import { defineQuery } from '../query.ts'
import { unitPriceBlock } from '../unit-price.ts'

/**
 * A product's prices over time, from the same listings and standing prices as price-drop-alert.
 *
 * @example
 * const { product_name, time_series } = await engine.ask(priceHistory, { q: 'larkano decaf coffee', days: 90, granularity: 'weekly' })
 * console.log(product_name)
 * for (const { period, min_price } of time_series) console.log(period, min_price)
 */
export const priceHistory = defineQuery({
  group: 'shopper',
  name: 'price-history',
  summary: 'The prices of a product over time',
  definition: {
    population: POSTED_PRICES.trim(),
    formula:
      'min_price, max_price, avg_price and median_price of a period are over its listing-days: each listing has one price ' +
      'for each day on which it stands; median_price of an even number is the mean of the two in the middle. retailer_count is of the listings standing in the period, in_stock_count, ' +
      'stock_known_count and promo_count are of what each of them said last in it (' +
      `${ON_PROMOTION}); ` +
      'observation_count counts real ' +
      'observations. lowest_seen and highest_seen are the extremes of the window; of equal prices the one posted last is ' +
      'dated and named, on the first day of the window that it stands. offers has what each listing posted, by its last ' +
      'price. current_price is the lowest now in stock or of unknown stock, else the lowest of all; ' +
      `unit_price is that price / contents by size. ${LOWNESS.trim()}`,
    null_rule:
      'Prices of a period are null where every listing standing in it is out of stock; current_price where no price stands now. ' +
      'insufficient_history flags windows with fewer than 3 observed days. ' +
      `${ONE_PRODUCT}NO_RESULTS, free of charge, for a product that is unknown or without a standing price in the window.`,
    sources: [sources.prices],
  },
  params: z
    .object({
      ...historyParams,
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
      granularity,
      current_price: headline(field.money('Lowest price that stands now; null where none does.')).nullable(),
      ...historyFields,
      time_series: field.list(
        z.object({
          ...periodFields,
          avg_price: field.money('Mean of the listing-days; null where all are out of stock.').nullable(),
          min_price: field.money('Lowest price that stands on a day; null likewise.').nullable(),
          max_price: field.money('Highest price that stands on a day; null likewise.').nullable(),
          median_price: field.money('Median of the listing-days; null likewise.').nullable(),
          retailer_count: field.count('Retailers whose price stands in the period.'),
          observation_count: field.count('Days on which listings were observed, added up over the listings.'),
          in_stock_count: field
            .count('Listings that were in stock when last seen; null where none says so or the contrary.')
            .nullable(),
          stock_known_count: field.count('Listings that say whether they are in stock.'),
          promo_count: field.count('Listings that were on promotion when last seen.'),
        }),
        'The periods in which a price stands, oldest first.',
      ),
      offers: field.list(productOffer, 'The listings with a price that stands in the window, the cheapest first.'),
    })
    .meta({ id: 'PriceHistory', description: 'The prices of a product over time.' }),

  resolve(params, catalog) {
    return resolveHistory(params, params.granularity, catalog)
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { days: daysOfProduct },

  toAnswer({ days: rows }, context, catalog) {
    const money = moneyIn(context.product.country, catalog)
    const { product, scope, window, periods, members, before } = context
    const prices = postedPrices(rows, { from: periods.from, to: periods.to, before })
    if (prices.window.length === 0) throw neverPosted(context)
    const best = bestNow(prices.now, members)
    const ofBest = prices.observed.filter(({ listing_id }) => listing_id === best?.price.listing_id)
    const offers = offersOf(prices.window, periods.to, members, money)
    return {
      ...product,
      scope,
      member_count: offers.length,
      granularity: window.granularity,
      window,
      current_price: orNull(money, best?.price.price),
      unit_price: best
        ? unitPriceBlock(best.price.price, storedContents(best.member), minorUnits(product.country, catalog))
        : null,
      ...extremesOf(prices.counting, members, money),
      insufficient_history: hasFewDays(prices.observed),
      observation_count: prices.observed.length,
      ...(best ? lownessOf(priceHistoryOf(best.price.price, ofBest), prices.today, money) : NO_LOWNESS),
      time_series: productPeriods(prices, periods.unit, members).map((period) =>
        Object.assign(periodEcho(period.date, window.granularity, periods), {
          avg_price: orNull(money, period.prices?.average),
          min_price: orNull(money, period.prices?.min),
          max_price: orNull(money, period.prices?.max),
          median_price: orNull(money, period.prices?.median),
          retailer_count: period.retailer_count,
          observation_count: period.observation_count,
          in_stock_count: period.in_stock_count,
          stock_known_count: period.stock_known_count,
          promo_count: period.promo_count,
        }),
      ),
      offers,
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, prices.observed_at),
    }
  },
})
