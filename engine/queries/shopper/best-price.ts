import { z } from 'zod'
import { metaBlock, priceRowOf } from '../../answer.ts'
import { gpc, listedPrice, meta, priceRow, productEcho } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { isOfEntity, listingBindings, neverObserved, resolveProduct } from '../../catalog/product-scope.ts'
import { currentDays } from '../../catalog/window.ts'
import { country, maximumAge, productParams, qOrUid, retailer } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, percent } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number()

/** What all the offers have in common, in cents and seconds since 1970. */
const summary = z.object({
  price_count: count,
  retailer_count: count,
  price_sum: figure,
  min_price: figure,
  max_price: figure,
  median_price: figure,
  observed_min: figure,
  observed_max: figure,
})

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
  row: listedPrice.omit({ place: true }).extend({ summary }),
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

  async resolve({ limit, strict, days, ...question }, catalog) {
    const { listings, context } = await resolveProduct(question, catalog)
    const members = listings.filter(isOfEntity)
    const others = strict ? [] : listings.filter((listing) => !isOfEntity(listing))
    const { first, last, known_rows } = listingBindings([...members, ...others])
    const bindings = { country: question.country, known_rows, first, last, entity_count: members.length, limit }
    return { bindings: { ...bindings, ...currentDays(catalog.as_of, days) }, context }
  },

  shape(rows, context, catalog) {
    const prices = rows.map(({ summary: _, ...listed }) => priceRowOf(listed))
    const [best_price] = prices
    const all = rows[0]?.summary
    if (!best_price || !all) throw neverObserved(context, 'recently; a greater days looks further back')
    return {
      ...context.product,
      best_price,
      prices,
      retailer_count: all.retailer_count,
      price_summary: {
        min: money(all.min_price),
        max: money(all.max_price),
        avg: money(all.price_sum / all.price_count),
        median: money(all.median_price),
        spread_pct: percent((100 * (all.max_price - all.min_price)) / all.min_price),
      },
      gpc: gpcOf(context.type, catalog),
      meta: metaBlock(context, { min: all.observed_min, max: all.observed_max }),
    }
  },
})
