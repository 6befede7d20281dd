import { z } from 'zod'
import { metaBlock, nothingObserved, withNewestObserved } from '../../answer.ts'
import { meta, point, resolved, sampleFields, scopeEcho, window } from '../../blocks.ts'
import { resolveOptionalScope, sourceOf } from '../../catalog/scope.ts'
import { resolveWindow } from '../../catalog/window.ts'
import { category, country, department, granularity, retailer, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { money, ratio } from '../../round.ts'
import { jevonsChange } from '../../statistics/like-for-like.ts'
import { periodSums, sampleOf, seriesPoints } from '../../statistics/series.ts'

const count = z.int().min(0)

const row = periodSums.extend({
  category_count: count,
  category_sum: z.number(),
  matched_entities: count.nullable(),
  gap_sum: z.number().nullable(),
  observed_min: z.number(),
  observed_max: z.number(),
})

const indexPoint = point
  .extend({ matched_price_index: z.number().nullable(), matched_entities: count })
  .meta({ id: 'IndexPoint' })

/** What the index of one period adds to its point: the retailer's average over the category's, and the matched index. */
const indexOf = (sums: z.output<typeof row>) => {
  const own = sums.price_sum / sums.product_count
  const all = sums.category_sum / sums.category_count
  const { gap_sum, matched_entities } = sums
  return {
    retailer_avg_price: money(own),
    category_avg_price: money(all),
    price_index: ratio(own / all),
    matched_price_index:
      gap_sum === null || !matched_entities ? null : ratio(1 + jevonsChange(gap_sum, matched_entities) / 100),
    matched_entities: matched_entities ?? 0,
  }
}

/**
 * A retailer's price level, period by period. price_index divides its average listing-period price by that of the
 * category, itself included, so it moves with assortment; matched_price_index compares the same products: the
 * exponential of the mean over entities sold there and elsewhere of (mean log price there - mean over the other retailers
 * of their mean log price), null without shared entities (spatial Jevons index). NO_RESULTS for an empty window.
 */
export const retailerIndex = defineQuery(import.meta, {
  group: 'analyst',
  name: 'retailer-index',
  summary: "A retailer's price level against its category over time",
  params: z.object({
    retailer,
    country,
    category: category.optional(),
    department: department.optional(),
    ...windowParams,
    granularity: granularity.default('daily'),
  }),
  row,
  answer: z
    .object({
      retailer: z.string(),
      category: scopeEcho.category,
      department: scopeEcho.department,
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      window,
      ...sampleFields,
      time_series: z.array(indexPoint),
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'RetailerIndex' }),

  resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, params.granularity, catalog.as_of)
    const { echo, resolved, bindings } = resolveOptionalScope(params, catalog, judged_before)
    const context = { echo: { ...echo, retailer: params.retailer }, resolved, window, periods, ...sourceOf(catalog) }
    return { bindings: { ...bindings, ...periods }, context: withNewestObserved(context, bindings, catalog) }
  },

  shape(rows, context) {
    const { echo, resolved, window, periods } = context
    const [first] = rows
    if (!first) throw nothingObserved(context)
    const points = seriesPoints(rows, window.granularity, periods, 'products')
    return {
      ...echo,
      window,
      ...sampleOf(points, rows),
      time_series: points.map((point, i) => ({ ...point, ...indexOf(rows[i]!) })),
      resolved,
      meta: metaBlock(context, { min: first.observed_min, max: first.observed_max }),
    }
  },
})
