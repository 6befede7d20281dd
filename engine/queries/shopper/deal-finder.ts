import { z } from 'zod'
import { metaBlock, priceRowOf, withNewestObserved } from '../../answer.ts'
import { gpc, listedPrice, meta, priceRow, resolved, scopeEcho } from '../../blocks.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { currentRows, currentWithin, observedBetween, rowsWhere } from '../../catalog/current-prices.ts'
import { firstByKey, listedAs } from '../../catalog/first-rows.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { type CurrentColumns, IS_IN_STOCK, type Listings, type ListingTable } from '../../catalog/listings.ts'
import { brandScopeOf, type Country, type resolveBrandScope } from '../../catalog/scope.ts'
import { CURRENT, sources } from '../../definition.ts'
import { EngineError } from '../../errors.ts'
import { count, field, figure, headline } from '../../field.ts'
import { brand, category, country, maximumAge, retailer } from '../../params.ts'
import { type Bindings, defineQuery, one } from '../../query.ts'
import { MAX_PROMOTION_PERCENT } from '../../statistics/promotion.ts'
import { dealFinderOnShards } from './deal-finder.clickhouse.ts'

const typed = { gpc_id: z.int().nullable(), gpc_precision: z.string().nullable(), gpc_source: z.string().nullable() }

const row = z.object({
  total_deals_found: count,
  unbranded_left_out: count,
  observed_min: figure,
  observed_max: figure,
  deals: z.array(listedPrice.extend(typed)).nullable(),
})

const hasBrand = ({ brand_id }: CurrentColumns, row: number): boolean => brand_id[row]! >= 0

/** The scope of current listings, and the predicate of deal-finder.sql: whether a row is a deal of the brand or of none. */
const dealsIn = ({ price, list_price, brand_id, flags }: CurrentColumns, bindings: Bindings) => {
  const { brand_id: brand = null, min_discount_pct, ...scope } = bindings
  const isDeal = (row: number): boolean => {
    const [current, list] = [price[row]!, list_price[row]!]
    if (!(flags[row]! & IS_IN_STOCK) || current < MIN_PRICE || list < 0) return false
    const discount = 100 * (list - current)
    if (discount < Number(min_discount_pct) * list || discount > MAX_PROMOTION_PERCENT * list) return false
    return brand === null || brand_id[row]! < 0 || brand_id[row] === brand
  }
  return { scope, isDeal }
}

/** Computes the row of deal-finder.sql in memory. */
const findDeals = async (prices: Listings, bindings: Bindings, catalog: Catalog): Promise<z.output<typeof row>> => {
  const { price, list_price } = prices
  const { limit } = bindings
  const { scope, isDeal } = dealsIn(prices, bindings)
  const found = rowsWhere(currentRows(prices, scope), isDeal)
  const deals = rowsWhere(found, (row) => hasBrand(prices, row))
  const depth = (row: number): number => (list_price[row]! - price[row]!) / list_price[row]!
  const score = (row: number): number => depth(row) * Math.log(price[row]! / 100)
  const { listingAt } = await catalog.search(bindings.country as Country)
  const order = (a: number, b: number): number => score(b) - score(a) || depth(b) - depth(a)
  const best = firstByKey(prices, deals, Number(limit), order, listingAt).map(listingAt)
  const listed = best.map((listing, i) => {
    const { gpc_id, gpc_precision, gpc_source } = listing
    return { ...listedAs(listing, i + 1, catalog), gpc_id, gpc_precision, gpc_source }
  })
  return {
    total_deals_found: deals.length,
    unbranded_left_out: found.length - deals.length,
    ...observedBetween(prices, deals),
    deals: listed.length > 0 ? listed : null,
  }
}

/** The number of deals without a brand if no deal has one; null if a deal has a brand. */
const countIfAllUnbranded = (listings: ListingTable, bindings: Bindings): number | null => {
  const { first = 0, last = Number.POSITIVE_INFINITY } = bindings
  let unbranded = 0
  for (const columns of listings.discounted(Number(first), Number(last))) {
    const { scope, isDeal } = dealsIn(columns, bindings)
    const { begin, end, isCurrent } = currentWithin(columns, scope)
    for (let row = begin; row < end; row += 1) {
      if (!isCurrent(row) || !isDeal(row)) continue
      if (hasBrand(columns, row)) return null
      unbranded += 1
    }
  }
  return unbranded
}

type DealFinderContext = Awaited<ReturnType<typeof resolveBrandScope>>['context'] & { min_discount_pct: number }

/** In cents. */
const MIN_PRICE = 500

