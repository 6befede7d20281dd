import type { Member } from '../catalog/product-scope.ts'
import { DAY_MS } from '../contract/time.ts'
import type { PeriodBindings } from '../contract/window.ts'
import { list, type ReadBy } from '../counts/count.ts'

/** The days of a product's listings: prices in cents, times in seconds since 1970. */
export const daysOfProduct = list({
  from: 'product_day',
  columns: ['listing_id', 'day', 'in_window', 'is_recent', 'price', 'in_stock', 'is_promoted', 'observed_second'],
  order: ['day', 'listing_id'],
})
export type ProductDay = ReadBy<{ days: typeof daysOfProduct }>['days'][number]

/** The price of a product on a day: the lowest among its listings in stock, or among all if none is. */
export type DailyPrice = { day: string; price: number }

/** Groups rows by a key, in the order of its first occurrences. */
const grouped = <T>(rows: readonly T[], keyOf: (row: T) => string | number): T[][] => {
  const groups = new Map<string | number, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

const lowest = (rows: readonly ProductDay[]): number =>
  rows.reduce((price, row) => Math.min(price, row.price), Number.POSITIVE_INFINITY)

const dailyPrice = (rows: readonly ProductDay[]): DailyPrice => {
  const inStock = rows.filter(({ in_stock }) => in_stock)
  return { day: rows[0]!.day, price: lowest(inStock.length > 0 ? inStock : rows) }
}

/** The days of a product in their order: those of the window, and the newest one if its price is current. */
export const productDays = (rows: readonly ProductDay[]) => {
  const window = rows.filter(({ in_window }) => in_window)
  const newest = rows.findLast(({ is_recent }) => is_recent)?.day
  const current = rows.filter(({ day }) => day === newest)
  return {
    window,
    current,
    /** The product's price on each day of the window. */
    daily: grouped(window, ({ day }) => day).map(dailyPrice),
    current_price: current.length === 0 ? null : dailyPrice(current),
    /** From the first observation in the window to the last of all; times are infinite without any. */
    observed: {
      min: Math.min(...window.map(({ observed_second }) => observed_second)),
      max: Math.max(...rows.map(({ observed_second }) => observed_second)),
    },
    member_count: new Set(window.map(({ listing_id }) => listing_id)).size,
  }
}

/** The last day with the lowest price; `days` are in their order, at least one. */
export const lowestDay = (days: readonly DailyPrice[]): DailyPrice =>
  days.reduce((low, day) => (day.price <= low.price ? day : low))

/** The last day with the highest price; `days` are in their order, at least one. */
export const highestDay = (days: readonly DailyPrice[]): DailyPrice =>
  days.reduce((high, day) => (day.price >= high.price ? day : high))

/** The first day of the period that a day is in; weeks are ISO weeks. */
const startOfPeriod = (day: string, unit: PeriodBindings['unit']): string => {
  if (unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  const time = Date.parse(day)
  const daysSinceMonday = (new Date(time).getUTCDay() + 6) % 7
  return new Date(time - daysSinceMonday * DAY_MS).toISOString().slice(0, 10)
}

const ascending = (prices: readonly number[]): number[] => prices.toSorted((a, b) => a - b)

/** The price of a listing in a period: the lower median of its days. */
const listingPrice = (days: readonly ProductDay[]): number =>
  ascending(days.map(({ price }) => price))[(days.length - 1) >> 1]!

/** The median, interpolated between the two middle prices. */
const median = (prices: readonly number[]): number => {
  const sorted = ascending(prices)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

/** The figures of a period, in cents; each listing has one vote. `days` are in their order. */
const periodOf = (days: readonly ProductDay[], date: string, platforms: ReadonlyMap<number, string>) => {
  const listings = grouped(days, ({ listing_id }) => listing_id)
  const prices = listings.map(listingPrice)
  const newest = listings.map((of) => of.at(-1)!)
  return {
    date,
    product_count: listings.length,
    average_price: prices.reduce((sum, price) => sum + price, 0) / listings.length,
    min_price: lowest(days),
    max_price: days.reduce((price, day) => Math.max(price, day.price), 0),
    median_price: median(prices),
    retailer_count: new Set(newest.map(({ listing_id }) => platforms.get(listing_id))).size,
    observation_count: days.length,
    in_stock_count: newest.filter(({ in_stock }) => in_stock).length,
    promo_count: newest.filter(({ is_promoted }) => is_promoted).length,
  }
}

/** The periods of a product's days in the window, in their order. */
export const productPeriods = (
  window: readonly ProductDay[],
  unit: PeriodBindings['unit'],
  members: readonly Member[],
) => {
  const platforms = new Map(members.map(({ listing_id, platform }) => [listing_id, platform]))
  return grouped(window, ({ day }) => startOfPeriod(day, unit)).map((days) =>
    periodOf(days, startOfPeriod(days[0]!.day, unit), platforms),
  )
}
