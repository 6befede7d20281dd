import { addDays, type ListingDay, mean, observedBetween, pct, ratio } from './oracle.ts'
import { geks, type IndexAsk, indexListings } from './oracle-index.ts'

/** A figure of an office as fed: a month as `2026-03`, and the day of its release. */
export type OfficialFigure = { period: string; value: number; released_on: string }

const ENOUGH_MONTHS = 12

/** The month some months after another. */
export const monthAfter = (period: string, months: number): string => {
  const [year = 0, month = 0] = period.split('-').map(Number)
  const count = 12 * year + month - 1 + months
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}

const growth = (value: number | undefined, before: number | undefined): number | null =>
  value === undefined || before === undefined ? null : 100 * (value / before - 1)

const pearson = (pairs: readonly (readonly [number, number])[]): number | null => {
  const [x, y] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const
  const centred = (values: readonly number[]) => values.map((value) => value - mean(values))
  const [dx, dy] = [centred(x), centred(y)]
  const sizes = [Math.hypot(...dx), Math.hypot(...dy)] as const
  if (Math.min(...sizes) < 1e-7) return null
  return dx.reduce((sum, value, i) => sum + (value / sizes[0]) * (dy[i]! / sizes[1]), 0)
}

const rms = (values: readonly number[]): number => Math.hypot(...values) / Math.sqrt(values.length)

/** The figures of analyst/official-comparison: levels in a map by month, no logs of official figures, no bindings. */
export const officialComparison = (
  days: readonly ListingDay[],
  figures: readonly OfficialFigure[],
  ask: Omit<IndexAsk, 'method'>,
) => {
  const { as_of, months } = ask
  const within = indexListings(days, ask)
  if (within === null) return null
  const first = monthAfter(as_of.slice(0, 7), -months)
  const all = Array.from({ length: months }, (_, t) => monthAfter(first, t))
  const logs = geks(within.listings, months)
  const own = new Map(all.flatMap((period, t) => (logs[t] === null ? [] : [[period, Math.exp(logs[t]!)] as const])))
  // The day of as_of is over where its moment is not its first.
  const unseen = as_of.endsWith('T00:00:00Z') ? as_of.slice(0, 10) : addDays(as_of.slice(0, 10), 1)
  const out = figures.filter(({ released_on }) => released_on < unseen)
  const vintages = (period: string) =>
    out.filter((figure) => figure.period === period).sort((a, b) => (a.released_on < b.released_on ? -1 : 1))
  const official = new Map(out.map(({ period }) => [period, vintages(period).at(-1)!.value]))
  const common = all.filter((period) => own.has(period) && official.has(period))
  const [from, to] = [common[0], common.at(-1)]
  const isEnough = common.length >= ENOUGH_MONTHS
  const between = (values: ReadonlyMap<string, number>) => growth(values.get(to!), values.get(from!))!
  const change = (values: ReadonlyMap<string, number>, period: string) =>
    growth(values.get(period), values.get(monthAfter(period, -1)))
  const rounded = (value: number | null) => (value === null ? null : pct(value))
  const isNear = (period: string) => period >= monthAfter(first, -3) && period < monthAfter(first, months + 3)
  return {
    meta: observedBetween(within.seen),
    gap_pp: isEnough ? pct(between(own) - between(official)) : null,
    index_change_pct: isEnough ? pct(between(own)) : null,
    official_change_pct: isEnough ? pct(between(official)) : null,
    common_months: common.length,
    first_common_month: from === undefined ? null : `${from}-01`,
    last_common_month: to === undefined ? null : `${to}-01`,
    lags: [-3, -2, -1, 0, 1, 2, 3].map((lag) => {
      const pairs = all.slice(1).flatMap((period) => {
        const then = monthAfter(period, lag)
        const [a, b] = [change(own, period), isNear(monthAfter(then, -1)) ? change(official, then) : null]
        return a === null || b === null ? [] : [[a, b] as const]
      })
      if (pairs.length < ENOUGH_MONTHS - 1)
        return { lag, n: pairs.length, correlation: null, rmse_pp: null, no_change_rmse_pp: null }
      const correlation = pearson(pairs)
      return {
        lag,
        n: pairs.length,
        correlation: correlation === null ? null : ratio(correlation),
        rmse_pp: pct(rms(pairs.map(([a, b]) => a - b))),
        no_change_rmse_pp: pct(rms(pairs.map(([, b]) => b))),
      }
    }),
    time_series: all.map((period, t) => ({
      period,
      change_pct: t === 0 ? null : rounded(change(own, period)),
      official_value: official.has(period) ? ratio(official.get(period)!) : null,
      official_index:
        from === undefined || !official.has(period) ? null : ratio(official.get(period)! / official.get(from)!),
      released_on: vintages(period).at(-1)?.released_on ?? null,
      vintage_count: vintages(period).length,
    })),
  }
}
