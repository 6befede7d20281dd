import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { resolveOfficialSeries } from '../../catalog/official.ts'
import { meta, periodFields, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { beside, count, field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope } from '../../contract/params.ts'
import { orNull, percent, ratio } from '../../contract/round.ts'
import { currentDays } from '../../contract/window.ts'
import { observedSpan, spanOf, statement } from '../../counts/count.ts'
import {
  changeBetween,
  commonMonths,
  compareAtLag,
  MAX_LAG,
  MIN_CHANGES,
  MIN_MONTHS,
  monthlyChanges,
} from '../../statistics/official-comparison.ts'
import { churnOf, geksJevons, spliced, within } from '../../statistics/price-index.ts'
import { periodEcho } from '../../statistics/series.ts'
import { indexMonths, masksOf } from '../index-counts.ts'
import { dayOfMonth, months, resolveIndexMonths } from '../index-months.ts'
import { defineQuery } from '../query.ts'

const LAGS = Array.from({ length: 2 * MAX_LAG + 1 }, (_, i) => i - MAX_LAG)

const NOT_A_NOWCAST =
  'A comparison, not a nowcast: posted prices without weights beside a figure of other shops and products.'

const lagRow = z.object({
  lag: z.int().min(-MAX_LAG).max(MAX_LAG).meta({
    description:
      'Months from a change of the index to the official one that it is compared with: above 0 the index is first.',
    unit: 'count',
    signed: true,
  }),
  n: field.count('Pairs of monthly changes that are compared.'),
  correlation: field.correlation(`Their correlation; null below ${MIN_CHANGES} pairs.`).nullable(),
  rmse_pp: field.error('Root mean square of their differences; null likewise.').nullable(),
  no_change_rmse_pp: field
    .error('The same of the official changes alone: the error of expecting no change. Null likewise.')
    .nullable(),
})

const comparisonPoint = z.object({
  ...periodFields,
  index: field
    .index('The price index; 1 at the first common month. Null where too few listings link the month.')
    .nullable(),
  change_pct: field.change('Change of the index from the month before; null where either has none.').nullable(),
  official_index: field
    .index('The official figure over that of the first common month; null without either.')
    .nullable(),
  official_change_pct: field.change('Change of the official figure from the month before; null likewise.').nullable(),
  gap_pp: field.points('The index less the official one, in percent of the first common month.').nullable(),
  official_value: field.figure('The official figure; null where none was released by as_of.').nullable(),
  released_on: field.date('The day on which that figure was released.').nullable(),
  vintage_count: field.count('How many figures of the month were released by as_of; the last one is used.'),
  listing_count: field.count('Listings priced in the month.'),
})

const figure = z.object({ period: z.string(), value: z.number(), released_on: z.string(), vintage_count: count })

/**
 * The price index of a category beside the series of a statistical office.
 *
 * @example
 * const { gap_pp, lags } = await engine.ask(officialComparison, { category: 'coffee', series: 'sample:coffee' })
 * console.log(gap_pp)
 * for (const { lag, correlation, rmse_pp } of lags) console.log(lag, correlation, rmse_pp)
 */
export const officialComparison = defineQuery({
  group: 'analyst',
  name: 'official-comparison',
  summary: 'The price index of a category beside the series of a statistical office',
  definition: {
    population:
      'Every listing in scope in complete calendar months, as in price-index, and the monthly figures of one series of a statistical office. ' +
      'Of each month the figure is used that was released last, on the day of as_of at the latest: one that was released or revised ' +
      'later has no part, even if the lake has it.',
    formula:
      'The index is the GEKS-Jevons index of price-index. gap_pp is its change from the first to the last common month less that of the ' +
      'official figure. Monthly changes in percent are compared with the official ones of the same month and of those up to ' +
      `${MAX_LAG} months before and after it: the correlation is Pearson's, rmse_pp the root of the mean squared difference. no_change_rmse_pp is that of a forecast that says ` +
      '0: an index whose rmse_pp is not below it says nothing of the official figure. Nothing is forecast: every month of the comparison is over.',
    null_rule:
      `gap_pp and both changes are null below ${MIN_MONTHS} common months, correlation and errors below ${MIN_CHANGES} pairs of ` +
      `changes, which ${MIN_MONTHS} months in a row have; the correlation also where one side does not vary. NOT_PUBLISHED, free of charge, where the lake has no official series of the country. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      sources.official,
      'Cavallo, Are online and offline prices similar? (2017). Croushore and Stark, A real-time data set for macroeconomists (2001): vintages.',
    ],
  },
  params: z
    .object({
      ...categoryScope,
      series: z
        .string()
        .min(1)
        .max(130)
        .describe('Official series: office and id, in any case. An unknown one is refused with those that there are.')
        .meta({ examples: ['sample:coffee'] }),
      months,
    })
    .superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      series: field.echo(field.text('Office and id of the official series.')),
      series_title: field.text('What the series is of; null where the feed does not say.').nullable(),
      series_unit: field.text('Unit of its figures; null likewise.').nullable(),
      window,
      gap_pp: headline(
        field.points(
          `Change of the index less that of the official figure, from the first to the last common month; null below ${MIN_MONTHS} of them.`,
        ),
      ).nullable(),
      index_change_pct: beside(field.change('Change of the index between these months; null likewise.')).nullable(),
      official_change_pct: beside(
        field.change('Change of the official figure between them; null likewise.'),
      ).nullable(),
      common_months: field.count('Months with both, as far as the official ones were released by as_of.'),
      first_common_month: field.date('First day of the first of them; null without any.').nullable(),
      last_common_month: field.date('First day of the last of them; null likewise.').nullable(),
      comparison_note: field.text('What the comparison is not, and why figures are null.'),
      lags: field.list(lagRow, 'Monthly changes compared with the official ones of earlier and later months.'),
      time_series: field.list(comparisonPoint, 'The months, oldest first.'),
      resolved,
      meta,
    })
    .meta({ id: 'OfficialComparison', description: 'A price index beside the series of a statistical office.' }),

  async resolve({ series, ...params }, catalog) {
    const { scope, context, bindings } = await resolveIndexMonths(params, 'category', catalog)
    const official = await resolveOfficialSeries(series, scope.echo.country, catalog)
    const [source, id] = official.series.split(':') as [string, string]
    const { before } = currentDays(catalog.as_of, 0)
    return {
      bindings: {
        ...bindings,
        source,
        series: id,
        released_before: before,
        official_from: dayOfMonth(context.window, -MAX_LAG),
        official_to: dayOfMonth(context.window, params.months + MAX_LAG),
      },
      context: await withNewestObserved({ ...context, official }, scope.bindings, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: { observed: observedSpan, indexMonths, figures: statement(import.meta, figure) },

  toAnswer(read, context) {
    const { echo, resolved, window, periods, months, official } = context
    const span = spanOf(read.observed)
    if (!span) throw nothingObserved(context)
    const counts = masksOf(read.indexMonths, months)
    const index_logs = spliced(months, (from, to) => geksJevons(within(counts, from, to), to - from).total)
    const churn = churnOf(counts, months)
    const byPeriod = new Map(read.figures.map((row) => [row.period, row]))
    // From MAX_LAG months before the window to as many after it.
    const theirs = Array.from({ length: months + 2 * MAX_LAG }, (_, i) => {
      const value = byPeriod.get(dayOfMonth(window, i - MAX_LAG))?.value
      return value === undefined ? null : Math.log(value)
    })
    const inWindow = theirs.slice(MAX_LAG, MAX_LAG + months)
    const common = commonMonths(index_logs, inWindow)
    const isEnough = common !== null && common.count >= MIN_MONTHS
    const changes = isEnough
      ? { index_logs: changeBetween(index_logs, common), theirs: changeBetween(inWindow, common) }
      : null
    const base = common?.first ?? index_logs.findIndex((log) => log !== null)
    const relative = (logs: readonly (number | null)[], month: number): number | null => {
      const [log, start] = [logs[month] ?? null, logs[base] ?? null]
      return log === null || start === null ? null : Math.exp(log - start)
    }
    const [ownChanges, theirChanges] = [monthlyChanges(index_logs), monthlyChanges(theirs)]
    return {
      ...echo,
      series: official.series,
      series_title: official.title,
      series_unit: official.unit,
      window,
      gap_pp: changes && percent(changes.index_logs - changes.theirs),
      index_change_pct: changes && percent(changes.index_logs),
      official_change_pct: changes && percent(changes.theirs),
      common_months: common?.count ?? 0,
      first_common_month: common && dayOfMonth(window, common.first),
      last_common_month: common && dayOfMonth(window, common.last),
      comparison_note: isEnough
        ? NOT_A_NOWCAST
        : `${NOT_A_NOWCAST} Only ${common?.count ?? 0} months have both; ${MIN_MONTHS} are needed.`,
      lags: LAGS.map((lag) => {
        const { n, correlation, rmse, no_change_rmse } = compareAtLag(index_logs, theirs, lag)
        return {
          lag,
          n,
          correlation: orNull(ratio, correlation),
          rmse_pp: orNull(percent, rmse),
          no_change_rmse_pp: orNull(percent, no_change_rmse),
        }
      }),
      time_series: index_logs.map((_, month) => {
        const date = dayOfMonth(window, month)
        const row = byPeriod.get(date)
        const [index, official_index] = [relative(index_logs, month), relative(inWindow, month)]
        return {
          ...periodEcho(date, 'monthly', periods),
          index: orNull(ratio, index),
          change_pct: orNull(percent, ownChanges[month]),
          official_index: orNull(ratio, official_index),
          official_change_pct: orNull(percent, theirChanges[month + MAX_LAG]),
          gap_pp: index === null || official_index === null ? null : percent(100 * (index - official_index)),
          official_value: orNull(ratio, row?.value),
          released_on: row?.released_on ?? null,
          vintage_count: row?.vintage_count ?? 0,
          listing_count: churn[month]!.active,
        }
      }),
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
