import {
  type Ask,
  groupBy,
  inScope,
  isPromo,
  type ListingDay,
  mean,
  observedBetween,
  pct,
  quantile7,
  ratio,
} from './oracle.ts'
import { periodOf } from './oracle-periods.ts'
import { daysWithin, type SeriesAsk } from './oracle-series.ts'

export type PromoAsk = Ask &
  Omit<SeriesAsk, 'granularity'> & { brand?: string | undefined; aggregate_by: 'brand' | 'retailer' }

/** Off the list price in per cent, where it is below it by at most 70 %. */
const depthsOf = (promoted: readonly ListingDay[]): number[] =>
  promoted.flatMap(({ price, list_price }) => {
    if (list_price === undefined || list_price <= price) return []
    return 10 * (list_price - price) <= 7 * list_price ? (100 * (list_price - price)) / list_price : []
  })

const statisticsOf = ([key, own]: readonly [string, readonly ListingDay[]]) => {
  const promoted = own.filter(isPromo)
  const depths = depthsOf(promoted)
  const frequency = promoted.length / own.length
  const depth = depths.length === 0 ? null : mean(depths)
  return { key, own, promoted, frequency, depth, deepest: depths.length === 0 ? null : Math.max(...depths) }
}
type Statistics = ReturnType<typeof statisticsOf>

/** Doubles that were summed in another order are equal when they differ by less than this. */
const NOISE = 1e-6

const apart = (a: number, b: number): number => (Math.abs(a - b) < NOISE ? 0 : a - b)

const byRank = (a: Statistics, b: Statistics): number =>
  apart(b.frequency, a.frequency) ||
  apart(b.depth ?? -1, a.depth ?? -1) ||
  b.own.length - a.own.length ||
  (a.key < b.key ? -1 : 1)

/** The statistics of marketing/promo-intelligence, ranked, brands by their keys; null where nothing was observed. */
export const promoIntelligence = (days: readonly ListingDay[], ask: PromoAsk) => {
  const seen = daysWithin(days, ask).filter(
    ({ listing }) => inScope(listing, ask) && (ask.brand === undefined || listing.brand === ask.brand),
  )
  if (seen.length === 0) return null
  const keyOf = ({ listing }: ListingDay) => (ask.aggregate_by === 'brand' ? listing.brand : listing.platform)
  const groups = groupBy(
    seen.filter((row) => keyOf(row) !== null),
    (row) => keyOf(row)!,
  )
  return {
    meta: observedBetween(seen),
    ranked: [...groups]
      .map(statisticsOf)
      .sort(byRank)
      .map(({ key, own, promoted, frequency, depth, deepest }) => ({
        key,
        total_observations: own.length,
        promo_observations: promoted.length,
        promo_frequency_pct: pct(100 * frequency),
        avg_promo_depth_pct: pct(depth),
        max_promo_depth_pct: pct(deepest),
      })),
  }
}

const weekOf = ({ day }: ListingDay): string => periodOf(day, 'weekly').period

const calendarOf = (days: readonly ListingDay[]) => {
  const share = (own: readonly ListingDay[]): number => own.filter(isPromo).length / own.length
  const weeks = [...groupBy(days, (row) => weekOf(row).slice(-2))].sort(([a], [b]) => (a < b ? -1 : 1))
  const highest = Math.max(...weeks.map(([, own]) => share(own)))
  const [peak_week] = weeks.find(([, own]) => share(own) === highest)!
  return {
    listing_days: days.length,
    promo_frequency_pct: pct(100 * share(days)),
    peak_week: Number(peak_week),
    peak_pct: pct(100 * highest),
    weeks: weeks.map(([week, own]) => {
      const depths = depthsOf(own.filter(isPromo)).map((depth) => Math.round(100 * depth) / 100)
      return {
        week: Number(week),
        listing_days: own.length,
        promo_days: own.filter(isPromo).length,
        promo_frequency_pct: pct(100 * share(own)),
        lift: share(days) === 0 ? null : ratio(share(own) / share(days)),
        median_depth_pct: depths.length === 0 ? null : pct(quantile7(depths, 0.5)),
        years: new Set(own.map((row) => weekOf(row).slice(0, 4))).size,
      }
    }),
  }
}

/** The statistics of marketing/promo-calendar; null where nothing was observed. */
export const promoCalendar = (days: readonly ListingDay[], ask: Ask & { as_of: string; years: number }) => {
  const to = `${ask.as_of.slice(0, 7)}-01`
  const from = `${Number(to.slice(0, 4)) - ask.years}${to.slice(4)}`
  const seen = daysWithin(days, { from, to, as_of: ask.as_of }).filter(({ listing }) => inScope(listing, ask))
  if (seen.length === 0) return null
  return {
    meta: observedBetween(seen),
    kind: 'calendar',
    ...calendarOf(seen),
    retailers: [...groupBy(seen, ({ listing }) => listing.platform)]
      .map(([retailer, own]) => {
        const { weeks, ...figures } = calendarOf(own)
        return { retailer, ...figures, weeks: weeks.map(({ median_depth_pct: _, years: __, ...week }) => week) }
      })
      .sort((a, b) => b.listing_days - a.listing_days || (a.retailer < b.retailer ? -1 : 1)),
  }
}
