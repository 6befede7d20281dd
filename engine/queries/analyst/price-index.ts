import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved, withNewestObserved } from '../../catalog/answer.ts'
import { meta, periodFields, resolved, scopeEcho, window } from '../../contract/blocks.ts'
import { EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { categoryOrDepartment, categoryScope } from '../../contract/params.ts'
import { orNull, percent, ratio, share } from '../../contract/round.ts'
import { observedSpan, spanOf, total } from '../../counts/count.ts'
import { BUCKETS_OF_CHANGES, distributionField, distributionOf } from '../../statistics/distribution.ts'
import {
  type ByMonth,
  chainedJevons,
  churnOf,
  type IndexMethod,
  indexesUpTo,
  MIN_LINKS,
  methods,
  spliced,
  WINDOW_MONTHS,
  within,
} from '../../statistics/price-index.ts'
import { FENCE } from '../../statistics/price-relative.ts'
import { changeAt, firstChanges, MIN_REVISIONS, revisionsOf } from '../../statistics/revisions.ts'
import { periodEcho } from '../../statistics/series.ts'
import { contribution, contributionsOf, contributors, MAX_CONTRIBUTIONS, nameOf } from '../index-contributions.ts'
import { bucketsOf, indexMonths, latestWindow, masksOf, monthlyChanges, setAside } from '../index-counts.ts'
import { dayOfMonth, months, resolveIndexMonths } from '../index-months.ts'
import { publishedBindings, publishedIndex, publishedLogs } from '../published-index.ts'
import { defineQuery } from '../query.ts'

/** Above this share of listings that come or go in a month, what stays may not be what is sold. */
const HIGH_CHURN_PERCENT = 25

const monthFields = {
  listing_count: field.count('Listings priced in the month.'),
  new_count: field.count('Those of them that are priced for the first time since the first month.'),
  returned_count: field.count('Those that were priced before, but not in the month before.'),
  stayed_count: field.count('Those that were priced in the month before, too: the matched listings.'),
  gone_count: field.count('Listings of the month before that are not priced in it, nor later.'),
  paused_count: field.count('Listings of the month before that are not priced in it, but later.'),
  match_rate_pct: field.share('Share of the listings of the month before that stayed; null without any.').nullable(),
}

const indexPoint = z.object({
  ...periodFields,
  index: field
    .index('Price index, as published; 1 at the first month with one. Null where too few listings link the month.')
    .nullable(),
  first_published: field
    .text('The version of the data (snapshot) that first had the index of the month; null where it is not published.')
    .nullable(),
  recomputed_index: field
    .index('The index of all prices of today, late and corrected ones, too; 1 at the first month with listings.')
    .nullable(),
  change_pct: field.change('Change of the index from the month before; null where either has none.').nullable(),
  year_on_year_pct: field
    .change('Change of the index from the same month of the year before; null likewise.')
    .nullable(),
  first_change_pct: field
    .change('The same of the index of the months up to it: what was computed when the month was over. Null likewise.')
    .nullable(),
  revision_pp: field
    .points(`Its change in the index of the last ${WINDOW_MONTHS} months less first_change_pct; null without either.`)
    .nullable(),
  chained_index: field
    .index('The chained Jevons index, which drifts, to compare; null from the first missing link on.')
    .nullable(),
  ...monthFields,
})

const revisions = z.object({
  n: field.titled('Months', field.count('Months with a first and a last figure of their change.')),
  mean_pp: field.titled('Mean revision', field.points('Mean of revision_pp.')).nullable(),
  mean_absolute_pp: field.titled('Mean size', field.error('Mean of its size.')).nullable(),
  rmse_pp: field.error('Root of its mean square: the out-of-sample error of a first figure.').nullable(),
  no_change_rmse_pp: field.error('The same error of a first figure of 0.').nullable(),
})

const firstOf = (logs: ByMonth): number | null => logs.find((log) => log !== null) ?? null

const indexAt = (log: number | null | undefined, first: number | null): number | null =>
  log == null || first === null ? null : ratio(Math.exp(log - first))

const changeOf = (log: number | null | undefined, before: number | null | undefined): number | null =>
  log == null || before == null ? null : percent(100 * Math.expm1(log - before))

const revisionAt = (first: number | null | undefined, last: number | null | undefined): number | null =>
  first == null || last == null ? null : percent(last - first)

/**
 * A multilateral price index of a category, what moves it, and how far later months revise it.
 *
 * @example
 * const { change_pct, drift_pp, contributions } = await engine.ask(priceIndex, { category: 'coffee' })
 * console.log(change_pct, drift_pp)
 * for (const { contributor, contribution_pp } of contributions) console.log(contributor, contribution_pp)
 */
export const priceIndex = defineQuery({
  group: 'analyst',
  name: 'price-index',
  summary:
    'A multilateral price index of a category whose published months stay as they are, with contributions and churn',
  definition: {
    population:
      'Every listing in scope in complete calendar months. A listing has one price a month: the median of its daily prices, which is ' +
      'always a price that was posted. Nothing is imputed or carried forward: the imputed share is 0. A listing-month above ' +
      `${FENCE} times or below 1/${FENCE} of the median of the listing's months is set aside and counted (set_aside_count).`,
    formula:
      'geks_jevons: the logarithms d of the index minimise the sum of (L_st - (d_t - d_s))^2 over all pairs of months with at least ' +
      `${MIN_LINKS} listings in both, where L_st is the mean log price relative of these. tpd: time-product dummies, the least squares of ` +
      `log price = listing + month. Both over up to ${WINDOW_MONTHS} months at once; a later month is appended by the window that ends with it ` +
      '(mean splice on published): the geometric mean, over the months that the window shares with the index, of the index there times the ' +
      'change of the window since. index is published by refreshes, for each category at all retailers and at each of them: the first refresh publishes all ' +
      'months that are over, each later one those that have ended since, and none changes a published month. A month is over when it has ended and every ' +
      'retailer seen in it or the month before has been seen on its last day or later, or a month after that. After ' +
      `${WINDOW_MONTHS} months without a link the index begins again, and is null before. Months of the question that are not published yet are appended. ` +
      'recomputed_index is computed in the same way from the months of the question alone, by all prices of today; revisions and contributions are of it. ' +
      'An index of a product type is not published: there both are the same. ' +
      'drift_pp is the change of the chained ' +
      'Jevons index less that of this one. contributions: both methods are linear in the log price relatives, so that each listing has ' +
      'its part of the logarithm of the change over the last window; parts are scaled to percent and rounded so that they add ' +
      `up to window_change_pct. The ${MAX_CONTRIBUTIONS} largest are listed, other_contribution_pp has the rest. churn_rate_pct is the mean share of ` +
      'the listings of two following months that only one of them has. change_distribution counts the price relatives of listings from a month to the next, neither set aside, in ' +
      `${BUCKETS_OF_CHANGES}. ` +
      'revisions: what later months make of the change of a month. Its first figure ' +
      'is that of the index of the months up to it, which uses no later price, but for what is set aside; the last one that of the index of the ' +
      `last ${WINDOW_MONTHS} months at most. First figures whose rmse_pp is not below no_change_rmse_pp say no more than that prices do not change.`,
    null_rule:
      `A month is null without listings, or where no chain of pairs of months with ${MIN_LINKS} listings links it to the first; changes where ` +
      `either month is. Figures of revisions are null below ${MIN_REVISIONS} months. ${EMPTY_SCOPE}`,
    sources: [
      sources.prices,
      'Gini (1931), Éltető and Köves (1964), Szulc (1964): GEKS. IMF, Consumer Price Index Manual: Concepts and Methods (2020), chapter 10.',
      'Chessa, A comparison of index extension methods for multilateral methods (2019). McKenzie and Gamba, Revisions analysis (OECD, 2008).',
    ],
  },
  params: z
    .object({
      ...categoryScope,
      method: z
        .enum(['geks_jevons', 'tpd'])
        .default('geks_jevons')
        .describe('geks_jevons, or tpd: time-product dummies.'),
      months,
      contributions_by: z.enum(contributors).default('category').describe('What contributions are listed for.'),
    })
    .superRefine(categoryOrDepartment),
  answer: z
    .object({
      ...scopeEcho,
      method: field.choice(['geks_jevons', 'tpd'], 'How the index is computed.'),
      window,
      change_pct: headline(
        field.change(
          'Change of the index from the first month with listings to the last; null where that is not linked.',
        ),
      ).nullable(),
      drift_pp: field.points('Change of the chained index less change_pct; null without either.').nullable(),
      churn_rate_pct: field
        .share('Mean share of the listings of two following months that only one of them has; null for a single month.')
        .nullable(),
      churn_note: field.text('What churn means for the index; null where it is low.').nullable(),
      set_aside_count: field.count('Listing-months that are set aside, as their price is implausible for the listing.'),
      revisions: revisions.describe(
        `How far first figures of monthly changes are revised; null below ${MIN_REVISIONS} months.`,
      ),
      contributions_by: field.choice(contributors, 'What contributions are listed for.'),
      window_change_pct: field
        .change(
          `Change over the last ${WINDOW_MONTHS} months at most, which contributions add up to; null where not linked.`,
        )
        .nullable(),
      contributions: field.list(contribution, 'What the change consists of, the largest parts first.'),
      other_contribution_pp: field.points('What all others add; null without a change.').nullable(),
      time_series: field.list(indexPoint, 'The months, oldest first.'),
      change_distribution: distributionField(
        'Changes of listings from a month to the next by their size, falls first, added up over the months.',
      ),
      resolved,
      meta,
    })
    .meta({ id: 'PriceIndex', description: 'A multilateral price index of a category.' }),

  async resolve({ method, contributions_by, ...params }, catalog) {
    const { scope, context, bindings } = await resolveIndexMonths(params, contributions_by, catalog)
    const sent = { ...context, method: method as IndexMethod, contributions_by }
    return {
      bindings: { ...bindings, ...publishedBindings(scope, method as IndexMethod, catalog) },
      context: await withNewestObserved(sent, scope.bindings, catalog),
    }
  },

  mayBeEmpty: (context) => !isObserved(context),

  reads: {
    observed: observedSpan,
    indexMonths,
    latestWindow,
    monthlyChanges,
    setAside,
    published: publishedIndex,
  },

  toAnswer(read, context, catalog) {
    const { echo, resolved, window, periods, method, months, contributions_by } = context
    const span = spanOf(read.observed)
    if (!span) throw nothingObserved(context)
    const compute = methods[method]
    const counts = masksOf(read.indexMonths, months)
    const windowOf = (from: number, to: number) => compute(within(counts, from, to), to - from).total
    const recomputed = spliced(months, windowOf)
    const published = publishedLogs(read.published)
    const logs = published.length === 0 ? recomputed : spliced(months, windowOf, { published })
    const firstPublished = new Map(read.published.map(({ place, first_published }) => [place, first_published]))
    const length = Math.min(months, WINDOW_MONTHS)
    const firsts = firstChanges(recomputed, indexesUpTo[method](counts, length))
    const chained = chainedJevons(counts, months)
    const churn = churnOf(counts, months)
    const first = firstOf(logs)
    const firstRecomputed = firstOf(recomputed)
    const last = churn.findLastIndex(({ active }) => active > 0)
    const change = changeOf(logs[last], first)
    const drift = changeOf(chained[last], 0)

    const latest = compute(masksOf(read.latestWindow, length, months - length), length)
    const lasts = recomputed.map((_, month) => changeAt(latest.total, month - months + length))
    const { n, mean, mean_absolute, rmse, no_change_rmse } = revisionsOf(firsts, lasts)
    const windowLog = latest.total.findLast((log) => log !== null) ?? null
    const place = latest.total.indexOf(windowLog)
    const scope = resolved.category_path ?? ''
    const parts = new Map<string | null, number>()
    for (const [id, part] of latest.parts) {
      const name = nameOf(contributions_by, id, scope, catalog)
      parts.set(name, (parts.get(name) ?? 0) + (part[place] ?? 0))
    }
    const [linked, both] = churn.reduce(
      ([all, stay], { active, previous, stayed }) =>
        previous === 0 || active === 0 ? [all, stay] : [all + active + previous - stayed, stay + stayed],
      [0, 0],
    )
    const churn_rate_pct = share(linked - both, linked)
    return {
      ...echo,
      method,
      window,
      change_pct: change,
      drift_pp: change === null || drift === null ? null : percent(drift - change),
      churn_rate_pct,
      churn_note:
        churn_rate_pct !== null && churn_rate_pct > HIGH_CHURN_PERCENT
          ? `${churn_rate_pct} % of the listings of a month and the one before are in only one of them: changes of matched listings may not be those of what is sold.`
          : null,
      set_aside_count: total(read.setAside),
      revisions: {
        n,
        mean_pp: orNull(percent, mean),
        mean_absolute_pp: orNull(percent, mean_absolute),
        rmse_pp: orNull(percent, rmse),
        no_change_rmse_pp: orNull(percent, no_change_rmse),
      },
      contributions_by,
      ...(windowLog === null
        ? { window_change_pct: null, contributions: [], other_contribution_pp: null }
        : contributionsOf(parts, windowLog)),
      time_series: logs.map((log, month) => {
        const { active, previous, stayed, gone, paused, returned, new: added } = churn[month]!
        return {
          ...periodEcho(dayOfMonth(window, month), 'monthly', periods),
          index: indexAt(log, first),
          first_published: firstPublished.get(month) ?? null,
          recomputed_index: indexAt(recomputed[month], firstRecomputed),
          change_pct: month === 0 ? null : changeOf(log, logs[month - 1]),
          year_on_year_pct: changeOf(log, logs[month - 12]),
          first_change_pct: orNull(percent, firsts[month]),
          revision_pp: revisionAt(firsts[month], lasts[month]),
          chained_index: orNull(ratio, chained[month] === null ? null : Math.exp(chained[month]!)),
          listing_count: active,
          new_count: added,
          returned_count: returned,
          stayed_count: stayed,
          gone_count: gone,
          paused_count: paused,
          match_rate_pct: share(stayed, previous),
        }
      }),
      change_distribution: distributionOf(bucketsOf(read.monthlyChanges)),
      resolved,
      meta: metaBlock(context, span),
    }
  },
})
