import {
  discreteMedian,
  groupBy,
  isPromo,
  type ListingDay,
  listingKey,
  mean,
  money,
  pct,
  quantile7,
  sum,
  unseenDay,
} from './oracle.ts'
import { type Granularity, type Period, periodOf } from './oracle-periods.ts'

/** The window of a series: days from `from` to the day before `to`, none from `as_of` on. */
export type SeriesAsk = { from: string; to: string; granularity: Granularity; as_of: string }

export type ListingPeriod = { key: string; platform: string; price: number; days: number; last: ListingDay }
export type FilledPeriod = Period & { listings: Map<string, ListingPeriod> }
export type Pair = {
  key: string
  platform: string
  shelf: readonly string[]
  brand: string | null
  p0: number
  p1: number
}

export const daysWithin = (days: readonly ListingDay[], { from, to, as_of }: Omit<SeriesAsk, 'granularity'>) =>
  days.filter(({ day }) => day >= from && day < to && day < unseenDay(as_of))

const listingPeriods = (days: readonly ListingDay[]): Map<string, ListingPeriod> => {
  const periods = new Map<string, ListingPeriod>()
  for (const [key, own] of groupBy(days, (day) => listingKey(day.listing))) {
    const last = own.reduce((a, b) => (b.day > a.day ? b : a))
    const price = discreteMedian(own.map((day) => day.price))
    periods.set(key, { key, platform: last.listing.platform, price, days: own.length, last })
  }
  return periods
}

/** The periods in which something was observed, in order, each with its listing-period prices. */
export const filledPeriods = (days: readonly ListingDay[], granularity: Granularity): FilledPeriod[] =>
  [...groupBy(days, ({ day }) => periodOf(day, granularity).date).values()]
    .map((own) => ({ ...periodOf(own[0]!.day, granularity), listings: listingPeriods(own) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))

export const pricesOf = ({ listings }: FilledPeriod): number[] => [...listings.values()].map(({ price }) => price)

/** The listings priced in both periods. */
export const pairsOf = (first: FilledPeriod, last: FilledPeriod): Pair[] =>
  [...first.listings.values()].flatMap(({ key, platform, price: p0, last: { listing } }) => {
    const p1 = last.listings.get(key)?.price
    return p1 === undefined ? [] : [{ key, platform, shelf: listing.shelf, brand: listing.brand, p0, p1 }]
  })

export const isPlausible = ({ p0, p1 }: Pair): boolean => p1 <= 3 * p0 && p0 <= 3 * p1
export const logOf = ({ p0, p1 }: Pair): number => Math.log(p1 / p0)

const linkOf = (base: FilledPeriod, period: FilledPeriod) => {
  const all = pairsOf(base, period)
  const pairs = all.filter(isPlausible)
  if (all.length > 0 && pairs.length === 0) return { factor: null, pairs: 0, method: null }
  const naive = pairs.length < 10
  const factor = naive ? mean(pricesOf(period)) / mean(pricesOf(base)) : Math.exp(mean(pairs.map(logOf)))
  return { factor, pairs: pairs.length, method: naive ? ('naive' as const) : ('matched' as const) }
}
export type Link = ReturnType<typeof linkOf>

export const linksOf = (periods: readonly FilledPeriod[]): Link[] =>
  periods.slice(1).map((period, i) => linkOf(periods[i]!, period))

/** The listings priced in every period; none where there is one period only. */
export const stableBasket = (periods: readonly FilledPeriod[]): string[] =>
  periods.length < 2 ? [] : [...periods[0]!.listings.keys()].filter((key) => periods.every((p) => p.listings.has(key)))

const isStockKnown = ({ last }: ListingPeriod): boolean => typeof last.in_stock === 'boolean'

const pointOf = (period: FilledPeriod, link: Link | undefined, stable: readonly string[], window: SeriesAsk) => {
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
    change_pct: link && link.factor !== null ? pct(100 * (link.factor - 1)) : null,
    matched_basket_size: link ? link.pairs : 0,
    method: link?.method ?? null,
    in_stock_count: own.some(isStockKnown) ? own.filter(({ last }) => last.in_stock === true).length : null,
    stock_known_count: own.filter(isStockKnown).length,
    promo_count: own.filter(({ last }) => isPromo(last)).length,
    stable_avg_price: stable.length === 0 ? null : money(mean(stable.map((key) => period.listings.get(key)!.price))),
    sample_threshold: 30,
  }
}

/** The points of a series. `basket` is what the sample flag counts: pairs, but for the first point, or products. */
export const pointsOf = (periods: readonly FilledPeriod[], window: SeriesAsk, basket: 'matched' | 'products') => {
  const links = linksOf(periods)
  const stable = stableBasket(periods)
  return periods.map((period, i) => {
    const point = pointOf(period, links[i - 1], stable, window)
    const size = basket === 'matched' && i > 0 ? point.matched_basket_size : point.product_count
    return { ...point, insufficient_sample: size < 30 }
  })
}
