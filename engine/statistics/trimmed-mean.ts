import { percent } from '../contract/round.ts'
import { joinedCounts, type LogCounts, logAt, logSums, pairsIn } from './log-counts.ts'
import { jevonsChange, LOG_UNIT } from './price-relative.ts'
import { studentT975 } from './student-t.ts'

/** The share, in percent, that is cut from each tail of the logs; at least one. */
export const TRIM_PERCENT = 5

const MIN_FOR_INTERVAL = 30
const MIN_CLUSTERS = 5

/**
 * Trims the tails of counts: the number of kept pairs, and the exact sums of the kept logs and of all logs with the tails
 * clamped to the nearest kept log (winsorised).
 */
export const trimmed = (counted: LogCounts) => {
  const n = pairsIn(counted)
  const cut = Math.max(1, Math.floor((n * TRIM_PERCENT) / 100))
  const bounds = { low: logAt(counted, cut), high: logAt(counted, n - 1 - cut) }
  const winsorised = logSums(counted, bounds)
  const sum = winsorised.sum - BigInt(cut) * (BigInt(bounds.low) + BigInt(bounds.high))
  return { n, kept: n - 2 * cut, sum, bounds, winsorised }
}
export type Trimmed = ReturnType<typeof trimmed>

/**
 * What each of the groups adds to the log of the trimmed mean of all: the sum of its kept logs over the number of all that are
 * kept. Of equal logs at a bound, of which only some are cut, each group keeps the same share, so that no order matters.
 */
export const trimmedParts = ({ n, kept, bounds }: Trimmed, groups: readonly LogCounts[]): number[] => {
  const all = joinedCounts(groups)
  const cut = (n - kept) / 2
  const cutOf = (bound: number, isBeyond: (log: number) => boolean) => {
    const isAt = (log: number): boolean => log === bound
    const share = (cut - pairsIn(all, isBeyond)) / pairsIn(all, isAt)
    return (own: LogCounts): number => pairsIn(own, isBeyond) + share * pairsIn(own, isAt)
  }
  const lowest = cutOf(bounds.low, (log) => log < bounds.low)
  const highest = cutOf(bounds.high, (log) => log > bounds.high)
  const sumOf = (own: LogCounts): number =>
    Number(logSums(own, bounds).sum) - bounds.low * lowest(own) - bounds.high * highest(own)
  return groups.map((own) => sumOf(own) / kept / LOG_UNIT)
}

/** The change in percent by the trimmed mean of the logs. */
export const trimmedChange = ({ sum, kept }: Trimmed): number => percent(jevonsChange(sum, kept))

const intervalOf = ({ sum, kept }: Trimmed, error: number, df: number) => {
  const mean = Number(sum) / kept / LOG_UNIT
  const reach = studentT975(df) * error
  return {
    low: percent(100 * Math.expm1(mean - reach)),
    high: percent(100 * Math.expm1(mean + reach)),
    level: 0.95 as const,
  }
}

/** Tukey-McLaughlin interval of the trimmed mean on the log scale; null below 30 pairs or without any spread. */
export const trimmedInterval = (trim: Trimmed) => {
  const { n, kept, winsorised } = trim
  // n times the sum of squared deviations, in integers: identical changes must have a spread of exactly 0.
  const spread = BigInt(n) * winsorised.square_sum - winsorised.sum ** 2n
  if (n < MIN_FOR_INTERVAL || spread === 0n) return null
  const error = Math.sqrt(Number(spread) / n / (kept * (kept - 1))) / LOG_UNIT
  return { ...intervalOf(trim, error, kept - 1), method: 'tukey_mclaughlin' }
}

/**
 * The same interval with the winsorised influence summed within retailers, who reprice in waves: the error is
 * sqrt(G / (G - 1) * sum over retailers of (sum of w - mean w)^2) / h, with G - 1 degrees of freedom. Null below 5.
 */
export const clusteredInterval = (trim: Trimmed, retailers: readonly LogCounts[]) => {
  const { n, kept, bounds, winsorised } = trim
  const clusters = retailers.length
  if (n < MIN_FOR_INTERVAL || clusters < MIN_CLUSTERS) return null
  const mean = Number(winsorised.sum) / n
  const influence = retailers.reduce((total, own) => {
    const sum = Number(logSums(own, bounds).sum)
    return total + ((sum - pairsIn(own) * mean) / LOG_UNIT) ** 2
  }, 0)
  const error = Math.sqrt((influence * clusters) / (clusters - 1)) / kept
  if (error < 1e-12) return null
  return { ...intervalOf(trim, error, clusters - 1), method: 'tukey_mclaughlin_by_retailer', clusters }
}
