import {
  type Ask,
  discreteMedian,
  groupBy,
  inScope,
  isPromo,
  type ListingDay,
  listingKey,
  mean,
  money,
  observedBetween,
  pct,
  quantile7,
  sum,
  unseenDay,
} from './oracle.ts'
import { type Granularity, type Period, periodOf } from './oracle-periods.ts'
import { studentT975 } from './student-t.ts'

export type InflationAsk = Ask & { from: string; to: string; granularity: Granularity; as_of: string }

type ListingPeriod = { key: string; platform: string; price: number; days: number; last: ListingDay }
type FilledPeriod = Period & { listings: Map<string, ListingPeriod> }
type Pair = { key: string; platform: string; p0: number; p1: number }

const listingPeriods = (days: readonly ListingDay[]): Map<string, ListingPeriod> => {
  const periods = new Map<string, ListingPeriod>()
  for (const [key, own] of groupBy(days, (day) => listingKey(day.listing))) {
    const last = own.reduce((a, b) => (b.day > a.day ? b : a))
    const price = discreteMedian(own.map((day) => day.price))
    periods.set(key, { key, platform: last.listing.platform, price, days: own.length, last })
  }
  return periods
}

const filledPeriods = (days: readonly ListingDay[], granularity: Granularity): FilledPeriod[] =>
  [...groupBy(days, ({ day }) => periodOf(day, granularity).date).values()]
    .map((own) => ({ ...periodOf(own[0]!.day, granularity), listings: listingPeriods(own) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))

const pairsOf = (first: FilledPeriod, last: FilledPeriod): Pair[] =>
  [...first.listings.values()].flatMap(({ key, platform, price: p0 }) => {
    const p1 = last.listings.get(key)?.price
    return p1 === undefined ? [] : [{ key, platform, p0, p1 }]
  })

const isPlausible = ({ p0, p1 }: Pair): boolean => p1 <= 3 * p0 && p0 <= 3 * p1
const logOf = ({ p0, p1 }: Pair): number => Math.log(p1 / p0)
const change = (meanLog: number): number => 100 * (Math.exp(meanLog) - 1)
const tail = (n: number): number => Math.max(1, Math.floor(n / 20))
const pricesOf = ({ listings }: FilledPeriod): number[] => [...listings.values()].map(({ price }) => price)

const trimmedMean = (values: readonly number[]): number => {
  const g = tail(values.length)
  return mean([...values].sort((a, b) => a - b).slice(g, values.length - g))
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

/** Listings whose last price stands 20 % or more under the median of their period prices are being cleared. */
const isClearance = ({ key, p1 }: Pair, periods: readonly FilledPeriod[]): boolean => {
  const own = periods.flatMap(({ listings }) => listings.get(key)?.price ?? [])
  return 5 * p1 <= 4 * discreteMedian(own)
}

const likeForLike = (periods: readonly FilledPeriod[]) => {
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
    lfl_excluded_implausible: all.length - pairs.length,
    ...confidence(pairs),
    lfl_variants: enough
      ? {
          jevons: pct(change(mean(logs))),
          winsorised: pct(change(mean(logs.map(winsorise(logs))))),
          median: pct(change(quantile7(logs, 0.5))),
          excluding_clearance: regular.length < 10 ? null : pct(change(trimmedMean(regular))),
        }
      : null,
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

const linkOf = (base: FilledPeriod, period: FilledPeriod) => {
  const pairs = pairsOf(base, period).filter(isPlausible)
  const naive = pairs.length < 10
  const factor = naive ? mean(pricesOf(period)) / mean(pricesOf(base)) : Math.exp(mean(pairs.map(logOf)))
  return { factor, pairs: pairs.length, method: naive ? ('naive' as const) : ('matched' as const) }
}
type Link = ReturnType<typeof linkOf>

const overall = (links: readonly Link[]) => {
  const methods = new Set(links.map(({ method }) => method))
  const method = methods.size === 2 ? 'mixed' : ([...methods][0] ?? 'naive')
  const factor = links.reduce((product, link) => product * link.factor, 1)
  return { overall_change_pct: links.length === 0 ? null : pct(100 * (factor - 1)), method }
}

const pointOf = (period: FilledPeriod, link: Link | undefined, stable: readonly string[], window: InflationAsk) => {
  const prices = pricesOf(period)
  const own = [...period.listings.values()]
  const seen = unseenDay(window.as_of) < window.to ? unseenDay(window.as_of) : window.to
  return {
    date: period.date,
    period: period.period,
    partial: period.date < window.from || period.end > seen,
    avg_price: money(mean(prices)),
    min_price: money(Math.min(...prices)),
    max_price: money(Math.max(...prices)),
    median_price: money(quantile7(prices, 0.5)),
    product_count: prices.length,
    observation_count: sum(own.map(({ days }) => days)),
    change_pct: link ? pct(100 * (link.factor - 1)) : null,
    matched_basket_size: link ? link.pairs : 0,
    method: link?.method ?? null,
    in_stock_count: own.filter(({ last }) => last.in_stock === true).length,
    promo_count: own.filter(({ last }) => isPromo(last)).length,
    stable_avg_price: stable.length === 0 ? null : money(mean(stable.map((key) => period.listings.get(key)!.price))),
    insufficient_sample: (link ? link.pairs : prices.length) < 30,
    sample_threshold: 30,
  }
}

/** The statistics of analyst/inflation; null where nothing was observed. */
export const inflation = (days: readonly ListingDay[], window: InflationAsk) => {
  const seen = days.filter(
    ({ listing, day }) =>
      inScope(listing, window) && day >= window.from && day < window.to && day < unseenDay(window.as_of),
  )
  const periods = filledPeriods(seen, window.granularity)
  const first = periods[0]
  const last = periods.at(-1)
  if (!first || !last) return null
  const links = periods.slice(1).map((period, i) => linkOf(periods[i]!, period))
  const stable =
    periods.length < 2 ? [] : [...first.listings.keys()].filter((key) => periods.every((p) => p.listings.has(key)))
  const naive = periods.length < 2 ? null : pct(100 * (mean(pricesOf(last)) / mean(pricesOf(first)) - 1))
  return {
    granularity: window.granularity,
    ...likeForLike(periods),
    ...overall(links),
    naive_overall_change_pct: naive,
    decomposition: periods.length < 2 ? null : decomposition(first, last),
    meta: observedBetween(seen),
    time_series: periods.map((period, i) => pointOf(period, links[i - 1], stable, window)),
  }
}
