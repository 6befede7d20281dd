import { expect } from 'vitest'
import {
  type Ask,
  discreteMedian,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  mean,
  observedBetween,
  pct,
  quantile7,
  sum,
  unseenDay,
} from './oracle.ts'
import { distribution } from './oracle-distribution.ts'
import {
  daysWithin,
  type FilledPeriod,
  filledPeriods,
  isPlausible,
  type Link,
  linksOf,
  logOf,
  type Pair,
  pairsOf,
  pointsOf,
  pricesOf,
  type SeriesAsk,
} from './oracle-series.ts'
import { regularPrices } from './oracle-setting.ts'
import { studentT975 } from './student-t.ts'

export type InflationAsk = Ask & SeriesAsk & { regular?: boolean }

const change = (meanLog: number): number => 100 * (Math.exp(meanLog) - 1)
const tail = (n: number): number => Math.max(1, Math.floor((5 * n) / 100)) // TRIM_PERCENT

const trimmedMean = (values: readonly number[]): number => {
  const g = tail(values.length)
  return mean([...values].sort((a, b) => a - b).slice(g, values.length - g))
}

/** What each retailer adds to the change: of equal logs at a cut all keep the same share. Rounded to add up, so near. */
const contributionsBy = (pairs: readonly Pair[], name: string, keyOf: (pair: Pair) => string) => {
  const sorted = pairs.map(logOf).sort((a, b) => a - b)
  const g = tail(sorted.length)
  const left = sorted.slice(g, sorted.length - g)
  const countIn = (logs: readonly number[], log: number) => logs.filter((other) => other === log).length
  const added = (own: readonly Pair[]) =>
    sum(own.map(logOf).map((log) => (log * countIn(left, log)) / countIn(sorted, log))) / left.length
  const total = mean(left)
  return [...groupBy(pairs, keyOf)].map(([of, own]) =>
    expect.objectContaining({
      ...(name === '' ? {} : { [name]: of }),
      matched: own.length,
      contribution_pp: expect.closeTo(total === 0 ? 100 * added(own) : (added(own) * change(total)) / total, 1),
    }),
  )
}

const winsorise = (values: readonly number[]): ((value: number) => number) => {
  const g = tail(values.length)
  const sorted = [...values].sort((a, b) => a - b)
  const low = sorted[g]!
  const high = sorted[values.length - 1 - g]!
  return (value) => Math.min(high, Math.max(low, value))
}

const interval = (logs: readonly number[], error: number, df: number) => {
  const centre = trimmedMean(logs)
  const reach = studentT975(df) * error
  return { low: pct(change(centre - reach)), high: pct(change(centre + reach)), level: 0.95 }
}

const confidence = (pairs: readonly Pair[]) => {
  const logs = pairs.map(logOf)
  const n = logs.length
  if (n < 30) return { lfl_ci: null, lfl_ci_clustered: null }
  const h = n - 2 * tail(n)
  const clamp = winsorise(logs)
  const centre = mean(logs.map(clamp))
  const error = Math.sqrt(sum(logs.map((log) => (clamp(log) - centre) ** 2)) / (h * (h - 1)))
  if (error < 1e-12) return { lfl_ci: null, lfl_ci_clustered: null }
  const retailers = [...groupBy(pairs, ({ platform }) => platform).values()]
  const influences = retailers.map((own) => sum(own.map((pair) => clamp(logOf(pair)) - centre)))
  const count = retailers.length
  const clustered = Math.sqrt((count / (count - 1)) * sum(influences.map((value) => value ** 2))) / h
  return {
    lfl_ci: interval(logs, error, h - 1),
    lfl_ci_clustered:
      count < 5 || clustered < 1e-12 ? null : { ...interval(logs, clustered, count - 1), clusters: count },
  }
}

/** Listings whose last price is 20 % or more under the median of their period prices are being cleared. */
const isClearance = ({ key, p1 }: Pair, periods: readonly FilledPeriod[]): boolean => {
  const own = periods.flatMap(({ listings }) => listings.get(key)?.price ?? [])
  return 5 * p1 <= 4 * discreteMedian(own)
}

/** Whether lfl_note speaks of whole periods: too few pairs, a thin end, or a fence that left out most. */
const isNoted = (periods: readonly FilledPeriod[], kept: number, all: number): boolean => {
  const sizes = periods.map(({ listings }) => listings.size)
  return kept < 10 || Math.min(sizes[0]!, sizes.at(-1)!) * 5 < Math.max(...sizes) || 2 * kept < all
}

/** The pairs of the first and the last period by regular prices, of all that was observed. */
const regularPairs = (seen: readonly ListingDay[], { from, to, granularity }: SeriesAsk): Pair[] => {
  const regular = [...groupBy(seen, ({ listing }) => listingKey(listing)).values()].flatMap((days) => {
    const own = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
    const prices = regularPrices(own)
    return own.map((day, i) => ({ ...day, price: prices[i]! }))
  })
  const periods = filledPeriods(
    regular.filter(({ day }) => day >= from && day < to),
    granularity,
  )
  return periods.length < 2 ? [] : pairsOf(periods[0]!, periods.at(-1)!).filter(isPlausible)
}

