import type { Member } from '../catalog/product-scope.ts'
import { dayNumber, dayText } from '../contract/days.ts'
import type { PeriodBindings } from '../contract/window.ts'
import { groupedBy, isBuyable, type Posted, type PostedPrices } from './posted-prices.ts'

type PeriodUnit = PeriodBindings['unit']

const WEEK_DAYS = 7
/** The number of 5 January 1970, a Monday. */
const MONDAY = 4

/** The first day of the month that is a number of months after that of a day. */
const monthStart = (day: number, months: number): number => {
  const [year, month] = dayText(day).split('-').map(Number)
  return dayNumber(new Date(Date.UTC(year!, month! - 1 + months, 1)).toISOString())
}

/** The days of the period that a day is in; weeks are ISO weeks. */
const periodAt = (day: number, unit: PeriodUnit): { from: number; to: number } => {
  if (unit === 'day') return { from: day, to: day + 1 }
  if (unit === 'month') return { from: monthStart(day, 0), to: monthStart(day, 1) }
  const from = day - ((day - MONDAY) % WEEK_DAYS)
  return { from, to: from + WEEK_DAYS }
}

/** The prices by the period that they stand in, oldest first; one that stands in several is divided. */
const byPeriod = (prices: readonly Posted[], unit: PeriodUnit): [from: number, prices: Posted[]][] => {
  const parts: Posted[] = []
  for (const price of prices)
    for (let { from } = price; from < price.to; from = parts.at(-1)!.to)
      parts.push({ ...price, from, to: Math.min(price.to, periodAt(from, unit).to) })
  return [...groupedBy(parts, ({ from }) => periodAt(from, unit).from)].sort(([a], [b]) => a - b)
}

/** The price of the listing-day at a place, in ascending order. */
const priceAt = (ascending: readonly Posted[], place: number): number => {
  let days = 0
  return ascending.find(({ from, to }) => {
    days += to - from
    return days > place
  })!.price
}

/** The figures of prices in cents, each weighed by the days it stands; null without any. */
const figuresOf = (prices: readonly Posted[]) => {
  if (prices.length === 0) return null
  const ascending = prices.toSorted((a, b) => a.price - b.price)
  const days = prices.reduce((sum, { from, to }) => sum + to - from, 0)
  return {
    average: prices.reduce((sum, { price, from, to }) => sum + price * (to - from), 0) / days,
    min: ascending[0]!.price,
    max: ascending.at(-1)!.price,
    median: (priceAt(ascending, (days - 1) >> 1) + priceAt(ascending, days >> 1)) / 2,
  }
}

/** The figures of the periods of a window in which a price stands, oldest first. */
export const productPeriods = (
  { window, counting, observed }: Pick<PostedPrices, 'window' | 'counting' | 'observed'>,
  unit: PeriodUnit,
  members: readonly Member[],
) => {
  const platforms = new Map(members.map(({ listing_id, platform }) => [listing_id, platform]))
  const isAnyBuyable = counting.some(isBuyable)
  const observations = groupedBy(observed, ({ day }) => periodAt(dayNumber(day), unit).from)
  return byPeriod(window, unit).map(([from, prices]) => {
    const last = [...new Map(prices.map((price) => [price.listing_id, price])).values()]
    const stated = last.filter(({ in_stock }) => in_stock !== null)
    return {
      date: dayText(from),
      prices: figuresOf(isAnyBuyable ? prices.filter(isBuyable) : prices),
      retailer_count: new Set(last.map(({ listing_id }) => platforms.get(listing_id))).size,
      observation_count: observations.get(from)?.length ?? 0,
      in_stock_count: stated.length === 0 ? null : stated.filter(({ in_stock }) => in_stock).length,
      stock_known_count: stated.length,
      promo_count: last.filter(({ is_promoted }) => is_promoted).length,
    }
  })
}
