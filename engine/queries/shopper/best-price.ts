import { z } from 'zod'
import { metaBlock, priceRowOf } from '../../answer.ts'
import { gpc, listedPrice, meta, priceRow, productEcho } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import {
  boundsOf,
  isOfEntity,
  neverObserved,
  newestOfListings,
  requireObserved,
  resolveProduct,
} from '../../catalog/product-scope.ts'
import { currentDays } from '../../catalog/window.ts'
import { country, maximumAge, productParams, qOrUid, retailer } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, percent } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number()

const row = listedPrice
  .omit({ place: true, retailer: true, match_type: true })
  .extend({ listing_id: z.int(), retailer_id: z.int() })
type Offer = z.output<typeof row>

const cheapestFirst = (a: Offer, b: Offer): number =>
  Number(b.in_stock ?? false) - Number(a.in_stock ?? false) ||
  a.price - b.price ||
  (a.product_uid < b.product_uid ? -1 : 1)

/** Of prices in ascending order, at least one. */
const median = (prices: readonly number[]): number =>
  (prices[(prices.length - 1) >> 1]! + prices[prices.length >> 1]!) / 2

const summaryOf = (offers: readonly Offer[]) => {
  const prices = offers.map(({ price }) => price).sort((a, b) => a - b)
  const [min, max] = [prices[0]!, prices.at(-1)!]
  return {
    min: money(min),
    max: money(max),
    avg: money(prices.reduce((sum, price) => sum + price) / prices.length),
    median: money(median(prices)),
    spread_pct: percent((100 * (max - min)) / min),
  }
}

/**
 * Where a product is cheapest now. Population: the current listings of its entity (match_type entity) and, unless strict,
 * the other listings that match the text (title). Those in stock come first, then the cheapest, ties by product_uid;
 * best_price is the first. retailer_count and price_summary describe them all, whatever the limit; spread_pct is how far
 * the dearest stands above the cheapest. NO_RESULTS for a product that is unknown or has no current price.
 */
export const bestPrice = defineQuery(import.meta, {
  group: 'shopper',
  name: 'best-price',
  summary: "The cheapest offer of a product and the other retailers' prices",
  params: z
    .object({
      ...productParams,
      country,
      retailer: retailer.optional(),
      limit: z.int().min(1).max(50).default(10).describe('Most prices to list.'),
      strict: z.boolean().default(false).describe('Only listings verified to be the same product.'),
      days: maximumAge,
    })
    .superRefine(qOrUid),
  row,
  answer: z
    .object({
      ...productEcho,
      best_price: priceRow,
      prices: z.array(priceRow),
      retailer_count: count,
      price_summary: z.object({ min: figure, max: figure, avg: figure, median: figure, spread_pct: figure }),
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'BestPrice' }),

  resolve({ limit, strict, days, ...question }, catalog) {
    const { listings, context } = resolveProduct(question, catalog)
    const members = listings.filter(isOfEntity)
    const offering = strict ? members : listings
    const { since, before } = currentDays(catalog.as_of, days)
    const { known } = catalog.search(question.country)
    const newest_observed_at = newestOfListings(
      offering.map(({ number }) => known(number)),
      catalog,
    )
    requireObserved({ ...context, since, newest_observed_at }, catalog)
    return {
      bindings: {
        country: question.country,
        listing_ids: offering.map(({ listing_id }) => listing_id).join(),
        ...boundsOf(offering),
        since,
        before,
      },
      context: {
        ...context,
        newest_observed_at,
        limit,
        of_entity: members.map(({ listing_id }) => listing_id),
        numbers: offering.map(({ number }) => number),
        since,
        before,
      },
    }
  },

  recall({ context }, catalog) {
    if (!catalog.is_latest) return null
    const { numbers, since, before } = context
    const { known } = catalog.search(context.product.country)
    return numbers.map(known).filter(({ last_day }) => last_day !== null && last_day >= since && last_day < before)
  },

  shape(rows, context, catalog) {
    const { limit, of_entity, product, type } = context
    if (rows.length === 0) throw neverObserved(context)
    const members = new Set(of_entity)
    const cheapest = [...rows].sort(cheapestFirst).slice(0, limit)
    const prices = cheapest.map((offer) =>
      priceRowOf({
        ...offer,
        retailer: catalog.platforms.get(offer.retailer_id)!,
        match_type: members.has(offer.listing_id) ? 'entity' : 'title',
      }),
    )
    const observed = rows.map(({ observed_at }) => observed_at)
    return {
      ...product,
      best_price: prices[0]!,
      prices,
      retailer_count: new Set(rows.map(({ retailer_id }) => retailer_id)).size,
      price_summary: summaryOf(rows),
      gpc: gpcOf(type, catalog),
      meta: metaBlock(context, { min: Math.min(...observed), max: Math.max(...observed) }),
    }
  },
})
