import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { meta, priceRow, resolved, scopeEcho } from '../../contract/blocks.ts'
import { AGE, CURRENT, EMPTY_SCOPE, LOWNESS_OF_YEAR, ON_PROMOTION, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, maximumAge, retailer } from '../../contract/params.ts'
import { orNull, share } from '../../contract/round.ts'
import { count, list, spanOf, sumsOf, valuesOf } from '../../counts/count.ts'
import { meanOf } from '../../statistics/dispersion.ts'
import { ALL_LISTINGS, LISTED_COLUMNS, priceRowOf } from '../listed.ts'
import { defineQuery } from '../query.ts'

const OF_RETAILER = [['is', 'retailer_id', '$retailer_id']] as const

const priced = count({
  from: 'current_price',
  where: OF_RETAILER,
  value: 'price',
  sums: { promoted: 'is_promoted' },
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})

const byBrand = count({ from: 'current_price', where: OF_RETAILER, by: { brand: 'brand_id' } })

const byRetailer = count({ from: 'current_price', where: OF_RETAILER, by: { retailer: 'retailer_id' } })

const page = list({
  from: 'listed_price',
  where: OF_RETAILER,
  columns: LISTED_COLUMNS,
  order: {
    by: 'sort',
    orders: {
      price: ['price', 'product_uid'],
      '-price': ['-price', 'product_uid'],
      discount: ['-discount', 'product_uid'],
      reviews: ['-reviews', 'product_uid'],
    },
  },
  limit: '$limit',
  offset: '$offset',
})

/**
 * Every product of a category with its current price, a page at a time.
 *
 * @example
 * const { products, total_products } = await engine.ask(competitiveLandscape, { category: 'coffee', sort: 'price' })
 * for (const { product_name, retailer, price } of products) console.log(product_name, retailer, price)
 * console.log(`${products.length} of ${total_products}`)
 */
export const competitiveLandscape = defineQuery({
  group: 'marketing',
  name: 'competitive-landscape',
  summary: 'All products of a category with their prices',
  definition: {
    population: `${CURRENT}Used articles and accessories are among them.`,
    formula:
      'products is one page in the order of sort, ties by product_uid: an unknown number of reviews counts as 0, and so does ' +
      'the discount of a listing without a list price above its price. summary describes all products, whatever the page. ' +
      `promo_rate_pct is the share ${ON_PROMOTION}. ${AGE}${LOWNESS_OF_YEAR.trim()}`,
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
  answer: z
    .object({
      ...scopeEcho,
      total_products: field.count('Listings of the category with a current price.'),
      products: field.list(priceRow, 'The listings of this page.'),
      limit: field.page(field.count('Listings per page, as sent.')),
      offset: field.page(field.count('Listings before this page, as sent.')),
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

  async resolve(params, catalog) {
    const { sort, limit, offset } = params
    const { bindings, context } = await resolveCurrentScope(params, catalog)
    return { bindings: { ...bindings, ...ALL_LISTINGS, sort, limit, offset }, context: { ...context, limit, offset } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { priced, byBrand, byRetailer, page },

  toAnswer({ priced, byBrand, byRetailer, page }, context: CurrentScope & { limit: number; offset: number }, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const observed = spanOf(priced)
    if (!observed) throw nothingObserved(context)
    const prices = valuesOf(priced)
    const { promoted } = sumsOf(priced)
    return {
      ...context.echo,
      total_products: prices.n,
      products: page.map((listed) => priceRowOf(listed, context, catalog.platforms, money)),
      limit: context.limit,
      offset: context.offset,
      summary: {
        brand_count: byBrand.key.brand.filter((id) => id >= 0).length,
        retailer_count: byRetailer.length,
        avg_price: orNull(money, meanOf(prices)),
        median_price: prices.n === 0 ? null : money(prices.quantile(0.5)),
        min_price: orNull(money, prices.values.at(0)),
        max_price: orNull(money, prices.values.at(-1)),
        promo_rate_pct: share(promoted, prices.n),
      },
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
