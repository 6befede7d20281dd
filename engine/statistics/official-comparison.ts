import { meanOf, rootMeanSquare } from './errors.ts'
import type { ByMonth } from './price-index.ts'
import { changeAt } from './revisions.ts'

/** Fewer common months than this say nothing. */
export const MIN_MONTHS = 12
/** The pairs of monthly changes that so many months in a row have. */
export const MIN_CHANGES = MIN_MONTHS - 1
/** Monthly changes are compared with those of so many months before and after. */
export const MAX_LAG = 3

/** The squared deviations, in percent, of equal changes that doubles represent as different ones. */
const NOISE = 1e-18

/** The change in percent from each month to the next; null where either has none, and in the first. */
export const monthlyChanges = (logs: ByMonth): (number | null)[] => logs.map((_, month) => changeAt(logs, month))

/** The first and the last month that both have, and how many there are; null without any. */
export const commonMonths = (own: ByMonth, official: ByMonth) => {
  const common = own.flatMap((log, month) => (log === null || official[month] == null ? [] : [month]))
  return common.length === 0 ? null : { first: common[0]!, last: common.at(-1)!, count: common.length }
}

/** The change in percent between two months of an index. */
export const changeBetween = (logs: ByMonth, { first, last }: { first: number; last: number }): number =>
  100 * Math.expm1(logs[last]! - logs[first]!)

/** Pearson's correlation; null where either side does not vary. */
const correlationOf = (pairs: readonly (readonly [number, number])[]): number | null => {
  const [x, y] = [0, 1].map((side) => meanOf(pairs.map((pair) => pair[side]!))) as [number, number]
  const sum = (product: (dx: number, dy: number) => number): number =>
    pairs.reduce((all, [a, b]) => all + product(a - x, b - y), 0)
  const spreads = [sum((dx) => dx * dx), sum((_, dy) => dy * dy)] as const
  if (Math.min(...spreads) < NOISE * pairs.length) return null
  return Math.max(-1, Math.min(1, sum((dx, dy) => dx * dy) / Math.sqrt(spreads[0] * spreads[1])))
}

/**
 * Monthly changes of an index beside the official ones of `lag` months later: how many pairs there are, their correlation,
 * the root mean square of their differences, and that of the official changes alone, which is the error of expecting no change.
 * `official` begins MAX_LAG months before `own`. Null below MIN_CHANGES pairs.
 */
export const compareAtLag = (own: ByMonth, official: ByMonth, lag: number) => {
  const theirs = monthlyChanges(official)
  const pairs = monthlyChanges(own).flatMap((change, month) => {
    const other = theirs[month + MAX_LAG + lag] ?? null
    return change === null || other === null ? [] : [[change, other] as const]
  })
  const isEnough = pairs.length >= MIN_CHANGES
  return {
    n: pairs.length,
    correlation: isEnough ? correlationOf(pairs) : null,
    rmse: isEnough ? rootMeanSquare(pairs.map(([a, b]) => a - b)) : null,
    no_change_rmse: isEnough ? rootMeanSquare(pairs.map(([, b]) => b)) : null,
  }
}
