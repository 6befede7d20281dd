import { z } from 'zod'
import { count, field, figure, headline } from '../field.ts'
import { percent } from '../round.ts'
import { studentT975 } from './student-t.ts'

/** Logs of price relatives are summed as integers of this unit (sql/statistics.sql). */
const LOG_UNIT = 1e12

const LEAST_MATCHED = 10
const LEAST_FOR_INTERVAL = 30
const LEAST_CLUSTERS = 5

/** What the SQL sums over the matched pairs of the first and the last period. */
export const matchedSums = z.object({
  matched: count,
  rising: count,
  stable: count,
  implausible: count,
  median_log: figure,
  log_sum: figure,
  trimmed_sum: figure,
  winsorised_sum: figure,
  winsorised_spread: figure,
  regular_count: count.nullable(),
  regular_sum: figure,
})
export type MatchedSums = z.output<typeof matchedSums>

/** The winsorised logs of one retailer's pairs. */
export const cluster = z.object({ retailer_id: z.int(), n: count, log_sum: z.number() })

const interval = z.object({
  low: field.percent('Lower bound of the change.'),
  high: field.percent('Upper bound of the change.'),
  level: z.literal(0.95).meta({ description: 'Confidence level: 0.95 is 95 %.', unit: 'confidence' }),
  method: field.text('Name of the method that the bounds were computed by.'),
})

const variant = (description: string) => field.percent(description).nullable()

/** The like-for-like fields of an inflation answer. */
export const likeForLikeFields = {
  lfl_change_pct: headline(
    field.percent(
      'Like-for-like change: how much the same listings changed in price from the first period of the window to the ' +
        'last, as a trimmed geometric mean. Null below 10 matched listings.',
    ),
  ).nullable(),
  lfl_matched: field.count('Listings priced in both the first and the last period, within the plausibility fence.'),
  lfl_rising: field.count('Matched listings that rose by more than 0.5 %.'),
  lfl_stable: field.count('Matched listings that changed by 0.5 % at most.'),
  lfl_falling: field.count('Matched listings that fell by more than 0.5 %.'),
  lfl_excluded_implausible: field.count(
    'Listings left out because their price more than tripled or fell below a third, which is more likely an error.',
  ),
  lfl_note: field
    .text('Why lfl_change_pct is null, or rests on few of the listings; null where there is nothing to note.')
    .nullable(),
  lfl_ci: interval
    .describe('95 % confidence interval of lfl_change_pct; null below 30 matched listings or where no price differs.')
    .nullable(),
  lfl_ci_clustered: interval
    .extend({ clusters: field.count('Retailers that the interval was computed over.') })
    .describe('The interval when prices of one retailer move together; null below 5 retailers or 30 matched listings.')
    .nullable(),
  lfl_variants: z
    .object({
      jevons: variant('The change without trimming (Jevons index).'),
      winsorised: variant('The change with the tails drawn in instead of cut.'),
      median: variant('The median change of a listing.'),
      excluding_clearance: variant(
        'The change without listings that end 20 % or more below their own median price; null below 10 listings.',
      ),
    })
    .describe(
      'The same change by other estimators: how far the choice of method matters. Null below 10 matched listings.',
    )
    .nullable(),
}

/** The Jevons change of `pairs` logs in per cent, unrounded. */
export const jevonsChange = (logSum: number, pairs: number): number => 100 * Math.expm1(logSum / pairs / LOG_UNIT)

const tailCut = (n: number): number => Math.max(1, Math.floor(n / 20))

const bounds = (mean: number, error: number, df: number) => {
  const reach = studentT975(df) * error
  return {
    low: percent(100 * Math.expm1(mean - reach)),
    high: percent(100 * Math.expm1(mean + reach)),
    level: 0.95 as const,
  }
}

/** Tukey-McLaughlin interval of the trimmed mean on the log scale; null below 30 pairs or without any spread. */
const trimmedInterval = (sums: MatchedSums) => {
  const { matched: n, trimmed_sum, winsorised_spread: spread } = sums
  if (n < LEAST_FOR_INTERVAL || trimmed_sum === null || spread === null || spread === 0) return null
  const kept = n - 2 * tailCut(n)
  const error = Math.sqrt(spread / n / (kept * (kept - 1))) / LOG_UNIT
  return { ...bounds(trimmed_sum / kept / LOG_UNIT, error, kept - 1), method: 'tukey_mclaughlin' }
}

