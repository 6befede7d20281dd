import { z } from 'zod'
import { metaBlock, withNewestObserved } from '../../catalog/answer.ts'
import { hundredSmallest, moneyIn } from '../../catalog/countries.ts'
import { countIfAllUnbranded, MIN_DEAL_PRICE } from '../../catalog/deals.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { brandScopeOf, type resolveBrandScope } from '../../catalog/scope.ts'
import { gpc, meta, priceRow, resolved, scopeEcho } from '../../contract/blocks.ts'
import { AGE, CURRENT, LOWNESS_OF_YEAR, sources } from '../../contract/definition.ts'
import { EngineError } from '../../contract/errors.ts'
import { field, headline } from '../../contract/field.ts'
import { brand, category, country, maximumAge, retailer } from '../../contract/params.ts'
import { ratio } from '../../contract/round.ts'
import { count, list, spanOf, total } from '../../counts/count.ts'
import { ALL_LISTINGS, LISTED_COLUMNS, priceRowOf } from '../listed.ts'
import { defineQuery } from '../query.ts'

const dealsByBranded = count({
  from: 'deal',
  by: { is_branded: ['known', 'brand_id'] },
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})

const bestDeals = list({
  from: 'deal',
  where: [['or', '$include_unbranded', ['known', 'brand_id']]],
  columns: [...LISTED_COLUMNS, 'gpc_id', 'gpc_precision', 'gpc_source'],
  order: ['-score', '-discount', 'product_uid'],
  limit: '$limit',
})

type Deal = { price: number; list_price: number | null; product_uid: string }

const depthOf = ({ price, list_price }: Deal): number => (list_price! - price) / list_price!

/** Computed here again, since engines round logarithms differently. */
const scoreOf = (deal: Deal, hundred: number): number => depthOf(deal) * Math.log(deal.price / hundred)

/** Best first. */
const byScore =
  (hundred: number) =>
  (a: Deal, b: Deal): number =>
    scoreOf(b, hundred) - scoreOf(a, hundred) || depthOf(b) - depthOf(a) || (a.product_uid < b.product_uid ? -1 : 1)

/** More deals are read than are listed, as those with almost equal scores may be in another order. */
const MARGIN = 10

const score = field.ratio(
  'What deals are ranked by: the discount as a fraction times the natural logarithm of the price.',
)

type DealFinderContext = Awaited<ReturnType<typeof resolveBrandScope>>['context'] & {
  include_unbranded: boolean
  min_discount_pct: number
  limit: number
}

/** The sentence about deals that are left out for having no brand. */
const leftOut = (unbranded: number, brand: string | null): string => {
  if (unbranded === 0) return ''
  const [products, are] = unbranded === 1 ? ['product', 'is'] : ['products', 'are']
  const why = brand === null ? 'send include_unbranded to list them' : 'they may be of any brand'
  return ` ${unbranded} discounted ${products} without a brand ${are} left out: ${why}.`
}

const noDeal = (context: DealFinderContext, unbranded_left_out: number): EngineError => {
  const { echo, brand, include_unbranded, min_discount_pct, since, newest_observed_at } = context
  const product = include_unbranded ? 'product' : `product of ${brand ?? 'a known brand'}`
  return new EngineError(
    'NO_RESULTS',
    `No ${product} in this scope is in stock at ${min_discount_pct} % or more off since ` +
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
export const dealFinder = defineQuery({
  group: 'shopper',
  name: 'deal-finder',
  summary: 'In-stock products below their list price, best deals first',
  definition: {
    population:
      `${CURRENT}In scope are listings in stock (in_stock true, not null) that cost 5.00 or more, or 500 where the currency ` +
      'has no decimals, and are at least min_discount_pct and at most 70 % below their list price: a deeper discount more ' +
      'likely means a wrong list price. Listings without a brand are left out unless include_unbranded is true and no ' +
      'brand is sent.',
    formula:
      'The discount is (list_price - price) / list_price; a recommended_price is no list price. Ranked by score, the ' +
      'discount as a fraction times the natural logarithm of the price (of a hundredth of it, where the currency has no ' +
      'decimals), so that cheap articles do not fill the list; ties by discount, then product_uid. total_deals_found ' +
      'counts all deals, whatever the limit. ' +
      `${AGE}${LOWNESS_OF_YEAR.trim()}`,
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
    include_unbranded: z
      .boolean()
      .default(false)
      .describe('Whether to list products without a brand, too. Not with brand.'),
    limit: z.int().min(1).max(50).default(20).meta({ description: 'Maximum number of deals to list.', unit: 'count' }),
    days: maximumAge(14),
  }),
  answer: z
    .object({
      ...scopeEcho,
      brand: field.text('Name of the brand that was sent; null: all brands.').nullable(),
      min_discount_pct: field.share('Minimum discount off the list price, as sent.'),
      deals: headline(
        field.list(
          priceRow.extend({ score, gpc: gpc.nullable() }).meta({ id: 'Deal', description: 'A discounted listing.' }),
          'The best deals, highest score first.',
        ),
      ),
      total_deals_found: field.count('All deals in scope, whatever the limit.'),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'DealFinder', description: 'Discounted listings in stock.' }),

  async resolve(params, catalog) {
    const { min_discount_pct, limit, country } = params
    // With a brand only its products are listed.
    const include_unbranded = params.include_unbranded && params.brand === undefined
    const { bindings, context } = await brandScopeOf(params, catalog)
    const dealContext = { ...context, min_discount_pct, include_unbranded, limit }
    const dealBindings = {
      ...bindings,
      ...ALL_LISTINGS,
      min_discount_pct,
      include_unbranded,
      limit: limit + MARGIN,
      min_price: MIN_DEAL_PRICE * hundredSmallest(country, catalog),
    }
    const unbranded = catalog.is_latest ? countIfAllUnbranded(await catalog.listings(country), dealBindings) : null
    // Takes precedence over the refusal of a scope without observations.
    if (unbranded)
      throw noDeal({ ...dealContext, newest_observed_at: await catalog.newestObserved(bindings) }, unbranded)
    const observed = await withNewestObserved(dealContext, bindings, catalog)
    if (unbranded === 0) throw noDeal(observed, 0)
    return { bindings: dealBindings, context: observed }
  },

  mayBeEmpty: (_, { is_latest }) => !is_latest,

  reads: { deals: dealsByBranded, best: bestDeals },

  toAnswer({ deals, best }, context, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const hundred = hundredSmallest(context.echo.country, catalog)
    const { echo, brand, min_discount_pct, include_unbranded, limit, resolved } = context
    const isListed = (group: number): boolean => include_unbranded || deals.key.is_branded[group] === 1
    const observed = spanOf(deals, isListed)
    const total_deals_found = total(deals, isListed)
    if (!observed) throw noDeal(context, total(deals) - total_deals_found)
    return {
      ...echo,
      brand,
      min_discount_pct,
      deals: best
        .toSorted(byScore(hundred))
        .slice(0, limit)
        .map((deal) => ({
          ...priceRowOf(deal, context, catalog.platforms, money),
          score: ratio(scoreOf(deal, hundred)),
          gpc: gpcOf(deal, catalog),
        })),
      total_deals_found,
      resolved,
      meta: metaBlock(context, observed),
    }
  },
})
