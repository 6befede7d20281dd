import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { brandCounts } from '../../catalog/brand-counts.ts'
import { lowestFloor, moneyIn } from '../../catalog/countries.ts'
import { type CurrentScope, resolveRepresentativeScope } from '../../catalog/scope.ts'
import { brandShare, excluded, meta, resolved, scopeEcho } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, REPRESENTATIVE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../../contract/params.ts'
import { orNull, percent, share } from '../../contract/round.ts'
import { count, sumsOf } from '../../counts/count.ts'
import { meanOf } from '../../statistics/dispersion.ts'
import { defineQuery } from '../query.ts'
import {
  boundsOf,
  nothingRepresentative,
  observedInScope,
  pricesByReason,
  representativeOf,
} from '../representative.ts'

const TOP_BRANDS = 10

/** The representative listings, which the prices of the category determine. */
const keptListings = count({
  from: 'current_price',
  where: [
    'is_new',
    ['<=', 'accessory_depth', '$shelf_depth'],
    ['is', 'retailer_id', '$retailer_id'],
    ['>=', 'price', '$lowest_price'],
    ['<=', 'price', '$highest_price'],
  ],
  by: { brand: 'brand_id', retailer: 'retailer_id' },
  sums: {
    rated: ['known', 'rating'],
    rating: 'rating',
    promoted: 'is_promoted',
    in_stock: 'is_in_stock',
    stock_known: 'is_stock_known',
  },
})

/**
 * Headline figures of a category.
 *
 * @example
 * const { product_count, pricing, top_brands } = await engine.ask(categorySummary, { category: 'coffee' })
 * console.log(product_count, pricing.median, top_brands[0]?.brand)
 */
export const categorySummary = defineQuery({
  group: 'analyst',
  name: 'category-summary',
  summary: 'Headline figures of a category: counts, prices, ratings, promotions, stock, top brands',
  definition: {
    population: REPRESENTATIVE,
    formula:
      'Mean, lowest, highest and median of the prices. promo_rate_pct is the share of listings on promotion: marked so by ' +
      'the retailer, or 5 % to 70 % below their list price. in_stock_rate_pct is the share of listings in stock among ' +
      'those that state their availability, which stock_known_count counts. top_brands are the ten brands with most listings; spellings of a brand are merged, and ' +
      'placeholders such as "generic" are no brands.',
    null_rule: `Prices and rates are null where every listing is left out, which pricing_note says, avg_rating also where no listing has a rating, in_stock_rate_pct where none states its availability. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({ ...categoryScope, days: maximumAge() }).superRefine(categoryOrDepartment),
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
      pricing_note: field.text('Why the prices and rates are null; null where they are not.').nullable(),
      avg_rating: field.stars('Mean of the ratings of rated listings, with 2 decimals; null without any.').nullable(),
      promo_rate_pct: headline(field.share('Share of the listings that are on promotion.')).nullable(),
      in_stock_rate_pct: field
        .share('Share of listings in stock, of those that state their availability; null where none does.')
        .nullable(),
      stock_known_count: field.count('Listings that state their availability.'),
      representative_floor: field.money('Price below which listings are left out as not representative.'),
      excluded,
      top_brands: field.list(brandShare, 'The ten brands with most listings, largest first.'),
      resolved,
      meta,
    })
    .meta({ id: 'CategorySummary', description: 'Headline figures of a category.' }),

  resolve: resolveRepresentativeScope,

  mayBeEmpty: (context) => !isObserved(context),

  reads: { prices: pricesByReason, listings: keptListings },
  with: { listings: ({ prices }, { lowest_floor }) => boundsOf(prices, Number(lowest_floor)) },

  toAnswer({ prices, listings }, context: CurrentScope, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const observed = observedInScope(prices)
    if (!observed) throw nothingObserved(context)
    const representative = representativeOf(prices, lowestFloor(context.echo.country, catalog))
    const { kept, floor, excluded } = representative
    const { rated, rating, promoted, in_stock, stock_known } = sumsOf(listings)
    const brands = brandCounts(listings.key.brand, listings.n, catalog.brandsById)
    const branded_count = brands.reduce((sum, { product_count }) => sum + product_count, 0)
    const price = (value: number | undefined): number | null => orNull(money, value)
    return {
      ...context.echo,
      product_count: kept.n,
      brand_count: brands.length,
      retailer_count: new Set(listings.key.retailer).size,
      pricing: {
        avg: orNull(money, meanOf(kept)),
        min: price(kept.values.at(0)),
        max: price(kept.values.at(-1)),
        median: kept.n === 0 ? null : money(kept.quantile(0.5)),
      },
      pricing_note: nothingRepresentative(representative),
      avg_rating: rated === 0 ? null : percent(rating / 100 / rated),
      promo_rate_pct: share(promoted, kept.n),
      in_stock_rate_pct: share(in_stock, stock_known),
      stock_known_count: stock_known,
      representative_floor: money(floor),
      excluded,
      top_brands: brands.slice(0, TOP_BRANDS).map(({ brand, product_count }) => ({
        brand,
        product_count,
        share_pct: percent((100 * product_count) / branded_count),
      })),
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
