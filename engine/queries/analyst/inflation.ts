import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { moneyIn } from '../../catalog/countries.ts'
import { resolveWindowScope, type Scope } from '../../catalog/scope.ts'
import { subCategoryOf } from '../../catalog/sub-category.ts'
import type { Source } from '../../contract/as-of.ts'
import { meta, point, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, LISTING_PERIOD, sources } from '../../contract/definition.ts'
import { deprecated, field } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope, chosenGranularity, windowParams } from '../../contract/params.ts'
import { percent } from '../../contract/round.ts'
import type { PeriodBindings, Window } from '../../contract/window.ts'
import { observedSpan, spanOf } from '../../counts/count.ts'
import { decompose, decomposition } from '../../statistics/decomposition.ts'
import { BUCKETS_OF_CHANGES, distributionField } from '../../statistics/distribution.ts'
import {
  lastLikeForLike,
  likeForLike,
  likeForLikeFields,
  MAX_CONTRIBUTIONS,
  MIN_MATCHED,
  namedContributions,
  pointLikeForLike,
  pointLikeForLikeField,
  retailerContributions,
} from '../../statistics/like-for-like.ts'
import { joinedCounts } from '../../statistics/log-counts.ts'
import { FENCE } from '../../statistics/price-relative.ts'
import { SALE } from '../../statistics/price-setting.ts'
import { chained, linksOf, seriesPoints } from '../../statistics/series.ts'
import { TRIM_PERCENT } from '../../statistics/trimmed-mean.ts'
import { defineQuery } from '../query.ts'
import { regular, regularBefore, regularDays, regularLogs, regularRelatives } from '../regular-prices.ts'
import {
  compositionOf,
  contributing,
  lastRelatives,
  periodsOf,
  relativesOf,
  relativesToFirst,
  seriesWithBase,
} from '../series-counts.ts'

const inflationPoint = point
  .extend({ lfl: pointLikeForLikeField })
  .meta({ id: 'InflationPoint', description: 'Prices of one period, and their change since the first one.' })

const contribution = {
  matched: field.count('Its listings priced in both periods, within the plausibility fence.'),
  contribution_pp: field.points('What its listings add to lfl_change_pct.'),
}

