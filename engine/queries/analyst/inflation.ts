import { z } from 'zod'
import { metaBlock, nothingObserved, type Source, withNewestObserved } from '../../answer.ts'
import { meta, point, resolved, scopeEcho, window } from '../../blocks.ts'
import { resolveScope, type Scope, sourceOf } from '../../catalog/scope.ts'
import { type PeriodBindings, resolveWindow, type Window } from '../../catalog/window.ts'
import { categoryOrDepartment, categoryScope, granularity, windowParams } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { percent } from '../../round.ts'
import { composition, decompose, decomposition } from '../../statistics/decomposition.ts'
import { cluster, likeForLike, likeForLikeFields, matchedSums } from '../../statistics/like-for-like.ts'
import { chained, linksOf, periodSums, seriesPoints } from '../../statistics/series.ts'

const row = periodSums.extend({
  matched_sums: matchedSums,
  composition,
  clusters: z.array(cluster).nullable(),
  observed_min: z.number(),
  observed_max: z.number(),
})

type Context = Pick<Scope, 'echo' | 'resolved'> &
  Source & {
    window: Window
    periods: PeriodBindings
    newest_observed_at: string | null
  }

/**
 * Price trend of a category. Population: every listing in scope, one price a listing and period (sql/series.sql).
 * lfl_change_pct is the preferred figure; overall_change_pct chains the periods' changes and is kept for compatibility,
 * as is naive_overall_change_pct, which moves with the composition of the shelf. NO_RESULTS for an empty window.
 */
export const inflation = defineQuery(import.meta, {
  group: 'analyst',
  name: 'inflation',
  summary: 'Like-for-like price trend of a category',
  params: z
    .object({ ...categoryScope, ...windowParams, granularity: granularity.default('monthly') })
    .superRefine(categoryOrDepartment),
  row,
  answer: z
    .object({
      ...scopeEcho,
      granularity,
      ...likeForLikeFields,
      overall_change_pct: z.number().nullable(),
      naive_overall_change_pct: z.number().nullable(),
      method: z.enum(['matched', 'naive', 'mixed']),
      decomposition: decomposition.nullable(),
      window,
      time_series: z.array(point),
      resolved,
      meta,
    })
    .meta({ id: 'Inflation' }),

  resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, params.granularity, catalog.as_of)
    const { echo, resolved, bindings } = resolveScope(params, catalog, judged_before)
    const context = { echo, resolved, window, periods, ...sourceOf(catalog) }
    return { bindings: { ...bindings, ...periods }, context: withNewestObserved(context, bindings, catalog) }
  },

  shape(rows, context: Context) {
    const { echo, resolved, window, periods } = context
    const [first] = rows
    const last = rows.at(-1)
    if (!first || !last) throw nothingObserved(context)
    const naive = 100 * ((last.price_sum * first.product_count) / (last.product_count * first.price_sum) - 1)
    return {
      ...echo,
      granularity: window.granularity,
      ...likeForLike(first.matched_sums, first.clusters ?? [], rows.length),
      ...chained(linksOf(rows)),
      naive_overall_change_pct: rows.length > 1 ? percent(naive) : null,
      decomposition: decompose(first.composition),
      window,
      time_series: seriesPoints(rows, window.granularity, periods, 'matched'),
      resolved,
      meta: metaBlock(context, { min: first.observed_min, max: first.observed_max }),
    }
  },
})
