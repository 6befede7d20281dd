import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, type Source, withNewestObserved } from '../../answer.ts'
import { meta, point, resolved, scopeEcho, window } from '../../blocks.ts'
import { resolveScope, type Scope, sourceOf } from '../../catalog/scope.ts'
import { type PeriodBindings, resolveWindow, type Window } from '../../catalog/window.ts'
import { EMPTY_SCOPE, LISTING_PERIOD, sources } from '../../definition.ts'
import { deprecated, field } from '../../field.ts'
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
 * Price trend of a category.
 *
 * @example
 * const { lfl_change_pct, lfl_ci, time_series } = await engine.ask(inflation, { category: 'coffee', days: 365 })
 * console.log(lfl_change_pct, lfl_ci)
 * for (const { period, median_price } of time_series) console.log(period, median_price)
 */
export const inflation = defineQuery(import.meta, {
  group: 'analyst',
  name: 'inflation',
  summary: 'Like-for-like price trend of a category',
  definition: {
    population: LISTING_PERIOD,
    formula:
      'lfl_change_pct: for each listing priced in the first and in the last period of the window, the logarithm of its ' +
      'price relative (last / first). Relatives above 3 or below 1/3 are left out as implausible; of the rest 5 % (at ' +
      'least one listing) are cut from each tail; the exponential of the mean of what is left is the change. It is a ' +
      'trimmed Jevons index, so a rise and an equal fall cancel out. lfl_ci is its 95 % interval (Tukey and McLaughlin). ' +
      'decomposition splits the change of the average price into price changes, entry and exit of listings.',
    null_rule:
      'lfl_change_pct is null below 10 matched listings, with the reason in lfl_note; intervals below 30. lfl_note also ' +
      'speaks when the first or last period holds under a fifth of the listings of the largest, and when the fence left ' +
      'out more than half of the pairs. Changes are null where fewer than two periods have observations; that from the ' +
      `period before where the fence leaves none of the pairs, and with it overall_change_pct. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      'IMF, Consumer Price Index Manual: Concepts and Methods (2020), 8.37.',
      'Melitz and Polanec, Dynamic Olley-Pakes productivity decomposition with entry and exit (2015).',
      'Tukey and McLaughlin, Less vulnerable confidence and significance procedures (1963).',
    ],
  },
  params: z
    .object({ ...categoryScope, ...windowParams, granularity: granularity.default('monthly') })
    .superRefine(categoryOrDepartment),
  row,
  answer: z
    .object({
      ...scopeEcho,
      granularity,
      ...likeForLikeFields,
      overall_change_pct: deprecated(
        field.percent(
          'Use lfl_change_pct instead. The chained change_pct of the periods, which drifts where listings come and go; ' +
            'null for a single period and where one of them is.',
        ),
      ).nullable(),
      naive_overall_change_pct: deprecated(
        field.percent(
          'Use lfl_change_pct instead. The change of the average price, which moves with what is on the shelf; null for ' +
            'a single period.',
        ),
      ).nullable(),
      method: field.choice(
        ['matched', 'naive', 'mixed'],
        'How overall_change_pct was computed: from matched listings in every period, in none, or in some.',
      ),
      decomposition: decomposition
        .describe('Why the average price changed: the naive change split into its parts. Null for a single period.')
        .nullable(),
      window,
      time_series: field.list(point, 'The periods with observations, oldest first.'),
      resolved,
      meta,
    })
    .meta({ id: 'Inflation', description: 'Price trend of a category.' }),

  resolve(params, catalog) {
    const { window, periods, judged_before } = resolveWindow(params, params.granularity, catalog.as_of)
    const { echo, resolved, bindings } = resolveScope(params, catalog, judged_before)
    const context = { echo, resolved, window, periods, ...sourceOf(catalog) }
    return { bindings: { ...bindings, ...periods }, context: withNewestObserved(context, bindings, catalog) }
  },

  mayBeEmpty: (context) => !isObserved(context),

  shape(rows, context: Context) {
    const { echo, resolved, window, periods } = context
    const [first] = rows
    const last = rows.at(-1)
    if (!first || !last) throw nothingObserved(context)
    const naive = 100 * ((last.price_sum * first.product_count) / (last.product_count * first.price_sum) - 1)
    return {
      ...echo,
      granularity: window.granularity,
      ...likeForLike(first.matched_sums, first.clusters ?? [], rows),
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
