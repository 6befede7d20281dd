import { z } from 'zod'
import { metaBlock, nothingObserved } from '../../answer.ts'
import { brandShare, excluded, meta, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, percent, share } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number().nullable()

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
 * Headline figures of a category. Population: representative current listings within the outlier fence, as in
 * price-dispersion. promo_rate_pct is the share on promotion; in_stock_rate_pct leaves out listings whose stock is
 * unknown; avg_rating those without a rating. Brands merge their spellings; placeholders count neither as brands nor in
 * the shares of top_brands, the ten with most products. NO_RESULTS where nothing is in scope.
 */
export const categorySummary = defineQuery(import.meta, {
  group: 'analyst',
  name: 'category-summary',
  summary: 'Headline figures of a category: counts, prices, ratings, promotions, stock, top brands',
  params: z.object({ ...categoryScope, days: maximumAge }).superRefine(categoryOrDepartment),
  row,
  answer: z
    .object({
      ...scopeEcho,
      product_count: count,
      brand_count: count,
      retailer_count: count,
      pricing: z.object({ avg: figure, min: figure, max: figure, median: figure }),
      avg_rating: figure,
      promo_rate_pct: figure,
      in_stock_rate_pct: figure,
      representative_floor: z.number(),
      excluded,
      top_brands: z.array(brandShare),
      resolved,
      meta,
    })
    .meta({ id: 'CategorySummary' }),

  resolve: resolveRepresentativeScope,

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
