import {
  addDays,
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
  rounded,
  sum,
  unseenDay,
} from './oracle.ts'
import { type CurrentAsk, currentPrices } from './oracle-current.ts'
import { type Granularity, periodOf } from './oracle-periods.ts'
import type { Listing } from './rows.ts'

const inCents = (cents: number | undefined): number | null => (cents === undefined ? null : money(cents))

/** A price row without uids and address; the brand by its key. */
const priceRow = ({ listing, price, list_price, promo_flag, in_stock, observed_at }: ListingDay) => ({
  product_id: listing.listing_id,
  product_name: listing.product_name,
  brand: listing.brand,
  retailer: listing.platform,
  price: money(price),
  list_price: inCents(list_price),
  discount_pct: list_price !== undefined && list_price > price ? pct((100 * (list_price - price)) / list_price) : null,
  star_rating: listing.star_rating,
  promo_flag: promo_flag ?? null,
  in_stock: in_stock ?? null,
  observed_at,
})

/** Orders by each key in turn, smallest first. */
const by =
  <T>(...keys: ((value: T) => number | string)[]) =>
  (a: T, b: T): number => {
    for (const key of keys) {
      if (key(a) < key(b)) return -1
      if (key(a) > key(b)) return 1
    }
    return 0
  }

/** What a row's uid is, for ties. */
type UidOf = (listing: Listing) => string
const outOfStock = ({ in_stock }: ListingDay): number => (in_stock === true ? 0 : 1)

export type BestPriceAsk = Omit<CurrentAsk, 'shelf'> & { limit: number; uidOf: UidOf }

/** The figures of shopper/best-price over some listings; null where none is current. */
export const bestPrice = (days: readonly ListingDay[], { limit, uidOf, ...ask }: BestPriceAsk) => {
  const offers = currentPrices(days, { ...ask, shelf: [] }).sort(
    by<ListingDay>(
      outOfStock,
      ({ price }) => price,
      ({ listing }) => uidOf(listing),
    ),
  )
  const prices = offers.map(({ price }) => price)
  if (prices.length === 0) return null
  const [min, max] = [Math.min(...prices), Math.max(...prices)]
  return {
    best_price: priceRow(offers[0]!),
    prices: offers.slice(0, limit).map(priceRow),
    retailer_count: new Set(offers.map(({ listing }) => listing.platform)).size,
    price_summary: {
      min: money(min),
      max: money(max),
      avg: money(mean(prices)),
      median: money(quantile7(prices, 0.5)),
      spread_pct: pct((100 * (max - min)) / min),
    },
    meta: observedBetween(offers),
  }
}

export type DealAsk = CurrentAsk & {
  brand?: string | undefined
  /** Whether listings without a brand are deals, too, unless one is sent. */
  unbranded: boolean
  least: number
  limit: number
  uidOf: UidOf
}

/** The figures of shopper/deal-finder over the listings of a scope; null where there is no deal. */
export const dealFinder = (days: readonly ListingDay[], { brand, unbranded, least, limit, uidOf, ...ask }: DealAsk) => {
  const depth = ({ price, list_price = 0 }: ListingDay): number => (list_price - price) / list_price
  const score = (deal: ListingDay): number => depth(deal) * Math.log(deal.price / 100)
  const isDeal = ({ price, list_price = 0, in_stock, listing }: ListingDay): boolean =>
    in_stock === true &&
    (brand === undefined ? unbranded || listing.brand !== null : listing.brand === brand) &&
    price >= 500 &&
    100 * (list_price - price) >= least * list_price &&
    100 * (list_price - price) <= 70 * list_price
  const deals = currentPrices(days, ask).filter((day) => inScope(day.listing, ask) && isDeal(day))
  if (deals.length === 0) return null
  const ranked = deals.toSorted(
    by<ListingDay>(
      (deal) => -score(deal),
      (deal) => -depth(deal),
      ({ listing }) => uidOf(listing),
    ),
  )
  return {
    deals: ranked.slice(0, limit).map((deal) => ({ ...priceRow(deal), score: rounded(score(deal), 4) })),
    total_deals_found: deals.length,
    meta: observedBetween(deals),
  }
}

export type HistoryAsk = { as_of: string; from: string; to: string }

/** The lowest of the rows in stock, where none is the lowest of them all. */
const cheapest = (rows: readonly ListingDay[], uidOf: UidOf): ListingDay =>
  rows.toSorted(
    by<ListingDay>(
      outOfStock,
      ({ price }) => price,
      ({ listing }) => uidOf(listing),
    ),
  )[0]!

