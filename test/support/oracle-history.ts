import {
  addDays,
  groupBy,
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
import { type Granularity, periodOf } from './oracle-periods.ts'
import type { Listing } from './rows.ts'

/** Naive histories: for each listing and each day the observation whose price stands on it. */

export type HistoryAsk = { as_of: string; from: string; to: string }
type UidOf = (listing: Listing) => string

/** A listing on a day, by the observation that stands on it. */
type Stood = { on: string; seen: ListingDay }

const STANDS = 35

const buyable = ({ in_stock }: ListingDay): boolean => in_stock !== false
const lastSeen = (days: readonly ListingDay[], on: string): ListingDay | undefined =>
  days.filter(({ day }) => day <= on && day > addDays(on, -STANDS)).toSorted((a, b) => (a.day < b.day ? 1 : -1))[0]

const datesBetween = (from: string, to: string): string[] => {
  const dates: string[] = []
  for (let day = from; day < to; day = addDays(day, 1)) dates.push(day)
  return dates
}

const order = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What stands in the window and now, by listing in the order of uids. */
const standing = (days: readonly ListingDay[], { as_of, from, to }: HistoryAsk, uidOf: UidOf) => {
  const before = unseenDay(as_of)
  const past = days.filter(({ day }) => day < before)
  const listings = [...groupBy(past, ({ listing }) => listingKey(listing)).values()].sort((a, b) =>
    order(uidOf(a[0]!.listing), uidOf(b[0]!.listing)),
  )
  const dates = datesBetween(from, to < before ? to : before)
  const today = addDays(before, -1)
  const on = (own: readonly ListingDay[], date: string): Stood[] => {
    const seen = lastSeen(own, date)
    return seen ? [{ on: date, seen }] : []
  }
  const window = listings.map((own) => dates.flatMap((date) => on(own, date))).filter((own) => own.length > 0)
  const isAnyBuyable = window.flat().some(({ seen }) => buyable(seen))
  return {
    today,
    window,
    counts: ({ seen }: Stood): boolean => !isAnyBuyable || buyable(seen),
    now: listings.flatMap((own) => on(own, today)),
    observed: past.filter(({ day }) => day >= from && day < to),
  }
}
type Standing = ReturnType<typeof standing>

/** What a listing says of itself besides the day. */
const saying = ({ price, list_price, in_stock, promo_flag }: ListingDay): string =>
  JSON.stringify([price, list_price ?? null, in_stock ?? null, promo_flag ?? null])

const changes = (own: readonly Stood[], end: string) => {
  const listed: object[] = []
  own.forEach(({ on, seen }, i) => {
    const earlier = own[i - 1]
    const isNew = earlier === undefined || earlier.on !== addDays(on, -1) || saying(earlier.seen) !== saying(seen)
    const { price, list_price, in_stock, promo_flag } = seen
    if (isNew)
      listed.push({
        date: on,
        price: money(price),
        list_price: list_price === undefined ? null : money(list_price),
        in_stock: in_stock ?? null,
        promo_flag: promo_flag ?? null,
      })
    const next = addDays(on, 1)
    if (own[i + 1]?.on !== next && next < end)
      listed.push({ date: next, price: null, list_price: null, in_stock: null, promo_flag: null })
  })
  return listed
}

/** The first day of a stretch of days with the same saying, by its last day. */
const startOf = (own: readonly Stood[], last: number): number => {
  let i = last
  while (i > 0 && own[i - 1]!.on === addDays(own[i]!.on, -1) && saying(own[i - 1]!.seen) === saying(own[i]!.seen)) i--
  return i
}

const extreme = ({ window, counts }: Standing, sign: 1 | -1) => {
  const all = window.flatMap((own) =>
    own.flatMap((stood, i) =>
      counts(stood) ? [{ price: stood.seen.price, on: own[startOf(own, i)]!.on, stood }] : [],
    ),
  )
  const price = sign * Math.min(...all.map((each) => sign * each.price))
  const last = all
    .filter((each) => each.price === price)
    .map(({ on }) => on)
    .sort()
    .at(-1)!
  return {
    price,
    date: last,
    listing: all.find((each) => each.price === price && each.on === last)!.stood.seen.listing,
  }
}

const extremes = (standing: Standing) => {
  const [low, high] = [extreme(standing, 1), extreme(standing, -1)]
  return {
    lowest_seen: money(low.price),
    lowest_seen_date: low.date,
    lowest_seen_retailer: low.listing.platform,
    highest_seen: money(high.price),
    highest_seen_date: high.date,
    insufficient_history: new Set(standing.observed.map(({ day }) => day)).size < 3,
    observation_count: standing.observed.length,
  }
}

const DAY = 86_400_000

/** How low a price is among the observed days of its listing. */
export const lowness = (
  { listing, price }: ListingDay,
  { observed, today }: { observed: readonly ListingDay[]; today: string },
) => {
  const own = observed
    .filter((day) => listingKey(day.listing) === listingKey(listing) && buyable(day))
    .toSorted((a, b) => order(a.day, b.day))
  const lower = own.filter((day) => day.price < price)
  const lastLower = lower.at(-1)
  return {
    percentile_in_history: own.length < 3 ? null : pct((100 * lower.length) / own.length),
    days_since_lower: lastLower ? (Date.parse(today) - Date.parse(lastLower.day)) / DAY : null,
    previous_price: money(own.filter((day) => day.price !== price).at(-1)?.price ?? null),
  }
}

/** The oldest and the newest of the observations that are used. */
const used = ({ window, now }: Standing) => observedBetween([...window.flat(), ...now].map(({ seen }) => seen))

const byPrice = (uidOf: UidOf) => (a: ListingDay, b: ListingDay) =>
  order(Number(!buyable(a)), Number(!buyable(b))) ||
  order(a.price, b.price) ||
  order(uidOf(a.listing), uidOf(b.listing))

/** The figures of shopper/price-drop-alert over the members of a product; null without a price now or in the window. */
export const priceDrop = (days: readonly ListingDay[], ask: HistoryAsk, uidOf: UidOf) => {
  const all = standing(days, ask, uidOf)
  if (all.window.length === 0 || all.now.length === 0) return null
  const compared = all.now.map(({ seen }) => {
    const own = all.window
      .flat()
      .filter((each) => all.counts(each) && listingKey(each.seen.listing) === listingKey(seen.listing))
    const past = own.map((each) => each.seen.price)
    return {
      seen,
      past,
      relative: past.length === 0 ? Number.POSITIVE_INFINITY : (seen.price * past.length) / sum(past),
    }
  })
  compared.sort(
    (a, b) =>
      order(Number(!buyable(a.seen)), Number(!buyable(b.seen))) ||
      order(a.relative, b.relative) ||
      byPrice(uidOf)(a.seen, b.seen),
  )
  const figures = ({ past, relative }: (typeof compared)[number]) => ({
    average: past.length === 0 ? null : money(mean(past)),
    change: past.length === 0 ? null : pct(100 * (relative - 1)),
  })
  const best = compared[0]!
  return {
    retailer: best.seen.listing.platform,
    current_price: money(best.seen.price),
    avg_price_last_30d: figures(best).average,
    price_vs_avg_pct: figures(best).change,
    is_price_drop: best.past.length > 0 && best.relative <= 0.95 + 1e-12,
    ...extremes(all),
    ...lowness(best.seen, all),
    member_count: all.window.length,
    offers: compared.map((each) => ({
      product_uid: uidOf(each.seen.listing),
      price: money(each.seen.price),
      in_stock: each.seen.in_stock ?? null,
      age_days: Math.floor(Math.max(0, Date.parse(ask.as_of) - Date.parse(each.seen.observed_at)) / 86_400_000),
      avg_price: figures(each).average,
      price_vs_avg_pct: figures(each).change,
    })),
    meta: used(all),
  }
}

const point = (period: string, granularity: Granularity, all: Standing) => {
  const own = all.window.map((stood) => stood.filter(({ on }) => periodOf(on, granularity).date === period))
  const present = own.filter((stood) => stood.length > 0)
  const prices = present
    .flat()
    .filter(all.counts)
    .map(({ seen }) => seen.price)
  const last = present.map((stood) => stood.at(-1)!.seen)
  const known = last.filter(({ in_stock }) => in_stock !== undefined && in_stock !== null)
  const figures = (value: (values: readonly number[]) => number) => (prices.length === 0 ? null : money(value(prices)))
  return {
    date: period,
    period: periodOf(present[0]![0]!.on, granularity).period,
    avg_price: figures(mean),
    min_price: figures((values) => Math.min(...values)),
    max_price: figures((values) => Math.max(...values)),
    median_price: figures((values) => quantile7(values, 0.5)),
    retailer_count: new Set(last.map(({ listing }) => listing.platform)).size,
    observation_count: all.observed.filter(({ day }) => periodOf(day, granularity).date === period).length,
    in_stock_count: known.length === 0 ? null : known.filter(({ in_stock }) => in_stock === true).length,
    stock_known_count: known.length,
    promo_count: last.filter(isPromo).length,
  }
}

/** The figures of shopper/price-history over the members of a product; null where nothing stands in the window. */
export const priceHistory = (
  days: readonly ListingDay[],
  { granularity, ...ask }: HistoryAsk & { granularity: Granularity },
  uidOf: UidOf,
) => {
  const all = standing(days, ask, uidOf)
  if (all.window.length === 0) return null
  const best = all.now.map(({ seen }) => seen).sort(byPrice(uidOf))[0]
  const periods = [...new Set(all.window.flat().map(({ on }) => periodOf(on, granularity).date))].sort()
  const before = unseenDay(ask.as_of)
  const end = ask.to < before ? ask.to : before
  const offers = all.window.toSorted((a, b) => byPrice(uidOf)(a.at(-1)!.seen, b.at(-1)!.seen))
  return {
    member_count: all.window.length,
    current_price: best === undefined ? null : money(best.price),
    ...extremes(all),
    ...(best === undefined
      ? { percentile_in_history: null, days_since_lower: null, previous_price: null }
      : lowness(best, all)),
    time_series: periods.map((period) => point(period, granularity, all)),
    offers: offers.map((own) => ({ product_uid: uidOf(own[0]!.seen.listing), changes: changes(own, end) })),
    meta: used(all),
  }
}
