import { solve } from './linear.ts'

/** The months over which an index is computed at once. */
export const WINDOW_MONTHS = 25
/** Fewer listings than this do not link two months. */
export const MIN_LINKS = 10

/**
 * Listings that are priced in the same months: a bit a month, how many they are, and for each group of them the sums of
 * their logs by month. The logs of a listing may be relative to any constant of its own. Sums are of doubles: the same
 * counts in the same order give the same bytes.
 */
export type MaskCounts = { mask: number; n: number; logs: ReadonlyMap<number, readonly number[]> }

export const hasMonth = (mask: number, month: number): boolean => Math.floor(mask / 2 ** month) % 2 === 1

const monthsOf = (mask: number, months: number): number[] =>
  Array.from({ length: months }, (_, month) => month).filter((month) => hasMonth(mask, month))

/** The same counts in the months [from, to) alone. */
export const within = (counts: readonly MaskCounts[], from: number, to: number): MaskCounts[] =>
  counts.flatMap(({ mask, n, logs }) => {
    const inside = Math.floor(mask / 2 ** from) % 2 ** (to - from)
    if (inside === 0) return []
    return [{ mask: inside, n, logs: new Map([...logs].map(([group, sums]) => [group, sums.slice(from, to)])) }]
  })

const square = <T>(size: number, zero: T): T[][] => Array.from({ length: size }, () => Array<T>(size).fill(zero))

/** How many listings two months share, and for each group the sum of the logs of their price relatives. */
export const pairsOf = (counts: readonly MaskCounts[], months: number) => {
  const n = square(months, 0)
  const logs = new Map<number, number[][]>()
  for (const { mask, n: listings, logs: sums } of counts) {
    const present = monthsOf(mask, months)
    for (const s of present) for (const t of present) n[s]![t]! += listings
    for (const [group, own] of sums) {
      const matrix = logs.get(group) ?? square(months, 0)
      logs.set(group, matrix)
      for (const s of present) for (const t of present) matrix[s]![t]! += own[t]! - own[s]!
    }
  }
  return { n, logs }
}
type MonthPairs = ReturnType<typeof pairsOf>

/** The months that are linked to the first one with listings, itself included, in order. */
const linkedMonths = ({ n }: MonthPairs, min: number): number[] => {
  const first = n.findIndex((row, month) => row[month]! > 0)
  const linked = first < 0 ? [] : [first]
  for (const s of linked)
    for (const [t, shared] of n[s]!.entries()) if (shared >= min && !linked.includes(t)) linked.push(t)
  return linked.sort((a, b) => a - b)
}

/** Logs of an index, or figures of its months; null in a month without one. */
export type ByMonth = readonly (number | null)[]

/** Logs of an index by month, the first month with listings at 0, and what each group adds to them; null where not linked. */
export type LogIndex = { total: (number | null)[]; parts: Map<number, (number | null)[]> }

/** Solves for the linked months but the first, whose index is fixed, and adds up the parts. */
const indexOf = (
  linked: readonly number[],
  months: number,
  matrix: (s: number, t: number) => number,
  sides: ReadonlyMap<number, (month: number) => number>,
): LogIndex => {
  const [first, ...free] = linked
  const solved = solve(
    free.map((s) => free.map((t) => matrix(s, t))),
    [...sides.values()].map((side) => free.map(side)),
  )
  const spread = (of: (place: number) => number): (number | null)[] =>
    Array.from({ length: months }, (_, month) =>
      month === first ? 0 : free.includes(month) ? of(free.indexOf(month)) : null,
    )
  return {
    total: spread((place) => solved.reduce((sum, part) => sum + part[place]!, 0)),
    parts: new Map([...sides.keys()].map((group, i) => [group, spread((place) => solved[i]![place]!)])),
  }
}

const geksOfPairs = (pairs: MonthPairs, months: number, min = MIN_LINKS): LogIndex => {
  const linked = linkedMonths(pairs, min)
  const isPair = (s: number, t: number): boolean => s !== t && pairs.n[s]![t]! >= min
  const degree = (s: number): number => linked.filter((t) => isPair(s, t)).length
  const side = (logs: readonly (readonly number[])[]) => (t: number) =>
    linked.reduce((sum, s) => (isPair(s, t) ? sum + logs[s]![t]! / pairs.n[s]![t]! : sum), 0)
  const sides = new Map([...pairs.logs].map(([group, logs]) => [group, side(logs)]))
  return indexOf(linked, months, (s, t) => (s === t ? degree(s) : isPair(s, t) ? -1 : 0), sides)
}

/** GEKS-Jevons: the transitive index nearest, in least squares of logs, to the Jevons indexes of all pairs of linked months. */
export const geksJevons = (counts: readonly MaskCounts[], months: number, min = MIN_LINKS): LogIndex =>
  geksOfPairs(pairsOf(counts, months), months, min)