/** The listing-days of a window and those of the newest day that is current. */
const seen = (days: readonly ListingDay[], { as_of, from, to }: HistoryAsk) => {
  const before = unseenDay(as_of)
  const inWindow = days.filter(({ day }) => day >= from && day < to && day < before)
  const fresh = days.filter(({ day }) => day >= addDays(as_of, -90) && day < before)
  const today = fresh
    .map(({ day }) => day)
    .sort()
    .at(-1)
  return { inWindow, current: fresh.filter(({ day }) => day === today), today }
}

/** Extremes of some daily prices, each with the last day it was seen. */
const extreme = (daily: readonly ListingDay[], sign: 1 | -1): ListingDay =>
  daily.toSorted(
    by<ListingDay>(
      ({ price }) => sign * price,
      ({ day }) => -Date.parse(day),
    ),
  )[0]!

const daily = (rows: readonly ListingDay[], uidOf: UidOf): ListingDay[] =>
  [...groupBy(rows, ({ day }) => day).values()].map((day) => cheapest(day, uidOf))

const members = (rows: readonly ListingDay[]): number => new Set(rows.map(({ listing }) => listingKey(listing))).size

/** The figures of shopper/price-drop-alert over the members of a product; null without current price or window. */
export const priceDrop = (days: readonly ListingDay[], ask: HistoryAsk, uidOf: UidOf) => {
  const { inWindow, current, today } = seen(days, ask)
  if (inWindow.length === 0 || current.length === 0) return null
  const now = cheapest(current, uidOf)
  const prices = daily(inWindow, uidOf)
  const base = prices.filter(({ day }) => day !== today)
  const average = base.length === 0 ? null : mean(base.map(({ price }) => price))
  const lowest = extreme([...prices, now], 1)
  return {
    retailer: now.listing.platform,
    current_price: money(now.price),
    avg_price_last_30d: money(average),
    price_vs_avg_pct: average === null ? null : pct(100 * (now.price / average - 1)),
    is_price_drop: average !== null && now.price <= 0.95 * average + 1e-9,
    lowest_seen: money(lowest.price),
    lowest_seen_date: lowest.day,
    insufficient_history: prices.length < 3,
    observation_count: inWindow.length,
    member_count: members(inWindow),
    meta: observedBetween([...inWindow, ...current]),
  }
}

const point = (rows: readonly ListingDay[], granularity: Granularity) => {
  const listings = [...groupBy(rows, ({ listing }) => listingKey(listing)).values()]
  const medians = listings.map((own) => discreteMedian(own.map(({ price }) => price)))
  const last = listings.map((own) => own.toSorted(by<ListingDay>(({ day }) => day)).at(-1)!)
  const prices = rows.map(({ price }) => price)
  return {
    date: periodOf(rows[0]!.day, granularity).date,
    period: periodOf(rows[0]!.day, granularity).period,
    avg_price: money(mean(medians)),
    min_price: money(Math.min(...prices)),
    max_price: money(Math.max(...prices)),
    median_price: money(quantile7(medians, 0.5)),
    retailer_count: new Set(rows.map(({ listing }) => listing.platform)).size,
    observation_count: rows.length,
    in_stock_count: last.filter(({ in_stock }) => in_stock === true).length,
    promo_count: last.filter(isPromo).length,
  }
}

/** The figures of shopper/price-history over the members of a product; null where the window is empty. */
export const priceHistory = (
  days: readonly ListingDay[],
  { granularity, ...ask }: HistoryAsk & { granularity: Granularity },
  uidOf: UidOf,
) => {
  const { inWindow, current } = seen(days, ask)
  if (inWindow.length === 0) return null
  const prices = daily(inWindow, uidOf)
  const [lowest, highest] = [extreme(prices, 1), extreme(prices, -1)]
  const periods = [...groupBy(inWindow, ({ day }) => periodOf(day, granularity).date)].sort()
  const time_series = periods.map(([, rows]) => point(rows, granularity))
  return {
    member_count: members(inWindow),
    current_price: current.length === 0 ? null : money(cheapest(current, uidOf).price),
    lowest_seen: money(lowest.price),
    lowest_seen_date: lowest.day,
    highest_seen: money(highest.price),
    highest_seen_date: highest.day,
    insufficient_history: prices.length < 3,
    observation_count: sum(time_series.map(({ observation_count }) => observation_count)),
    time_series,
    meta: observedBetween([...inWindow, ...current]),
  }
}