/** The sentence about deals that are left out for having no brand. */
const leftOut = (unbranded: number, brand: string | null): string => {
  if (unbranded === 0) return ''
  const [products, are] = unbranded === 1 ? ['product', 'is'] : ['products', 'are']
  const why = brand === null ? 'only branded products are listed' : 'they may be of any brand'
  return ` ${unbranded} discounted ${products} without a brand ${are} left out: ${why}.`
}

const noDeal = (context: DealFinderContext, unbranded_left_out: number): EngineError => {
  const { echo, brand, min_discount_pct, since, newest_observed_at } = context
  return new EngineError(
    'NO_RESULTS',
    `No product of ${brand ?? 'a known brand'} in this scope is in stock at ${min_discount_pct} % or more off since ` +
      `${since}; lower min_discount_pct, increase days or widen the scope.${leftOut(unbranded_left_out, brand)}`,
    { ...echo, brand, min_discount_pct, since, unbranded_left_out, newest_observed_at },
  )
}

/**
 * Discounted products in stock, best deals first.
 *
 * @example
 * const { deals } = await engine.ask(dealFinder, { category: 'coffee', min_discount_pct: 15 })
 * for (const { product_name, price, discount_pct } of deals) console.log(product_name, price, discount_pct)
 */
export const dealFinder = defineQuery(import.meta, {
  group: 'shopper',
  name: 'deal-finder',
  summary: 'In-stock products below their list price, best deals first',
  definition: {
    population:
      `${CURRENT}In scope are branded listings in stock that cost 5.00 or more and are at least min_discount_pct and at ` +
      'most 70 % below their list price: a deeper discount more likely means a wrong list price.',
    formula:
      'Ranked by discount times the logarithm of the price, so that cheap articles do not fill the list; ties by ' +
      'discount, then product_uid. total_deals_found counts all deals, whatever the limit.',
    null_rule:
      'NO_RESULTS, free of charge, for an unknown brand and where there is no deal; it counts the discounted products ' +
      'without a brand that were left out.',
    sources: [sources.prices],
  },
  params: z.object({
    brand: brand.optional(),
    category: category.optional(),
    country,
    retailer: retailer.optional(),
    min_discount_pct: z
      .number()
      .min(1)
      .max(70)
      .default(10)
      .meta({ description: 'Minimum discount off the list price, in percent.', unit: 'percent' }),
    limit: z.int().min(1).max(50).default(20).meta({ description: 'Maximum number of deals to list.', unit: 'count' }),
    days: maximumAge(14),
  }),
  row,
  answer: z
    .object({
      ...scopeEcho,
      brand: field.text('Name of the brand that was sent; null: all brands.').nullable(),
      min_discount_pct: field.share('Minimum discount off the list price, as sent.'),
      deals: headline(
        field.list(
          priceRow.extend({ gpc: gpc.nullable() }).meta({ id: 'Deal', description: 'A discounted listing.' }),
          'The best deals, best first.',
        ),
      ),
      total_deals_found: field.count('All deals in scope, whatever the limit.'),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'DealFinder', description: 'Discounted listings in stock.' }),

  async resolve(params, catalog) {
    const { min_discount_pct, limit, country } = params
    const { bindings, context } = await brandScopeOf(params, catalog)
    const dealContext = { ...context, min_discount_pct }
    const dealBindings = { ...bindings, min_discount_pct, limit }
    const unbranded = catalog.is_latest ? countIfAllUnbranded(await catalog.listings(country), dealBindings) : null
    // Takes precedence over the refusal of a scope without observations.
    if (unbranded)
      throw noDeal({ ...dealContext, newest_observed_at: await catalog.newestObserved(bindings) }, unbranded)
    const observed = await withNewestObserved(dealContext, bindings, catalog)
    if (unbranded === 0) throw noDeal(observed, 0)
    return { bindings: dealBindings, context: observed }
  },

  mayBeEmpty: (_, { is_latest }) => !is_latest,

  async fromMemory({ bindings }, catalog) {
    const prices = catalog.prices(bindings.country as Country)
    return prices && [await findDeals(prices, bindings, catalog)]
  },

  onShards: dealFinderOnShards,

  shape(rows, context, catalog) {
    const { echo, brand, min_discount_pct, resolved } = context
    const { total_deals_found, unbranded_left_out, deals, observed_min, observed_max } = one(rows)
    if (deals === null || observed_min === null || observed_max === null) throw noDeal(context, unbranded_left_out)
    return {
      ...echo,
      brand,
      min_discount_pct,
      deals: deals.map(({ place: _, gpc_id, gpc_precision, gpc_source, ...listed }) => ({
        ...priceRowOf(listed),
        gpc: gpcOf({ gpc_id, gpc_precision, gpc_source }, catalog),
      })),
      total_deals_found,
      resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
