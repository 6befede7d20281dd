import { z } from 'zod'
import { percent } from '../round.ts'
import { studentT975 } from './student-t.ts'

/** Logs of price relatives are summed as integers of this unit (sql/statistics.sql). */
const LOG_UNIT = 1e12

const LEAST_MATCHED = 10
const LEAST_FOR_INTERVAL = 30
const LEAST_CLUSTERS = 5

const count = z.int().min(0)
const sum = z.number().nullable()

/** What the SQL sums over the matched pairs of the first and the last period. */
export const matchedSums = z.object({
  matched: count,
  rising: count,
  stable: count,
  implausible: count,
  median_log: sum,
  log_sum: sum,
  trimmed_sum: sum,
  winsorised_sum: sum,
  winsorised_spread: sum,
  regular_count: count.nullable(),
  regular_sum: sum,
})
export type MatchedSums = z.output<typeof matchedSums>

/** The winsorised logs of one retailer's pairs. */
export const cluster = z.object({ retailer_id: z.int(), n: count, log_sum: z.number() })

const interval = z.object({ low: z.number(), high: z.number(), level: z.literal(0.95), method: z.string() })

const change = z.number().nullable()

/** The like-for-like fields of an inflation answer. */
export const likeForLikeFields = {
  lfl_change_pct: change,
  lfl_matched: count,
  lfl_rising: count,
  lfl_stable: count,
  lfl_falling: count,
  lfl_excluded_implausible: count,
  lfl_note: z.string().nullable(),
  lfl_ci: interval.nullable(),
  lfl_ci_clustered: interval.extend({ clusters: count }).nullable(),
  lfl_variants: z
    .object({ jevons: change, winsorised: change, median: change, excluding_clearance: change })
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

const note = (matched: number, periods: number): string | null => {
  if (periods < 2) return 'Fewer than two periods have observations: no product can be compared with itself.'
  if (matched >= LEAST_MATCHED) return null
  return `Only ${matched} products were priced in both the first and the last period; ${LEAST_MATCHED} are needed.`
}

/**
 * Like-for-like change over a window: the mean log price relative of the listings priced in its first and last period,
 * after the plausibility fence and with 5 % (at least one) trimmed from each tail, exponentiated. A trimmed Jevons
 * index, so time-reversible (CPI Manual 2020, 8.37). Null with lfl_note below 10 pairs.
 */
export const likeForLike = (sums: MatchedSums, clusters: readonly z.output<typeof cluster>[], periods: number) => ({
  lfl_change_pct: trimmedChange(sums.trimmed_sum, sums.matched),
  lfl_matched: sums.matched,
  lfl_rising: sums.rising,
  lfl_stable: sums.stable,
  lfl_falling: sums.matched - sums.rising - sums.stable,
  lfl_excluded_implausible: sums.implausible,
  lfl_note: note(sums.matched, periods),
  lfl_ci: trimmedInterval(sums),
  lfl_ci_clustered: clusteredInterval(sums, clusters),
  lfl_variants: variants(sums),
})
