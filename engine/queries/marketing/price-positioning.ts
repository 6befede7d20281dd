import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../answer.ts'
import { meta, resolved, scopeEcho } from '../../blocks.ts'
import { resolveBrandScope } from '../../catalog/scope.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { brand, category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { money, orNull, ratio, share } from '../../round.ts'

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
 * Where a brand's prices stand.
 *
 * @example
 * const asked = { brand: 'oakverly', category: 'home-and-kitchen' }
 * const { price_tier, competitors } = await engine.ask(pricePositioning, asked)
 * console.log(price_tier, competitors.map(({ brand, price_index }) => `${brand} ${price_index}`))
 */
export const pricePositioning = defineQuery(import.meta, {
  group: 'marketing',
  name: 'price-positioning',
  summary: "A brand's price level against its category and competitors",
  definition: {
    population: `${CURRENT}The scope is the brand and, where one is sent, the category.`,
    formula:
      "price_index is the brand's average price over that of the category. percentile_rank is the share of the category's " +
      "listings that cost less than the brand's median price. price_tier is value below the 33rd percentile of the " +
      "category's prices, premium from the 67th on, mid between.",
    null_rule: `Figures of the category are null without a category. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    brand,
    category: category.optional(),
    country,
    retailer: retailer.optional(),
    days: maximumAge(),
  }),
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
      brand: field.text('Name of the brand, in its most common spelling.'),
      ...scopeEcho,
      product_count: field.count('Listings of the brand in scope.'),
      avg_price: field.money('Mean price of the brand.'),
      median_price: field.money('Median price of the brand.'),
      category_avg_price: field.money('Mean price of the category, the brand included; null without one.').nullable(),
      category_median_price: field.money('Median price of the category; null without one.').nullable(),
      price_index: headline(field.index('avg_price / category_avg_price; null without a category.')).nullable(),
      percentile_rank: field
        .share("Share of the category's listings that cost less than the brand's median; null without a category.")
        .nullable(),
      price_tier: field
        .choice(['value', 'mid', 'premium'], "The brand's third of the category's prices; null without a category.")
        .nullable(),
      competitors: field.list(
        z.object({
          brand: field.text('Name of the competitor.'),
          product_count: field.count('Listings of the competitor in the category.'),
          avg_price: field.money('Mean price of the competitor.'),
          median_price: field.money('Median price of the competitor.'),
          price_index: field.index("The competitor's avg_price / category_avg_price."),
        }),
        'The ten other brands of the category with most listings; empty without a category.',
      ),
      retailers: field.list(
        z.object({
          retailer: field.text('Platform key of the retailer.'),
          product_count: field.count('Listings of the brand at the retailer.'),
          avg_price: field.money('Mean price of the brand at the retailer.'),
          price_index: field.index('avg_price / category_avg_price; null without a category.').nullable(),
        }),
        'The brand at each retailer.',
      ),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'PricePositioning', description: "A brand's price level against its category." }),

  resolve(params, catalog) {
    const { bindings, context } = resolveBrandScope(params, catalog)
    const brand = context.brand ?? params.brand
    return { bindings: { ...bindings, in_category: context.resolved !== null }, context: { ...context, brand } }
  },

  mayBeEmpty: (context) => !isObserved(context),

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
