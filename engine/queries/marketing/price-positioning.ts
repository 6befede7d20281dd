import { z } from 'zod'
import { metaBlock, nothingObserved } from '../../answer.ts'
import { meta, resolved, scopeEcho } from '../../blocks.ts'
import { resolveBrandScope } from '../../catalog/scope.ts'
import { brand, category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, ratio, share } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number().nullable()

const competitor = z.object({
  brand: z.string(),
  brand_norm: z.string(),
  product_count: count,
  price_sum: z.number(),
  median_price: z.number(),
})
const atRetailer = z.object({ retailer: z.string(), product_count: count, price_sum: z.number() })

/** value below the 33rd percentile of the category's prices, premium from the 67th on. */
const tierOf = (median: number, [low = 0, , high = 0]: readonly number[]) =>
  median < low ? ('value' as const) : median < high ? ('mid' as const) : ('premium' as const)

/**
 * Where a brand's prices stand. Population: the current listings of the brand and, where one is given, of the category.
 * price_index is the brand's average over the category's, percentile_rank the share of the category's listings priced
 * below the brand's median, price_tier its third of the category. Category figures are null without a category.
 * NO_RESULTS where the brand has no current price in scope.
 */
export const pricePositioning = defineQuery(import.meta, {
  group: 'marketing',
  name: 'price-positioning',
  summary: "A brand's price level against its category and competitors",
  params: z.object({ brand, category: category.optional(), country, retailer: retailer.optional(), days: maximumAge }),
  row: z.object({
    product_count: count,
    price_sum: figure,
    median_price: figure,
    category_count: count,
    category_sum: figure,
    category_quantiles: z.array(z.number()).nullable(),
    observed_min: figure,
    observed_max: figure,
    cheaper_count: count,
    competitors: z.array(competitor).nullable(),
    retailers: z.array(atRetailer).nullable(),
  }),
  answer: z
    .object({
      brand: z.string(),
      ...scopeEcho,
      product_count: count,
      avg_price: z.number(),
      median_price: z.number(),
      category_avg_price: figure,
      category_median_price: figure,
      price_index: figure,
      percentile_rank: figure,
      price_tier: z.enum(['value', 'mid', 'premium']).nullable(),
      competitors: z.array(
        z.object({
          brand: z.string(),
          product_count: count,
          avg_price: z.number(),
          median_price: z.number(),
          price_index: z.number(),
        }),
      ),
      retailers: z.array(
        z.object({ retailer: z.string(), product_count: count, avg_price: z.number(), price_index: figure }),
      ),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'PricePositioning' }),

  resolve(params, catalog) {
    const { bindings, context } = resolveBrandScope(params, catalog)
    const brand = context.brand ?? params.brand
    return { bindings: { ...bindings, in_category: context.resolved !== null }, context: { ...context, brand } }
  },

  shape(rows, context) {
    const { brand, echo, resolved } = context
    const row = one(rows)
    const { product_count, price_sum, median_price, observed_min, observed_max } = row
    if (price_sum === null || median_price === null || observed_min === null || observed_max === null)
      throw nothingObserved(context)
    const quantiles = resolved ? row.category_quantiles : null
    const categoryAverage = resolved && row.category_sum !== null ? row.category_sum / row.category_count : null
    const index = (average: number): number | null =>
      categoryAverage === null ? null : ratio(average / categoryAverage)
    return {
      brand,
      ...echo,
      product_count,
      avg_price: money(price_sum / product_count),
      median_price: money(median_price),
      category_avg_price: orNull(money, categoryAverage),
      category_median_price: orNull(money, quantiles?.[1]),
      price_index: index(price_sum / product_count),
      percentile_rank: resolved ? share(row.cheaper_count, row.category_count) : null,
      price_tier: quantiles ? tierOf(median_price, quantiles) : null,
      competitors: (row.competitors ?? []).map((competitor) => ({
        brand: competitor.brand,
        product_count: competitor.product_count,
        avg_price: money(competitor.price_sum / competitor.product_count),
        median_price: money(competitor.median_price),
        price_index: index(competitor.price_sum / competitor.product_count) ?? 0,
      })),
      retailers: (row.retailers ?? []).map(({ retailer, product_count, price_sum }) => ({
        retailer,
        product_count,
        avg_price: money(price_sum / product_count),
        price_index: index(price_sum / product_count),
      })),
      resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