/**
 * The same interval with the winsorised influence summed within retailers, who reprice in waves: the error is
 * sqrt(G / (G - 1) * sum over retailers of (sum of w - mean w)^2) / h, with G - 1 degrees of freedom. Null below 5.
 */
const clusteredInterval = (sums: MatchedSums, clusters: readonly z.output<typeof cluster>[]) => {
  const { matched: n, trimmed_sum, winsorised_sum } = sums
  const groups = clusters.length
  if (n < LEAST_FOR_INTERVAL || groups < LEAST_CLUSTERS || trimmed_sum === null || winsorised_sum === null) return null
  const kept = n - 2 * tailCut(n)
  const mean = winsorised_sum / n
  const influence = clusters.reduce((total, { n, log_sum }) => total + ((log_sum - n * mean) / LOG_UNIT) ** 2, 0)
  const error = Math.sqrt((influence * groups) / (groups - 1)) / kept
  if (error < 1e-12) return null
  return {
    ...bounds(trimmed_sum / kept / LOG_UNIT, error, groups - 1),
    method: 'tukey_mclaughlin_by_retailer',
    clusters: groups,
  }
}

const trimmedChange = (trimmedSum: number | null, n: number | null): number | null =>
  n === null || n < LEAST_MATCHED || trimmedSum === null ? null : percent(jevonsChange(trimmedSum, n - 2 * tailCut(n)))

const variants = (sums: MatchedSums) => {
  const { matched: n, log_sum, winsorised_sum, median_log } = sums
  if (n < LEAST_MATCHED || log_sum === null || winsorised_sum === null || median_log === null) return null
  return {
    jevons: percent(jevonsChange(log_sum, n)),
    winsorised: percent(jevonsChange(winsorised_sum, n)),
    median: percent(jevonsChange(median_log, 1)),
    excluding_clearance: trimmedChange(sums.regular_sum, sums.regular_count),
  }
}

/** A period with fewer than this share of the listings of the largest stands for little of it. */
const MIN_SHARE = 1 / 5

type PeriodSize = { date: string; product_count: number }

/** What is said of a first or last period that holds few of the listings. */
const thinEnds = (sizes: readonly PeriodSize[]): string[] => {
  const largest = Math.max(...sizes.map(({ product_count }) => product_count))
  const ends = [
    ['first', sizes[0]!],
    ['last', sizes.at(-1)!],
  ] as const
  return ends
    .filter(([, { product_count }]) => product_count < MIN_SHARE * largest)
    .map(
      ([name, { date, product_count }]) =>
        `The ${name} period (from ${date}) has ${product_count} products, under a fifth of the largest (${largest}).`,
    )
}

/** What keeps the change from being known, or from standing for the listings; null where nothing does. */
const note = ({ matched, implausible }: MatchedSums, sizes: readonly PeriodSize[]): string | null => {
  if (sizes.length < 2) return 'Fewer than two periods have observations: no product can be compared with itself.'
  const notes = thinEnds(sizes)
  if (matched < LEAST_MATCHED)
    notes.unshift(
      `Only ${matched} products were priced in both the first and the last period; ${LEAST_MATCHED} are needed.`,
    )
  if (implausible > matched)
    notes.push(
      `The plausibility fence left out ${implausible} of the ${matched + implausible} products priced in both: ` +
        'check the prices of the feed.',
    )
  return notes.length === 0 ? null : notes.join(' ')
}

/**
 * Like-for-like change over a window: the mean log price relative of the listings priced in its first and last period,
 * after the plausibility fence and with 5 % (at least one) trimmed from each tail, exponentiated. A trimmed Jevons
 * index, so time-reversible (CPI Manual 2020, 8.37). Null below 10 pairs; lfl_note says why, and what else is doubtful.
 */
export const likeForLike = (
  sums: MatchedSums,
  clusters: readonly z.output<typeof cluster>[],
  sizes: readonly PeriodSize[],
) => ({
  lfl_change_pct: trimmedChange(sums.trimmed_sum, sums.matched),
  lfl_matched: sums.matched,
  lfl_rising: sums.rising,
  lfl_stable: sums.stable,
  lfl_falling: sums.matched - sums.rising - sums.stable,
  lfl_excluded_implausible: sums.implausible,
  lfl_note: note(sums, sizes),
  lfl_ci: trimmedInterval(sums),
  lfl_ci_clustered: clusteredInterval(sums, clusters),
  lfl_variants: variants(sums),
})
