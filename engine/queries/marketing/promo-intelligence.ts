import { z } from 'zod'
import { metaBlock, nothingObserved, withNewestObserved } from '../../answer.ts'
import { meta, resolved, scopeEcho, window } from '../../blocks.ts'
import { resolveBrand } from '../../catalog/brand-scope.ts'
import { resolveScope, sourceOf } from '../../catalog/scope.ts'
import { resolveWindow } from '../../catalog/window.ts'
import { brand, category, country, retailer, windowParams } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { orNull, percent } from '../../round.ts'

const count = z.int().min(0)
const figure = z.number().nullable()

/** Depths are summed as whole billionths of the list price. */
const DEPTH_UNIT = 1e9

const ranked = z.object({
  label: z.string(),
  key: z.string(),
  total_observations: count,
  promo_observations: count,
  depth_count: count,
  depth_sum: figure,
  max_depth: figure,
})
type Ranked = z.output<typeof ranked>

const promoRow = z
  .object({
    brand: z.string().nullable(),
    retailer: z.string().nullable(),
    total_observations: count,
    promo_observations: count,
    promo_frequency_pct: z.number(),
    avg_promo_depth_pct: figure,
    max_promo_depth_pct: figure,
  })
  .meta({ id: 'PromoRow' })

const depth = (value: number): number => (100 * value) / DEPTH_UNIT
const frequency = ({ promo_observations, total_observations }: Ranked): number =>
  promo_observations / total_observations
const averageDepth = ({ depth_sum, depth_count }: Ranked): number | null =>
  depth_sum === null ? null : depth(depth_sum / depth_count)

const byRank = (a: Ranked, b: Ranked): number =>
  frequency(b) - frequency(a) ||
  (averageDepth(b) ?? -1) - (averageDepth(a) ?? -1) ||
  b.total_observations - a.total_observations ||
  (a.key < b.key ? -1 : 1)

/**
 * Promotions by brand or by retailer. Population: the listing-days of the window in scope, branded ones when ranked by
 * brand. On promotion: marked so, or 5 % to 70 % below the list price. Depth is averaged over promoted listing-days
 * below their list price by at most 70 %, null without one. Ranked by frequency, depth, observations, key.
 */
export const promoIntelligence = defineQuery(import.meta, {
  group: 'marketing',
  name: 'promo-intelligence',
  summary: 'How often and how deeply brands or retailers promote in a category',
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
  row: z.object({ observed_min: figure, observed_max: figure, ranked: z.array(ranked).nullable() }),
  answer: z
    .object({
      ...scopeEcho,
      brand: z.string().nullable(),
      aggregate_by: z.enum(['brand', 'retailer']),
      window,
      brands: z.array(promoRow).optional(),
      retailers: z.array(promoRow).optional(),
      resolved,
      meta,
    })
    .meta({ id: 'PromoIntelligence' }),

  resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, 'daily', catalog.as_of)
    const { echo, resolved, bindings } = resolveScope(params, catalog, judged_before)
    const known = params.brand === undefined ? null : resolveBrand(params.brand, bindings, catalog)
    const { from, to, month_from, month_to } = periods
    const by_brand = params.aggregate_by === 'brand'
    const scope = { ...bindings, brand_id: known?.brand_id ?? null }
    const context = { echo, resolved, window, by_brand, brand: known?.brand ?? null, ...sourceOf(catalog) }
    return {
      bindings: { ...scope, by_brand, from, to, month_from, month_to },
      context: withNewestObserved(context, scope, catalog),
    }
  },

  shape(rows, context) {
    const { echo, resolved, window, brand, by_brand } = context
    const { observed_min, observed_max, ranked } = one(rows)
    if (observed_min === null || observed_max === null) throw nothingObserved(context)
    const list = (ranked ?? []).toSorted(byRank).map((row) => ({
      brand: by_brand ? row.label : brand,
      retailer: by_brand ? echo.retailer : row.label,
      total_observations: row.total_observations,
      promo_observations: row.promo_observations,
      promo_frequency_pct: percent(100 * frequency(row)),
      avg_promo_depth_pct: orNull(percent, averageDepth(row)),
      max_promo_depth_pct: row.max_depth === null ? null : percent(depth(row.max_depth)),
    }))
    return {
      ...echo,
      brand,
      aggregate_by: by_brand ? ('brand' as const) : ('retailer' as const),
      window,
      ...(by_brand ? { brands: list } : { retailers: list }),
      resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
