import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../answer.ts'
import { brandShare, excluded, meta, resolved, scopeEcho } from '../../blocks.ts'
import { brandCounts } from '../../catalog/brand-counts.ts'
import { countBy, countFlagged, currentRows, rowsWhere } from '../../catalog/current-prices.ts'
import { IS_IN_STOCK, IS_NEW, IS_PROMOTED, IS_STOCK_KNOWN, type Listings } from '../../catalog/listings.ts'
import { type Country, type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { EMPTY_SCOPE, REPRESENTATIVE, sources } from '../../definition.ts'
import { count, field, headline } from '../../field.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../params.ts'
import { type Bindings, defineQuery, one } from '../../query.ts'
import { money, orNull, percent, share } from '../../round.ts'
import { meanOf } from '../../statistics/dispersion.ts'
import { type PriceCounts, priceCounts, representativeOf } from '../../statistics/representative.ts'
import { categorySummaryOnShards } from './category-summary.clickhouse.ts'
import { boundsOf, countPrices } from './price-counts.ts'
import { priceDispersion } from './price-dispersion.ts'

const TOP_BRANDS = 10

const row = priceCounts.extend({
  /** Brands of the representative listings with their counts in brand_listings, in any order; ids below 1 are no brand. */
  brand_ids: z.array(z.int()),
  brand_listings: z.array(count),
  /** In any order; ids may repeat. */
  retailer_ids: z.array(z.int()),
  rated_count: count,
  /** In hundredths of a star. */
  rating_sum: z.number(),
  promo_count: count,
  in_stock_count: count,
  stock_known_count: count,
})
type SummaryRow = z.output<typeof row>

/** Counts the representative listings as category-summary.sql does. */
const countKept = (prices: Listings, bindings: Bindings, counts: PriceCounts): SummaryRow => {
  const { price, flags, accessory_depth, brand_id, retailer_id, star_rating } = prices
  const { lowest_price, highest_price } = boundsOf(counts)
  const shelf_depth = Number(bindings.shelf_depth)
  const isKept = (row: number): boolean =>
    (flags[row]! & IS_NEW) > 0 &&
    accessory_depth[row]! <= shelf_depth &&
    price[row]! >= lowest_price &&
    price[row]! <= highest_price
  const rows = rowsWhere(currentRows(prices, bindings), isKept)
  const rated = rowsWhere(rows, (row) => star_rating[row]! >= 0)
  const brands = countBy(brand_id, rows)
  return {
    ...counts,
    brand_ids: [...brands.keys()],
    brand_listings: [...brands.values()],
    retailer_ids: [...countBy(retailer_id, rows).keys()],
    rated_count: rated.length,
    rating_sum: rated.reduce((sum, row) => sum + star_rating[row]!, 0),
    promo_count: countFlagged(prices, rows, IS_PROMOTED),
    in_stock_count: countFlagged(prices, rows, IS_IN_STOCK),
    stock_known_count: countFlagged(prices, rows, IS_STOCK_KNOWN),
  }
}

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

  first: { sql: priceDispersion.sql, bindings: boundsOf },

  fromMemory({ bindings }, catalog) {
    const prices = catalog.prices(bindings.country as Country)
    return prices && [countKept(prices, bindings, countPrices(prices, bindings))]
  },

  onShards: categorySummaryOnShards,

  shape(rows, context: CurrentScope, { brandsById }) {
    const figures = one(rows)
    const { observed_min, observed_max, brand_ids, brand_listings } = figures
    if (observed_min === null || observed_max === null) throw nothingObserved(context)
    const { kept, floor, excluded } = representativeOf(figures)
    const brands = brandCounts(brand_ids, brand_listings, brandsById)
    const branded_count = brands.reduce((sum, { product_count }) => sum + product_count, 0)
    const price = (value: number | undefined): number | null => orNull(money, value)
    return {
      ...context.echo,
      product_count: kept.n,
      brand_count: brands.length,
      retailer_count: new Set(figures.retailer_ids).size,
      pricing: {
        avg: orNull(money, meanOf(kept)),
        min: price(kept.values.at(0)),
        max: price(kept.values.at(-1)),
        median: kept.n === 0 ? null : money(kept.quantile(0.5)),
      },
      avg_rating: figures.rated_count === 0 ? null : percent(figures.rating_sum / 100 / figures.rated_count),
      promo_rate_pct: share(figures.promo_count, kept.n),
      in_stock_rate_pct: share(figures.in_stock_count, figures.stock_known_count),
      representative_floor: money(floor),
      excluded,
      top_brands: brands.slice(0, TOP_BRANDS).map(({ brand, product_count }) => ({
        brand,
        product_count,
        share_pct: percent((100 * product_count) / branded_count),
      })),
      resolved: context.resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
