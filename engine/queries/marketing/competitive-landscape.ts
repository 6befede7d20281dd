import { z } from 'zod'
import { metaBlock, nothingObserved, priceRowOf } from '../../answer.ts'
import { listedPrice, meta, priceRow, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, share } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number().nullable()

/**
 * Every product of a category with its current price, a page at a time. Population: all current listings; the summary
 * describes them all, whatever the page. Sorted by price, by discount or by reviews, ties by product_uid.
 */
export const competitiveLandscape = defineQuery(import.meta, {
  group: 'marketing',
  name: 'competitive-landscape',
  summary: 'All products of a category with their prices',
  params: z.object({
    category,
    country,
    retailer: retailer.optional(),
    sort: z
      .enum(['price', '-price', 'discount', 'reviews'])
      .default('reviews')
      .describe('Order of the products: cheapest, dearest, deepest discount or most reviews first.'),
    limit: z.int().min(1).max(200).default(50).describe('Products in a page.'),
    offset: z.int().min(0).max(1_000_000).default(0).describe('Products before the page.'),
    days: maximumAge,
  }),
  row: z.object({
    total_products: count,
    brand_count: count,
    retailer_count: count,
    price_sum: figure,
    median_price: figure,
    min_price: figure,
    max_price: figure,
    promo_count: count,
    observed_min: figure,
    observed_max: figure,
    products: z.array(listedPrice).nullable(),
  }),
  answer: z
    .object({
      ...scopeEcho,
      total_products: count,
      products: z.array(priceRow),
      limit: count,
      offset: count,
      summary: z.object({
        brand_count: count,
        retailer_count: count,
        avg_price: figure,
        median_price: figure,
        min_price: figure,
        max_price: figure,
        promo_rate_pct: figure,
      }),
      resolved,
      meta,
    })
    .meta({ id: 'CompetitiveLandscape' }),

  resolve(params, catalog) {
    const { sort, limit, offset } = params
    const { bindings, context } = resolveCurrentScope(params, catalog)
    return { bindings: { ...bindings, sort, limit, offset }, context: { ...context, limit, offset } }
  },

  shape(rows, context: CurrentScope & { limit: number; offset: number }) {
    const { total_products, products, price_sum, observed_min, observed_max, ...figures } = one(rows)
    if (observed_min === null || observed_max === null) throw nothingObserved(context)
    return {
      ...context.echo,
      total_products,
      products: (products ?? []).map(({ place: _, ...listed }) => priceRowOf(listed)),
      limit: context.limit,
      offset: context.offset,
      summary: {
        brand_count: figures.brand_count,
        retailer_count: figures.retailer_count,
        avg_price: price_sum === null ? null : money(price_sum / total_products),
        median_price: orNull(money, figures.median_price),
        min_price: orNull(money, figures.min_price),
        max_price: orNull(money, figures.max_price),
        promo_rate_pct: share(figures.promo_count, total_products),
      },
      resolved: context.resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