/** Unweighted time-product dummies: the least squares of log price = listing + month. */
export const timeProductDummies = (counts: readonly MaskCounts[], months: number, min = MIN_LINKS): LogIndex => {
  const linked = linkedMonths(pairsOf(counts, months), min)
  const matrix = square(months, 0)
  const sides = new Map<number, number[]>()
  for (const { mask, n, logs } of counts) {
    const present = linked.filter((month) => hasMonth(mask, month))
    for (const s of present) {
      matrix[s]![s]! += n
      for (const t of present) matrix[s]![t]! -= n / present.length
    }
    for (const [group, sums] of logs) {
      const side = sides.get(group) ?? Array<number>(months).fill(0)
      sides.set(group, side)
      const sum = present.reduce((all, month) => all + sums[month]!, 0)
      for (const month of present) side[month]! += sums[month]! - sum / present.length
    }
  }
  const sideOf = new Map([...sides].map(([group, side]) => [group, (month: number) => side[month]!]))
  return indexOf(linked, months, (s, t) => matrix[s]![t]!, sideOf)
}

export const methods = { geks_jevons: geksJevons, tpd: timeProductDummies } as const
export type IndexMethod = keyof typeof methods

const firstPairs = ({ n, logs }: MonthPairs, months: number): MonthPairs => {
  const cut = (matrix: readonly (readonly number[])[]) => matrix.slice(0, months).map((row) => row.slice(0, months))
  return { n: cut(n), logs: new Map([...logs].map(([group, matrix]) => [group, cut(matrix)])) }
}

/** The logs of the indexes of the first `to` of so many months, for any `to`: pairs of months do not depend on later ones. */
export const indexesUpTo: Readonly<
  Record<IndexMethod, (counts: readonly MaskCounts[], months: number) => (to: number) => ByMonth>
> = {
  geks_jevons(counts, months) {
    const pairs = pairsOf(counts, months)
    return (to) => geksOfPairs(firstPairs(pairs, to), to).total
  },
  tpd: (counts) => (to) => timeProductDummies(counts, to).total,
}

/** The chained Jevons index of the months with listings, each linked to the one before; null from the first missing link on. */
export const chainedJevons = (counts: readonly MaskCounts[], months: number, min = MIN_LINKS): (number | null)[] => {
  const { n, logs } = pairsOf(counts, months)
  let before: number | undefined
  let log: number | null = 0
  return n.map((row, t) => {
    if (row[t] === 0) return null
    const s = before
    before = t
    if (s === undefined) return 0
    const sum = [...logs.values()].reduce((all, matrix) => all + matrix[s]![t]!, 0)
    log = log === null || n[s]![t]! < min ? null : log + sum / n[s]![t]!
    return log
  })
}

/**
 * The log of the last month of a window, appended to those of its months that are published (mean splice on published, Chessa
 * 2019): the geometric mean, over the months that both have, of the published index times the window's change since then.
 * Null where no month links the two.
 */
export const appended = (published: ByMonth, window: ByMonth): number | null => {
  const last = window.at(-1) ?? null
  const logs = published.flatMap((log, i) => {
    const then = window[i] ?? null
    return log === null || then === null || last === null ? [] : [log + last - then]
  })
  return logs.length === 0 ? null : logs.reduce((sum, log) => sum + log, 0) / logs.length
}

/**
 * An index that no further month revises: its published months as they are, by default the first `length` months as one window
 * has them; each later month is appended by the window that ends with it.
 */
export const spliced = (
  months: number,
  windowOf: (from: number, to: number) => ByMonth,
  {
    length = WINDOW_MONTHS,
    published = windowOf(0, Math.min(months, length)),
  }: { length?: number; published?: ByMonth } = {},
): (number | null)[] => {
  const logs = [...published]
  for (let month = logs.length; month < months; month += 1) {
    const from = Math.max(0, month - length + 1)
    logs.push(appended(logs.slice(from), windowOf(from, month + 1)))
  }
  return logs
}

/** Where the listings of each month come from, and where those of the month before went. */
export const churnOf = (counts: readonly MaskCounts[], months: number) =>
  Array.from({ length: months }, (_, t) => {
    const sum = (isCounted: (mask: number) => boolean): number =>
      counts.reduce((all, { mask, n }) => (isCounted(mask) ? all + n : all), 0)
    const now = (mask: number): boolean => hasMonth(mask, t)
    const before = (mask: number): boolean => t > 0 && hasMonth(mask, t - 1)
    const earlier = (mask: number): boolean => mask % 2 ** t > 0
    const later = (mask: number): boolean => mask >= 2 ** (t + 1)
    return {
      active: sum(now),
      new: t === 0 ? 0 : sum((mask) => now(mask) && !earlier(mask)),
      returned: sum((mask) => now(mask) && earlier(mask) && !before(mask)),
      gone: sum((mask) => before(mask) && !now(mask) && !later(mask)),
      paused: sum((mask) => before(mask) && !now(mask) && later(mask)),
      previous: sum(before),
      stayed: sum((mask) => now(mask) && before(mask)),
    }
  })
