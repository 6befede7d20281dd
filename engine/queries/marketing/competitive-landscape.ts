import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, priceRowOf } from '../../answer.ts'
import { listedPrice, meta, priceRow, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, share } from '../../round.ts'

/**
 * Every product of a category with its current price, a page at a time.
 *
 * @example
 * const { products, total_products } = await engine.ask(competitiveLandscape, { category: 'coffee', sort: 'price' })
 * for (const { product_name, retailer, price } of products) console.log(product_name, retailer, price)
 * console.log(`${products.length} of ${total_products}`)
 */
export const competitiveLandscape = defineQuery(import.meta, {
  group: 'marketing',
  name: 'competitive-landscape',
  summary: 'All products of a category with their prices',
  definition: {
    population: CURRENT.trim(),
    formula:
      'products is one page in the order of sort, ties by product_uid. summary describes all products, whatever the page. ' +
      'promo_rate_pct is the share on promotion: marked so by the retailer, or 5 % to 70 % below the list price.',
    null_rule: `discount_pct is null without a list price above the price. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    category,
    country,
    retailer: retailer.optional(),
    sort: z
      .enum(['price', '-price', 'discount', 'reviews'])
      .default('reviews')
      .describe('Order: cheapest, most expensive, deepest discount or most reviews first.'),
    limit: z.int().min(1).max(200).default(50).meta({ description: 'Listings per page.', unit: 'count' }),
    offset: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .meta({ description: 'Listings to skip before the page.', unit: 'count' }),
    days: maximumAge(),
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
      total_products: field.count('Listings of the category with a current price.'),
      products: field.list(priceRow, 'The listings of this page.'),
      limit: field.count('Listings per page, as sent.'),
      offset: field.count('Listings before this page, as sent.'),
      summary: z
        .object({
          brand_count: field.count('Brands of all listings.'),
          retailer_count: field.count('Retailers of all listings.'),
          avg_price: field.money('Mean price.').nullable(),
          median_price: headline(field.money('Median price: half of the listings are cheaper.')).nullable(),
          min_price: field.money('Lowest price.').nullable(),
          max_price: field.money('Highest price.').nullable(),
          promo_rate_pct: field.share('Share of the listings that are on promotion.').nullable(),
        })
        .describe('Figures of all listings, whatever the page.'),
      resolved,
      meta,
    })
    .meta({ id: 'CompetitiveLandscape', description: 'The listings of a category with their prices.' }),

  resolve(params, catalog) {
    const { sort, limit, offset } = params
    const { bindings, context } = resolveCurrentScope(params, catalog)
    return { bindings: { ...bindings, sort, limit, offset }, context: { ...context, limit, offset } }
  },

  mayBeEmpty: (context) => !isObserved(context),

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
