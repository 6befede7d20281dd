import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { resolveWindowScope } from '../../catalog/scope.ts'
import { meta, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, sources, WINDOW } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { brand, category, country, retailer, windowParams } from '../../contract/params.ts'
import { orNull, percent } from '../../contract/round.ts'
import { type Counted, count, groupsOf, observedSpan, spanOf } from '../../counts/count.ts'
import { DEPTH_UNIT, MAX_PROMOTION_PERCENT, MIN_PROMOTION_PERCENT } from '../../statistics/promotion.ts'
import { defineQuery } from '../query.ts'

const listingDays = count({
  from: 'observed_price',
  where: [
    ['is', 'retailer_id', '$retailer_id'],
    ['or', ['not', '$by_brand'], ['known', 'brand_id']],
  ],
  by: { ranked: ['if', '$by_brand', 'brand_id', 'retailer_id'] },
  sums: {
    promoted: 'is_promoted',
    discounted: ['and', 'is_promoted', ['known', 'depth']],
    depth: { of: 'depth', where: 'is_promoted' },
  },
  max: { depth: { of: 'depth', where: 'is_promoted' } },
})

type Ranked = {
  label: string
  key: string
  total_observations: number
  promo_observations: number
  depth_count: number
  depth_sum: number
  max_depth: number
}

/** Brands or retailers with their counts. */
const rankedOf = (
  { length, key, n, sum, max }: Counted<typeof listingDays>,
  by_brand: boolean,
  { brandsById, platforms }: Catalog,
): Ranked[] =>
  groupsOf({ length }).map((group) => {
    const id = key.ranked[group]!
    const brand = by_brand ? brandsById.get(id)! : null
    return {
      label: brand?.brand ?? platforms.get(id)!,
      key: brand?.brand_norm ?? platforms.get(id)!,
      total_observations: n[group]!,
      promo_observations: sum.promoted[group]!,
      depth_count: sum.discounted[group]!,
      depth_sum: sum.depth[group]!,
      max_depth: max.depth[group]!,
    }
  })

const promoRow = z
  .object({
    brand: field.text('The brand of the row, or the brand that was sent; null: all brands.').nullable(),
    retailer: field.text('The retailer of the row, or the retailer that was sent; null: all retailers.').nullable(),
    total_observations: field.count('Listing-days observed.'),
    promo_observations: field.count('Listing-days on promotion.'),
    promo_frequency_pct: headline(field.share('Share of the listing-days that were on promotion.')),
    avg_promo_depth_pct: field
      .share('Mean discount off the list price while on promotion; null without any.')
      .nullable(),
    max_promo_depth_pct: field.share('Deepest discount off the list price; null without any.').nullable(),
  })
  .meta({ id: 'PromoRow', description: 'Promotions of one brand or retailer.' })

const depth = (value: number): number => (100 * value) / DEPTH_UNIT
const frequency = ({ promo_observations, total_observations }: Ranked): number =>
  promo_observations / total_observations
const averageDepth = ({ depth_sum, depth_count }: Ranked): number | null =>
  depth_count === 0 ? null : depth(depth_sum / depth_count)

const byRank = (a: Ranked, b: Ranked): number =>
  frequency(b) - frequency(a) ||
  (averageDepth(b) ?? -1) - (averageDepth(a) ?? -1) ||
  b.total_observations - a.total_observations ||
  (a.key < b.key ? -1 : 1)

/**
 * Promotions by brand or by retailer.
 *
 * @example
 * const params = { category: 'coffee', aggregate_by: 'retailer', days: 60 } as const
 * const { retailers = [] } = await engine.ask(promoIntelligence, params)
 * for (const { retailer, promo_frequency_pct } of retailers) console.log(retailer, promo_frequency_pct)
 */
export const promoIntelligence = defineQuery({
  group: 'marketing',
  name: 'promo-intelligence',
  summary: 'How often and how deeply brands or retailers promote in a category',
  definition: {
    population:
      'Every listing and day of the window in scope on which a price was observed (listing-days), used articles and ' +
      `accessories too; of branded listings only when ranked by brand. ${WINDOW}`,
    formula:
      `On promotion is a day whose observation is marked so by the retailer, or ${MIN_PROMOTION_PERCENT} % to ${MAX_PROMOTION_PERCENT} % below the list ` +
      'price. promo_frequency_pct is the share of listing-days on promotion. Depth is (list price - price) / list price, averaged over the listing-days on promotion ' +
      `whose price is below the list price by at most ${MAX_PROMOTION_PERCENT} %: a deeper one more likely means a wrong list price. Ranked by ` +
      'frequency, mean depth (none last), observations, then the normalised name.',
    null_rule: `Depths are null where no promotion has a list price. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({
    category,
    country,
    retailer: retailer.optional(),
    brand: brand.optional(),
    aggregate_by: z
      .enum(['brand', 'retailer'])
      .default('brand')
      .describe('What is ranked; the answer has a list of that name.'),
    ...windowParams,
  }),
  answer: z
    .object({
      ...scopeEcho,
      brand: field.text('Name of the brand that was sent; null: all brands.').nullable(),
      aggregate_by: field.choice(['brand', 'retailer'], 'What is ranked.'),
      window,
      brands: field
        .list(promoRow, 'Brands, those that promote most often first; absent when retailers are ranked.')
        .optional(),
      retailers: field
        .list(promoRow, 'Retailers, those that promote most often first; absent when brands are ranked.')
        .optional(),
      resolved,
      meta,
    })
    .meta({ id: 'PromoIntelligence', description: 'How often and how deeply a category is promoted.' }),

  async resolve(params, catalog) {
    const { bindings, periods, context } = await resolveWindowScope(params, 'daily', catalog)
    const { from, to, month_from, month_to } = periods
    const by_brand = params.aggregate_by === 'brand'
    return { bindings: { ...bindings, by_brand, from, to, month_from, month_to }, context: { ...context, by_brand } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, listingDays },

  toAnswer({ observed, listingDays }, context, catalog) {
    const { echo, resolved, window, brand, by_brand } = context
    const span = spanOf(observed)
    if (!span) throw nothingObserved(context)
    const list = rankedOf(listingDays, by_brand, catalog)
      .sort(byRank)
      .map((row) => ({
        brand: by_brand ? row.label : brand,
        retailer: by_brand ? echo.retailer : row.label,
        total_observations: row.total_observations,
        promo_observations: row.promo_observations,
        promo_frequency_pct: percent(100 * frequency(row)),
        avg_promo_depth_pct: orNull(percent, averageDepth(row)),
        max_promo_depth_pct: row.depth_count === 0 ? null : percent(depth(row.max_depth)),
      }))
    return {
      ...echo,
      brand,
      aggregate_by: by_brand ? ('brand' as const) : ('retailer' as const),
      window,
      ...(by_brand ? { brands: list } : { retailers: list }),
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
