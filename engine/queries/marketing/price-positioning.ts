import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { brandCounts, compareBytes, MAX_COMPETITORS } from '../../catalog/brand-counts.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { resolveBrandScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho } from '../../contract/blocks.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { brand, category, country, maximumAge, retailer } from '../../contract/params.ts'
import { orNull, ratio, share } from '../../contract/round.ts'
import { type Counted, count, groupsOf, spanOf, valuesOf } from '../../counts/count.ts'
import { meanOf } from '../../statistics/dispersion.ts'
import type { ValueCounts } from '../../statistics/value-counts.ts'
import { defineQuery } from '../query.ts'

const IN_SCOPE = [
  ['is', 'retailer_id', '$retailer_id'],
  ['or', '$in_category', ['=', 'brand_id', '$brand_id']],
] as const
const IS_OWN = ['=', 'brand_id', '$brand_id'] as const

const prices = count({
  from: 'current_price',
  where: IN_SCOPE,
  by: { is_own: IS_OWN },
  value: 'price',
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})

const competitors = count({
  from: 'current_price',
  where: [...IN_SCOPE, ['not', IS_OWN], ['known', 'brand_id']],
  by: { brand: 'brand_id' },
  sums: { price: 'price' },
  median: 'price',
})

const ownRetailers = count({
  from: 'current_price',
  where: [...IN_SCOPE, IS_OWN],
  by: { retailer: 'retailer_id' },
  sums: { price: 'price' },
})

const NO_CATEGORY = 'No category was sent: prices of different kinds of products have no common level. Send category.'

/** value below the 33rd percentile of the category's prices, premium from the 67th on. */
const tierOf = (price: number, category: ValueCounts) => {
  if (price < category.quantile(0.33)) return 'value' as const
  return price < category.quantile(0.67) ? ('mid' as const) : ('premium' as const)
}

/** The other brands with most listings. */
const competitorsOf = (counted: Counted<typeof competitors>, { brandsById }: Catalog) => {
  const { key, n, sum } = counted
  const groups = new Map(groupsOf(counted).map((group) => [key.brand[group]!, group]))
  const largest = brandCounts(key.brand, n, brandsById).slice(0, MAX_COMPETITORS)
  return largest.map(({ brand, brand_id, product_count }) => {
    const group = groups.get(brand_id)!
    return { brand, product_count, average: sum.price[group]! / product_count, median: counted.median(group) }
  })
}

/** The brand at each retailer, those with most listings first. */
const retailersOf = (counted: Counted<typeof ownRetailers>, { platforms }: Catalog) =>
  groupsOf(counted)
    .map((group) => ({
      retailer: platforms.get(counted.key.retailer[group]!)!,
      product_count: counted.n[group]!,
      average: counted.sum.price[group]! / counted.n[group]!,
    }))
    .sort((a, b) => b.product_count - a.product_count || compareBytes(a.retailer, b.retailer))

/**
 * A brand's price level within its category.
 *
 * @example
 * const params = { brand: 'oakverly', category: 'home-and-kitchen' }
 * const { price_tier, competitors } = await engine.ask(pricePositioning, params)
 * console.log(price_tier, competitors.map(({ brand, price_index }) => `${brand} ${price_index}`))
 */
export const pricePositioning = defineQuery({
  group: 'marketing',
  name: 'price-positioning',
  summary: "A brand's price level against its category and competitors",
  definition: {
    population:
      `${CURRENT}The scope is the brand and, where one is sent, the category: all listings of it, the brand's, used ` +
      'articles and accessories too. With `retailer` both are of that retailer.',
    formula:
      "price_index is the brand's mean price over that of the category. percentile_rank is the share of the category's " +
      "listings that cost less than the brand's median price. price_tier is value where that median is below the 33rd " +
      "percentile of the category's prices, premium from the 67th on, mid between; percentiles interpolate linearly (type " +
      '7). competitors are ordered by listings, then by name; listings without a brand are of none.',
    null_rule: `Figures of the category are null without a category; price_index_note says so. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    brand,
    category: category.optional(),
    country,
    retailer: retailer.optional(),
    days: maximumAge(),
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
      price_index_note: field.text('Why price_index is null; null where it is not.').nullable(),
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

  async resolve(params, catalog) {
    const { bindings, context } = await resolveBrandScope(params, catalog)
    const brand = context.brand ?? params.brand
    return { bindings: { ...bindings, in_category: context.resolved !== null }, context: { ...context, brand } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { prices, competitors, retailers: ownRetailers },

  toAnswer({ prices, competitors, retailers }, context, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const { brand, echo, resolved } = context
    const isOwn = (group: number): boolean => prices.key.is_own[group] === 1
    const observed = spanOf(prices, isOwn)
    if (!observed) throw nothingObserved(context)
    const brandPrices = valuesOf(prices, isOwn)
    const category = resolved ? valuesOf(prices) : null
    const median = brandPrices.quantile(0.5)
    const categoryAverage = category && meanOf(category)
    const index = (average: number): number | null =>
      categoryAverage === null ? null : ratio(average / categoryAverage)
    return {
      brand,
      ...echo,
      product_count: brandPrices.n,
      avg_price: money(brandPrices.sum / brandPrices.n),
      median_price: money(median),
      category_avg_price: orNull(money, categoryAverage),
      category_median_price: category && money(category.quantile(0.5)),
      price_index: index(brandPrices.sum / brandPrices.n),
      price_index_note: category ? null : NO_CATEGORY,
      percentile_rank: category && share(category.countBelow(median), category.n),
      price_tier: category && tierOf(median, category),
      competitors: competitorsOf(competitors, catalog).map((competitor) => ({
        brand: competitor.brand,
        product_count: competitor.product_count,
        avg_price: money(competitor.average),
        median_price: money(competitor.median),
        price_index: index(competitor.average) ?? 0,
      })),
      retailers: retailersOf(retailers, catalog).map(({ retailer, product_count, average }) => ({
        retailer,
        product_count,
        avg_price: money(average),
        price_index: index(average),
      })),
      resolved,
      meta: metaBlock(context, observed),
    }
  },
})
