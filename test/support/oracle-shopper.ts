import {
  addDays,
  inScope,
  type ListingDay,
  mean,
  money,
  observedBetween,
  pct,
  quantile7,
  rounded,
  unseenDay,
} from './oracle.ts'
import { type CurrentAsk, currentPrices } from './oracle-current.ts'
import { lowness } from './oracle-history.ts'
import type { Listing } from './rows.ts'

const DAY = 86_400_000

const inCents = (cents: number | undefined): number | null => (cents === undefined ? null : money(cents))

/** How low a current price is among the days of the year to it. */
export const lownessOfYear = (offer: ListingDay, days: readonly ListingDay[], as_of: string) =>
  lowness(offer, {
    observed: days.filter(({ day }) => day <= offer.day && day >= addDays(offer.day, -365)),
    today: addDays(unseenDay(as_of), -1),
  })

/** A price row without uids and address; the brand by its key. */
const priceRow = ({ listing, price, list_price, promo_flag, in_stock, observed_at }: ListingDay, as_of: string) => ({
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
  age_days: Math.floor(Math.max(0, Date.parse(as_of) - Date.parse(observed_at)) / DAY),
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
  const ageOf = ({ observed_at }: ListingDay): number => Date.parse(ask.as_of) - Date.parse(observed_at)
  const aged = (offer: ListingDay) => ({ ...priceRow(offer, ask.as_of), ...lownessOfYear(offer, days, ask.as_of) })
  /** Of sorted offers, the youngest that is at most 2 % dearer than the first and in stock like it. */
  const best = ([first, ...others]: readonly ListingDay[]): ListingDay | undefined =>
    first &&
    [first, ...others]
      .filter((other) => outOfStock(other) === outOfStock(first) && other.price * 50 <= first.price * 51)
      .toSorted(by<ListingDay>(ageOf))[0]
  const chosen = best(offers)!
  const fresh = best(offers.filter((offer) => ageOf(offer) <= 3 * DAY))
  return {
    best_price: aged(chosen),
    best_price_observed_at: chosen.observed_at,
    best_price_age_days: aged(chosen).age_days,
    fresh_best_price: fresh === undefined ? null : aged(fresh),
    prices: offers.slice(0, limit).map(aged),
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
    deals: ranked.slice(0, limit).map((deal) => ({
      ...priceRow(deal, ask.as_of),
      ...lownessOfYear(deal, days, ask.as_of),
      score: rounded(score(deal), 4),
    })),
    total_deals_found: deals.length,
    meta: observedBetween(deals),
  }
}
