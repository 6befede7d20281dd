import { z } from 'zod'
import { isObserved, metaBlock, priceRowOf } from '../../answer.ts'
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
import { CURRENT, sources } from '../../definition.ts'
import { field, headline } from '../../field.ts'
import { country, maximumAge, productParams, qOrUid, retailer } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, percent } from '../../round.ts'

const row = listedPrice.omit({ place: true, retailer: true, match_type: true }).extend({
  listing_id: z.int(),
  retailer_id: z.int(),
  gpc_id: z.int().nullable(),
  gpc_precision: z.string().nullable(),
  gpc_source: z.string().nullable(),
})
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

/** A product is what one entity is: the listings of an entity are one, a listing without an entity is one of its own. */
const countProducts = (offers: readonly Offer[]): number =>
  new Set(offers.map(({ entity_uid, product_uid }) => entity_uid ?? product_uid)).size

/**
 * Where a product is cheapest now.
 *
 * @example
 * const { best_price, prices } = await engine.ask(bestPrice, { q: 'coffee', limit: 3 })
 * console.log(best_price.retailer, best_price.price, `${prices.length} prices`)
 */
export const bestPrice = defineQuery(import.meta, {
  group: 'shopper',
  name: 'best-price',
  summary: "The cheapest offer of a product and the other retailers' prices",
  definition: {
    population:
      `${CURRENT}In scope are all listings of the physical product (match_type entity) and, unless strict, other listings ` +
      'whose text matches q (match_type title).',
    formula:
      'Listings in stock come first, then the cheapest, ties by product_uid; best_price is the first. product_uid, ' +
      'entity_uid, product_name, brand and gpc are those of best_price, or of the listing whose product_uid was sent. ' +
      'products_matched counts the products that q matches and that have a current price, also those that strict leaves ' +
      'out: listings of one entity_uid are one product, a listing without one is a product of its own. retailer_count ' +
      'and price_summary describe all listings, whatever the limit; spread_pct is how far the highest price is above the ' +
      'lowest. Of the listings that q matches the 200 that fit best are compared.',
    null_rule:
      'A listing without a list price has no discount. NO_RESULTS, free of charge, for a product that is unknown or has ' +
      'no current price.',
    sources: [sources.prices],
  },
  params: z
    .object({
      ...productParams,
      country,
      retailer: retailer.optional(),
      limit: z
        .int()
        .min(1)
        .max(50)
        .default(10)
        .meta({ description: 'Maximum number of prices to list.', unit: 'count' }),
      strict: z.boolean().default(false).describe('Only listings verified to be the same product.'),
      days: maximumAge(),
    })
    .superRefine(qOrUid),
  row,
  answer: z
    .object({
      ...productEcho,
      product_uid: field.text('Id of the listing of best_price, or the product_uid that was sent.'),
      product_name: field.text('Title of that listing; null where the feed has none.').nullable(),
      ambiguous: field.flag(
        'Whether the text matches more than one product: the cheapest may be another than was meant. False for a uid.',
      ),
      products_matched: field.count(
        'Products with a current price that the text matches, strict or not; listings of one entity_uid are one product.',
      ),
      best_price: headline(priceRow.describe('The listing to buy: the first of prices.')),
      prices: field.list(priceRow, 'Listings in stock first, then the cheapest.'),
      retailer_count: field.count('Retailers of all listings.'),
      price_summary: z
        .object({
          min: field.money('Lowest price.'),
          max: field.money('Highest price.'),
          avg: field.money('Mean price.'),
          median: field.money('Median price: half of the listings are cheaper.'),
          spread_pct: field.percent('How far the highest price is above the lowest.'),
        })
        .describe('Figures of all listings, whatever the limit.'),
      gpc: gpc.nullable(),
      meta,
    })
    .meta({ id: 'BestPrice', description: 'The cheapest offer of a product and the others.' }),

  resolve({ limit, strict, days, ...question }, catalog) {
    const { listings, namesakes, context } = resolveProduct(question, catalog)
    const members = listings.filter(isOfEntity)
    const offering = strict ? members : listings
    const matched = [...listings, ...namesakes]
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
        listing_ids: matched.map(({ listing_id }) => listing_id).join(),
        ...boundsOf(matched),
        since,
        before,
      },
      context: {
        ...context,
        newest_observed_at,
        limit,
        is_pinned: question.product_uid !== undefined,
        of_entity: members.map(({ listing_id }) => listing_id),
        /** Matched, but not compared. */
        left_out: matched.slice(offering.length).map(({ listing_id }) => listing_id),
        numbers: matched.map(({ number }) => number),
        since,
        before,
      },
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  recall({ context }, catalog) {
    if (!catalog.is_latest) return null
    const { numbers, since, before } = context
    const { known } = catalog.search(context.product.country)
    return numbers.map(known).filter(({ last_day }) => last_day !== null && last_day >= since && last_day < before)
  },

  shape(rows, context, catalog) {
    const { limit, is_pinned, of_entity, left_out, product, type } = context
    const offers = rows.filter(({ listing_id }) => !left_out.includes(listing_id)).sort(cheapestFirst)
    const [best] = offers
    if (!best) throw neverObserved(context)
    const { product_uid, entity_uid, product_name, brand } = is_pinned ? product : best
    const prices = offers.slice(0, limit).map((offer) =>
      priceRowOf({
        ...offer,
        retailer: catalog.platforms.get(offer.retailer_id)!,
        match_type: of_entity.includes(offer.listing_id) ? 'entity' : 'title',
      }),
    )
    const observed = offers.map(({ observed_at }) => observed_at)
    const products_matched = countProducts(rows)
    return {
      ...product,
      product_uid,
      entity_uid,
      product_name,
      brand,
      ambiguous: products_matched > 1,
      products_matched,
      best_price: prices[0]!,
      prices,
      retailer_count: new Set(offers.map(({ retailer_id }) => retailer_id)).size,
      price_summary: summaryOf(offers),
      gpc: gpcOf(is_pinned ? type : best, catalog),
      meta: metaBlock(context, { min: Math.min(...observed), max: Math.max(...observed) }),
    }
  },
})
