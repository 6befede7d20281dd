import { meanOf, rootMeanSquare } from './errors.ts'
import { type ByMonth, WINDOW_MONTHS } from './price-index.ts'

/** Fewer months than this say nothing of revisions. */
export const MIN_REVISIONS = 12

/** The change in percent of a month from the one before; null where either has none. */
export const changeAt = (logs: ByMonth, month: number): number | null => {
  const [log, before] = [logs[month] ?? null, logs[month - 1] ?? null]
  return log === null || before === null ? null : 100 * Math.expm1(log - before)
}

/**
 * The change of each month in the index of the months up to it, so that nothing later has a part in it. Later windows do
 * not change a month that is spliced: those from `introduced` on are as published.
 */
export const firstChanges = (
  published: ByMonth,
  indexUpTo: (to: number) => ByMonth,
  introduced = WINDOW_MONTHS,
): (number | null)[] =>
  published.map((_, month) => changeAt(month < introduced ? indexUpTo(month + 1) : published, month))

/**
 * What later months made of first changes, in percentage points: the mean of last less first, of its size, and its root
 * mean square, beside that of a first change of 0. Null below MIN_REVISIONS months that have both.
 */
export const revisionsOf = (first: ByMonth, last: ByMonth) => {
  const pairs = last.flatMap((change, month) => {
    const before = first[month] ?? null
    return change === null || before === null ? [] : [{ change, revision: change - before }]
  })
  const revisions = pairs.map(({ revision }) => revision)
  const isEnough = pairs.length >= MIN_REVISIONS
  return {
    n: pairs.length,
    mean: isEnough ? meanOf(revisions) : null,
    mean_absolute: isEnough ? meanOf(revisions.map(Math.abs)) : null,
    rmse: isEnough ? rootMeanSquare(revisions) : null,
    no_change_rmse: isEnough ? rootMeanSquare(pairs.map(({ change }) => change)) : null,
  }
}
