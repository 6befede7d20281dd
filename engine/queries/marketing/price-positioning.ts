import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../answer.ts'
import { meta, resolved, scopeEcho } from '../../blocks.ts'
import { brandCounts, compareBytes, MAX_COMPETITORS } from '../../catalog/brand-counts.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { countBy, currentRows, observedBetween, rowsBy, rowsWhere, samplePrices } from '../../catalog/current-prices.ts'
import type { Listings } from '../../catalog/listings.ts'
import { type Country, resolveBrandScope } from '../../catalog/scope.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { brand, category, country, maximumAge, retailer } from '../../params.ts'
import { type Bindings, defineQuery, one } from '../../query.ts'
import { money, orNull, ratio, share } from '../../round.ts'
import { meanOf } from '../../statistics/dispersion.ts'
import { ValueCounts } from '../../statistics/value-counts.ts'
import { pricePositioningOnShards } from './price-positioning.clickhouse.ts'

const competitor = z.object({
  brand: z.string(),
  brand_norm: z.string(),
  product_count: count,
  price_sum: z.number(),
  median_price: z.number(),
})
const atRetailer = z.object({ retailer: z.string(), product_count: count, price_sum: z.number() })

const row = z.object({
  /** Prices in scope, as parallel lists in any order: the price, whether it is the brand's, and its number of listings. */
  prices: z.array(z.int()),
  are_own: z.array(z.boolean()),
  listings: z.array(count),
  /** Of the brand. */
  observed_min: figure,
  observed_max: figure,
  competitors: z.array(competitor).nullable(),
  retailers: z.array(atRetailer).nullable(),
})
type PositioningRow = z.output<typeof row>

/** value below the 33rd percentile of the category's prices, premium from the 67th on. */
const tierOf = (price: number, category: ValueCounts) => {
  if (price < category.quantile(0.33)) return 'value' as const
  return price < category.quantile(0.67) ? ('mid' as const) : ('premium' as const)
}

/** Computes the row of price-positioning.sql in memory. */
const countPositions = (prices: Listings, bindings: Bindings, { brandsById, platforms }: Catalog): PositioningRow => {
  const { brand_id, retailer_id } = prices
  const { brand_id: brand, in_category, ...scope } = bindings
  const rows = currentRows(prices, in_category ? scope : bindings)
  const own = rowsWhere(rows, (row) => brand_id[row] === brand)
  const others = rowsWhere(rows, (row) => brand_id[row] !== brand)
  const samples = [samplePrices(prices, own), samplePrices(prices, others)] as const
  const counts = countBy(brand_id, others)
  const largest = brandCounts([...counts.keys()], [...counts.values()], brandsById).slice(0, MAX_COMPETITORS)
  const competing = new Set(largest.map(({ brand_id }) => brand_id))
  const isCompeting = (row: number): boolean => competing.has(brand_id[row]!)
  const byBrand = rowsBy(rowsWhere(others, isCompeting), brand_id)
  const retailers = [...rowsBy(own, retailer_id)].map(([id, some]) => ({
    retailer: platforms.get(id)!,
    product_count: some.length,
    price_sum: samplePrices(prices, some).sum,
  }))
  return {
    prices: samples.flatMap(({ values }) => [...values]),
    are_own: samples.flatMap(({ values }, i) => Array.from(values, () => i === 0)),
    listings: samples.flatMap((sample) => Array.from(sample.values, (_, i) => sample.countAt(i))),
    ...observedBetween(prices, own),
    competitors: largest.map(({ brand, brand_norm, brand_id: id, product_count }) => {
      const sample = samplePrices(prices, byBrand.get(id)!)
      return { brand, brand_norm, product_count, price_sum: sample.sum, median_price: sample.quantile(0.5) }
    }),
    retailers: retailers.sort((a, b) => b.product_count - a.product_count || compareBytes(a.retailer, b.retailer)),
  }
}

/**
 * A brand's price level within its category.
 *
 * @example
 * const params = { brand: 'oakverly', category: 'home-and-kitchen' }
 * const { price_tier, competitors } = await engine.ask(pricePositioning, params)
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
  row,
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

  async resolve(params, catalog) {
    const { bindings, context } = await resolveBrandScope(params, catalog)
    const brand = context.brand ?? params.brand
    return { bindings: { ...bindings, in_category: context.resolved !== null }, context: { ...context, brand } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  fromMemory({ bindings }, catalog) {
    const prices = catalog.prices(bindings.country as Country)
    return prices && [countPositions(prices, bindings, catalog)]
  },

  onShards: pricePositioningOnShards,

  shape(rows, context) {
    const { brand, echo, resolved } = context
    const { prices, are_own, listings, observed_min, observed_max, competitors, retailers } = one(rows)
    if (observed_min === null || observed_max === null) throw nothingObserved(context)
    const own = ValueCounts.of(
      prices,
      listings.map((count, i) => (are_own[i] ? count : 0)),
    )
    const category = resolved ? ValueCounts.of(prices, listings) : null
    const median = own.quantile(0.5)
    const categoryAverage = category && meanOf(category)
    const index = (average: number): number | null =>
      categoryAverage === null ? null : ratio(average / categoryAverage)
    return {
      brand,
      ...echo,
      product_count: own.n,
      avg_price: money(own.sum / own.n),
      median_price: money(median),
      category_avg_price: orNull(money, categoryAverage),
      category_median_price: category && money(category.quantile(0.5)),
      price_index: index(own.sum / own.n),
      percentile_rank: category && share(category.countBelow(median), category.n),
      price_tier: category && tierOf(median, category),
      competitors: (competitors ?? []).map((competitor) => ({
        brand: competitor.brand,
        product_count: competitor.product_count,
        avg_price: money(competitor.price_sum / competitor.product_count),
        median_price: money(competitor.median_price),
        price_index: index(competitor.price_sum / competitor.product_count) ?? 0,
      })),
      retailers: (retailers ?? []).map(({ retailer, product_count, price_sum }) => ({
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
