import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../answer.ts'
import { brandShare, excluded, meta, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { EMPTY_SCOPE, REPRESENTATIVE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, percent, share } from '../../round.ts'

const row = z.object({
  scope_count: count,
  representative_floor: z.int().nullable(),
  excluded,
  observed_min: figure,
  observed_max: figure,
  product_count: count,
  brand_count: count,
  branded_count: count,
  retailer_count: count,
  price_sum: figure,
  min_price: figure,
  max_price: figure,
  median_price: figure,
  avg_rating: figure,
  promo_count: count,
  in_stock_count: count,
  stock_known_count: count,
  top_brands: z.array(z.object({ brand: z.string(), product_count: count })).nullable(),
})

/**
 * Headline figures of a category.
 *
 * @example
 * const { product_count, pricing, top_brands } = await engine.ask(categorySummary, { category: 'coffee' })
 * console.log(product_count, pricing.median, top_brands[0]?.brand)
 */
export const categorySummary = defineQuery(import.meta, {
  group: 'analyst',
  name: 'category-summary',
  summary: 'Headline figures of a category: counts, prices, ratings, promotions, stock, top brands',
  definition: {
    population: REPRESENTATIVE,
    formula:
      'Mean, lowest, highest and median of the prices. promo_rate_pct is the share of listings on promotion: marked so by ' +
      'the retailer, or 5 % to 70 % below their list price. in_stock_rate_pct is the share of listings in stock among ' +
      'those whose stock is known. top_brands are the ten brands with most listings; spellings of a brand are merged, and ' +
      'placeholders such as "generic" are no brands.',
    null_rule: `Prices and rates are null where every listing is left out, avg_rating also where no listing has a rating. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({ ...categoryScope, days: maximumAge() }).superRefine(categoryOrDepartment),
  row,
  answer: z
    .object({
      ...scopeEcho,
      product_count: field.count('Listings that the figures are about.'),
      brand_count: field.count('Brands of these listings.'),
      retailer_count: field.count('Retailers of these listings.'),
      pricing: z
        .object({
          avg: field.money('Mean price.').nullable(),
          min: field.money('Lowest price.').nullable(),
          max: field.money('Highest price.').nullable(),
          median: headline(field.money('Median price: half of the listings are cheaper.')).nullable(),
        })
        .describe('Prices of the listings.'),
      avg_rating: field.stars('Mean of the ratings of rated listings, with 2 decimals; null without any.').nullable(),
      promo_rate_pct: headline(field.share('Share of the listings that are on promotion.')).nullable(),
      in_stock_rate_pct: field.share('Share of listings in stock, of those whose stock is known.').nullable(),
      representative_floor: field.money('Price below which listings are left out as not representative.'),
      excluded,
      top_brands: field.list(brandShare, 'The ten brands with most listings, largest first.'),
      resolved,
      meta,
    })
    .meta({ id: 'CategorySummary', description: 'Headline figures of a category.' }),

  resolve: resolveRepresentativeScope,

  mayBeEmpty: (context) => !isObserved(context),

  shape(rows, context: CurrentScope) {
    const figures = one(rows)
    const { product_count, branded_count, price_sum, observed_min, observed_max } = figures
    if (figures.scope_count === 0 || observed_min === null || observed_max === null) throw nothingObserved(context)
    return {
      ...context.echo,
      product_count,
      brand_count: figures.brand_count,
      retailer_count: figures.retailer_count,
      pricing: {
        avg: price_sum === null ? null : money(price_sum / product_count),
        min: orNull(money, figures.min_price),
        max: orNull(money, figures.max_price),
        median: orNull(money, figures.median_price),
      },
      avg_rating: orNull(percent, figures.avg_rating),
      promo_rate_pct: share(figures.promo_count, product_count),
      in_stock_rate_pct: share(figures.in_stock_count, figures.stock_known_count),
      representative_floor: money(figures.representative_floor ?? 0),
      excluded: figures.excluded,
      top_brands: (figures.top_brands ?? []).map(({ brand, product_count }) => ({
        brand,
        product_count,
        share_pct: percent((100 * product_count) / branded_count),
      })),
      resolved: context.resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