type InflationContext = Pick<Scope, 'echo' | 'resolved'> &
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
export const inflation = defineQuery({
  group: 'analyst',
  name: 'inflation',
  summary: 'Like-for-like price trend of a category',
  definition: {
    population: LISTING_PERIOD,
    formula:
      'lfl_change_pct: for each listing priced in the first and in the last period of the window, the logarithm of its ' +
      `price relative (last / first). Relatives above ${FENCE} or below 1/${FENCE} are left out as implausible; of the rest ` +
      `${TRIM_PERCENT} % (rounded down, at least one listing) are cut from each tail; the exponential of the mean of what is left, ` +
      'minus 1, is the change. It is a trimmed Jevons index, so a rise and an equal fall cancel out. lfl_ci is its 95 % ' +
      'interval (Tukey and McLaughlin): the mean plus and minus the 97.5 % quantile of t with h - 1 degrees of freedom times ' +
      'sqrt(S / (h (h - 1))), before the exponential; h listings are left, and S is the sum of squared deviations from ' +
      'their mean of all logarithms with the tails set to the nearest that is left. lfl of a point is the same from the ' +
      'first period to that one. lfl_contributions: the sum of the logarithms of a retailer that are left over the number of all that are, scaled ' +
      'to percent and rounded so that they add up to lfl_change_pct; of equal ones at a cut each retailer keeps the same share. lfl_categories and lfl_brands are the same by sub-category of the scope and by brand: ' +
      `the ${MAX_CONTRIBUTIONS} largest, and what all others add in lfl_other_categories_pp and lfl_other_brands_pp; each adds up to lfl_change_pct. ` +
      `lfl_variants.regular, with regular=true, is lfl_change_pct of regular prices, each the median of the days of its period: ${SALE}. ` +
      `lfl_distribution: matched listings in ${BUCKETS_OF_CHANGES}. ` +
      'overall_change_pct multiplies the change_pct of the points. ' +
      'decomposition splits the change of the average price, in percent of the first: of the listings priced in both periods, whatever their relative (matched), ' +
      'by those only in the last (entry: its mean without and with them) and only in the first (exit). Without granularity ' +
      'periods are weeks up to 45 days, else months; without a window, the whole weeks of the last 30 days.',
    null_rule:
      `lfl_change_pct is null below ${MIN_MATCHED} matched listings, with the reason in lfl_note; intervals below 30. ` +
      'lfl is null at the first point. lfl_note also reports a first or last period that the window cuts, or with under a fifth of the ' +
      'listings of the largest, and a fence that left out more than half of the pairs. Changes are null where fewer than two periods have observations; that from the ' +
      `period before where the fence leaves none of the pairs, and with it overall_change_pct. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      'IMF, Consumer Price Index Manual: Concepts and Methods (2020), 8.37.',
      'Melitz and Polanec, Dynamic Olley-Pakes productivity decomposition with entry and exit (2015).',
      'Tukey and McLaughlin, Less vulnerable confidence and significance procedures (1963).',
    ],
  },
  params: z
    .object({ ...categoryScope, ...windowParams, granularity: chosenGranularity, regular })
    .superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      granularity: window.shape.granularity,
      ...likeForLikeFields,
      overall_change_pct: deprecated(
        field.change(
          'Use lfl_change_pct instead. The chained change_pct of the periods, which drifts where listings come and go; ' +
            'null for a single period and where one of them is.',
        ),
      ).nullable(),
      naive_overall_change_pct: deprecated(
        field.change(
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
      time_series: field.list(inflationPoint, 'The periods with observations, oldest first.'),
      lfl_distribution: distributionField('Matched listings by how much they changed, falls first.'),
      lfl_contributions: field.list(
        z.object({
          retailer: field.text('Platform key of the retailer.'),
          ...contribution,
        }),
        'What each retailer adds to lfl_change_pct, the largest parts first; empty where that is null.',
      ),
      lfl_categories: field.list(
        z.object({
          category: field.text('Path of the sub-category; that of the category itself for its own listings.'),
          ...contribution,
        }),
        'What each sub-category adds, likewise.',
      ),
      lfl_other_categories_pp: field.points('What all other sub-categories add; null without a change.').nullable(),
      lfl_brands: field.list(
        z.object({
          brand: field.text('Name of the brand; null: no brand.').nullable(),
          ...contribution,
        }),
        'What each brand adds, likewise.',
      ),
      lfl_other_brands_pp: field.points('What all other brands add; null without a change.').nullable(),
      resolved,
      meta,
    })
    .meta({ id: 'Inflation', description: 'Price trend of a category.' }),

  async resolve({ regular, ...params }, catalog) {
    const { bindings, periods, context } = await resolveWindowScope(params, params.granularity, catalog)
    const regular_before = regularBefore(regular, catalog.as_of)
    return { bindings: { ...bindings, ...periods, regular_before }, context: { ...context, periods } }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: {
    observed: observedSpan,
    series: seriesWithBase,
    relatives: relativesToFirst,
    parts: lastRelatives,
    regular: regularRelatives,
  },
  with: { regular: ({ series }, bindings) => regularDays(series, bindings) },
  when: { regular: ({ regular_before }) => regular_before !== null },

  toAnswer({ observed, series, relatives, parts, regular }, context: InflationContext, catalog) {
    const money = moneyIn(context.echo.country, catalog)
    const { echo, resolved, window, periods } = context
    const rows = periodsOf(series)
    const [first] = rows
    const last = rows.at(-1)
    const span = spanOf(observed)
    if (!first || !last || !span) throw nothingObserved(context)
    const points = seriesPoints(rows, window.granularity, periods, 'matched', money)
    const naive = 100 * ((last.price_sum * first.product_count) / (last.product_count * first.price_sum) - 1)
    const composition = compositionOf(series)
    const matched = composition ? relativesOf(relatives, last.period) : []
    const groups = composition ? contributing(parts) : []
    const scope = resolved.category_path
    const byCategory = namedContributions(groups, ({ category_id }) => subCategoryOf(category_id, scope, catalog))
    const byBrand = namedContributions(groups, ({ brand_id }) => catalog.brandsById.get(brand_id)?.brand_norm ?? null)
    const { lfl_distribution, ...headline } = likeForLike(
      matched,
      composition?.matched_count ?? 0,
      points,
      regularLogs(regular),
    )
    const pointLfl = (row: typeof first) =>
      row === last ? lastLikeForLike(headline) : pointLikeForLike(joinedCounts(relativesOf(relatives, row.period)))
    return {
      ...echo,
      granularity: window.granularity,
      ...headline,
      ...chained(linksOf(rows)),
      naive_overall_change_pct: rows.length > 1 ? percent(naive) : null,
      decomposition: composition && decompose(composition),
      window,
      time_series: points.map((point, i) => Object.assign(point, { lfl: i === 0 ? null : pointLfl(rows[i]!) })),
      lfl_distribution,
      lfl_contributions: retailerContributions(matched).map(({ of, ...part }) => ({
        retailer: catalog.platforms.get(of)!,
        ...part,
      })),
      lfl_categories: byCategory.listed.map(({ of, ...part }) => ({ category: of!, ...part })),
      lfl_other_categories_pp: byCategory.other_pp,
      lfl_brands: byBrand.listed.map(({ of, ...part }) => ({
        brand: of === null ? null : catalog.brands.get(of)!.brand,
        ...part,
      })),
      lfl_other_brands_pp: byBrand.other_pp,
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
