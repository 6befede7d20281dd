import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, priceRowOf } from '../../answer.ts'
import { listedPrice, meta, priceRow, resolved, scopeEcho } from '../../blocks.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { countBy, countFlagged, currentRows, observedBetween, samplePrices } from '../../catalog/current-prices.ts'
import { firstByKey, listedAs, MAX_FIRST } from '../../catalog/first-rows.ts'
import { IS_PROMOTED, type Listings } from '../../catalog/listings.ts'
import { type Country, type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { category, country, maximumAge, retailer } from '../../params.ts'
import { type Bindings, defineQuery, one } from '../../query.ts'
import { money, orNull, share } from '../../round.ts'
import { meanOf } from '../../statistics/dispersion.ts'
import { ValueCounts } from '../../statistics/value-counts.ts'
import { competitiveLandscapeOnShards } from './competitive-landscape.clickhouse.ts'

const row = z.object({
  /** Distinct prices with their counts in `listings`, in any order, and the number on promotion. Null without any. */
  counts: z
    .object({ prices: z.array(z.int()).nullable(), listings: z.array(count).nullable(), promoted: count.nullable() })
    .nullable(),
  /** In any order; ids may repeat, and ids below 1 are no brand. */
  brand_ids: z.array(z.int()).nullable(),
  retailer_ids: z.array(z.int()).nullable(),
  observed_min: figure,
  observed_max: figure,
  products: z.array(listedPrice).nullable(),
})

type Sort = 'price' | '-price' | 'discount' | 'reviews'

/** Compares rows by the sort key; ties are left to the caller. */
const comparatorOf = ({ price, list_price, review_count }: Listings, sort: Sort) => {
  const discount = (row: number) => Math.max(0, (list_price[row]! - price[row]!) / list_price[row]!)
  const keys: Record<Sort, (row: number) => number> = {
    price: (row) => price[row]!,
    '-price': (row) => -price[row]!,
    discount: (row) => (list_price[row]! < 0 ? 0 : -discount(row)),
    reviews: (row) => -Math.max(0, review_count[row]!),
  }
  const keyOf = keys[sort]
  return (a: number, b: number) => keyOf(a) - keyOf(b)
}

/** Computes the row of competitive-landscape.sql in memory. */
const countLandscape = async (
  prices: Listings,
  bindings: Bindings,
  catalog: Catalog,
): Promise<z.output<typeof row>> => {
  const rows = currentRows(prices, bindings)
  const sample = samplePrices(prices, rows)
  const offset = Number(bindings.offset)
  const { listingAt } = await catalog.search(bindings.country as Country)
  const order = comparatorOf(prices, bindings.sort as Sort)
  const page = firstByKey(prices, rows, offset + Number(bindings.limit), order, listingAt).slice(offset)
  return {
    counts: {
      prices: [...sample.values],
      listings: Array.from(sample.values, (_, i) => sample.countAt(i)),
      promoted: countFlagged(prices, rows, IS_PROMOTED),
    },
    brand_ids: [...countBy(prices.brand_id, rows).keys()],
    retailer_ids: [...countBy(prices.retailer_id, rows).keys()],
    ...observedBetween(prices, rows),
    products: page.map((row, i) => listedAs(listingAt(row), offset + i + 1, catalog)),
  }
}

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
  row,
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

  async resolve(params, catalog) {
    const { sort, limit, offset } = params
    const { bindings, context } = await resolveCurrentScope(params, catalog)
    return { bindings: { ...bindings, sort, limit, offset }, context: { ...context, limit, offset } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  async fromMemory({ bindings }, catalog) {
    const prices = catalog.prices(bindings.country as Country)
    const isDeep = Number(bindings.offset) + Number(bindings.limit) > MAX_FIRST
    return isDeep ? null : prices && [await countLandscape(prices, bindings, catalog)]
  },

  onShards: competitiveLandscapeOnShards,

  shape(rows, context: CurrentScope & { limit: number; offset: number }) {
    const { counts, brand_ids, retailer_ids, products, observed_min, observed_max } = one(rows)
    if (observed_min === null || observed_max === null) throw nothingObserved(context)
    const prices = ValueCounts.of(counts?.prices ?? [], counts?.listings ?? [])
    return {
      ...context.echo,
      total_products: prices.n,
      products: (products ?? []).map(({ place: _, ...listed }) => priceRowOf(listed)),
      limit: context.limit,
      offset: context.offset,
      summary: {
        brand_count: new Set(brand_ids?.filter((id) => id > 0)).size,
        retailer_count: new Set(retailer_ids).size,
        avg_price: orNull(money, meanOf(prices)),
        median_price: prices.n === 0 ? null : money(prices.quantile(0.5)),
        min_price: orNull(money, prices.values.at(0)),
        max_price: orNull(money, prices.values.at(-1)),
        promo_rate_pct: share(counts?.promoted ?? 0, prices.n),
      },
      resolved: context.resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