const likeForLike = (
  periods: readonly FilledPeriod[],
  isCut: boolean,
  depth: number,
  withoutSales: readonly number[] | null,
) => {
  const all = periods.length < 2 ? [] : pairsOf(periods[0]!, periods.at(-1)!)
  const pairs = all.filter(isPlausible)
  const logs = pairs.map(logOf)
  const isStable = ({ p0, p1 }: Pair) => Math.abs(p1 - p0) * 200 <= p0
  const moved = pairs.filter((pair) => !isStable(pair))
  const enough = pairs.length >= 10
  const regular = pairs.filter((pair) => !isClearance(pair, periods)).map(logOf)
  return {
    lfl_change_pct: enough ? pct(change(trimmedMean(logs))) : null,
    lfl_matched: pairs.length,
    lfl_rising: moved.filter(({ p0, p1 }) => p1 > p0).length,
    lfl_stable: pairs.length - moved.length,
    lfl_falling: moved.filter(({ p0, p1 }) => p1 < p0).length,
    lfl_distribution: distribution(pairs.map(({ p0, p1 }) => ({ base: p0, price: p1 }))),
    lfl_excluded_implausible: all.length - pairs.length,
    lfl_note: periods.length < 2 || isCut || isNoted(periods, pairs.length, all.length) ? expect.any(String) : null,
    ...confidence(pairs),
    lfl_contributions: enough
      ? expect.arrayContaining(contributionsBy(pairs, 'retailer', ({ platform }) => platform))
      : [],
    // Whose they are is compared by how many listings they have and what these add.
    lfl_categories: enough
      ? expect.arrayContaining(contributionsBy(pairs, '', ({ shelf }) => String(shelf.slice(0, depth + 1))))
      : [],
    lfl_brands: enough ? expect.arrayContaining(contributionsBy(pairs, '', ({ brand }) => String(brand))) : [],
    lfl_variants: enough
      ? {
          jevons: pct(change(mean(logs))),
          winsorised: pct(change(mean(logs.map(winsorise(logs))))),
          median: pct(change(quantile7(logs, 0.5))),
          excluding_clearance: regular.length < 10 ? null : pct(change(trimmedMean(regular))),
          regular: withoutSales === null || withoutSales.length < 10 ? null : pct(change(trimmedMean(withoutSales))),
        }
      : null,
  }
}

/** The like-for-like change from the first period to a later one; null at the first. */
const pointLfl = (periods: readonly FilledPeriod[], i: number) => {
  if (i === 0) return null
  const pairs = pairsOf(periods[0]!, periods[i]!).filter(isPlausible)
  const { lfl_ci } = confidence(pairs)
  return {
    change_pct: pairs.length < 10 ? null : pct(change(trimmedMean(pairs.map(logOf)))),
    low: lfl_ci?.low ?? null,
    high: lfl_ci?.high ?? null,
    matched: pairs.length,
  }
}

const decomposition = (first: FilledPeriod, last: FilledPeriod) => {
  const base = mean(pricesOf(first))
  const points = (cents: number) => pct((100 * cents) / base)
  const price = mean(pricesOf(last))
  const pairs = pairsOf(first, last)
  if (pairs.length === 0) return { naive_change_pct: points(price - base), matched: null, entry: null, exit: null }
  const matchedBase = mean(pairs.map(({ p0 }) => p0))
  const matchedPrice = mean(pairs.map(({ p1 }) => p1))
  return {
    naive_change_pct: points(price - base),
    matched: points(matchedPrice - matchedBase),
    entry: points(price - matchedPrice),
    exit: points(matchedBase - base),
  }
}

const overall = (links: readonly Link[]) => {
  const methods = new Set(links.flatMap(({ method }) => method ?? []))
  const method = methods.size === 2 ? 'mixed' : ([...methods][0] ?? 'naive')
  if (links.length === 0 || links.some(({ factor }) => factor === null)) return { overall_change_pct: null, method }
  return { overall_change_pct: pct(100 * (links.reduce((product, { factor }) => product * factor!, 1) - 1)), method }
}

/** The statistics of analyst/inflation; null where nothing was observed. */
export const inflation = (days: readonly ListingDay[], window: InflationAsk) => {
  const seen = daysWithin(days, window).filter(({ listing }) => inScope(listing, window))
  const periods = filledPeriods(seen, window.granularity)
  const first = periods[0]
  const last = periods.at(-1)
  if (!first || !last) return null
  const links = linksOf(periods)
  const naive = periods.length < 2 ? null : pct(100 * (mean(pricesOf(last)) / mean(pricesOf(first)) - 1))
  const points = pointsOf(periods, window, 'matched')
  const scoped = days.filter(({ day, listing }) => day < unseenDay(window.as_of) && inScope(listing, window))
  const withoutSales = window.regular ? regularPairs(scoped, window).map(logOf) : null
  return {
    granularity: window.granularity,
    ...likeForLike(periods, points[0]!.partial || points.at(-1)!.partial, window.shelf.length, withoutSales),
    ...overall(links),
    naive_overall_change_pct: naive,
    decomposition: periods.length < 2 ? null : decomposition(first, last),
    meta: observedBetween(seen),
    time_series: points.map((point, i) => ({ ...point, lfl: pointLfl(periods, i) })),
  }
}
