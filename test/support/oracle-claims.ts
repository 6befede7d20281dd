import {
  addDays,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  money,
  observedBetween,
  pct,
  quantile7,
  unseenDay,
} from './oracle.ts'
import type { PromoAsk } from './oracle-promo.ts'
import { daysWithin } from './oracle-series.ts'

/** Claims of an earlier price, day by day: which days are known, at which price, and what they say. */

const DAY = 86_400_000
const daysFrom = (a: string, b: string): number => (Date.parse(b) - Date.parse(a)) / DAY
const claimsPrice = ({ price, list_price }: ListingDay): boolean => list_price !== undefined && list_price > price

/** The price of every known day of a listing: observed, or between two observations of one price within 35 days. */
const knownPrices = (own: readonly ListingDay[]): Map<string, number> => {
  const known = new Map(own.map(({ day, price }) => [day, price]))
  own.forEach(({ day, price }, i) => {
    const next = own[i + 1]
    if (!next || next.price !== price || daysFrom(day, next.day) > 35) return
    for (let between = addDays(day, 1); between < next.day; between = addDays(between, 1)) known.set(between, price)
  })
  return known
}

const verdictOf = (low: number | null, was: number, days: number) => {
  if (low !== null && low < was) return 'above_prior_low'
  return days >= 20 ? 'supported' : 'insufficient_history'
}

/** The claims of one listing, given its days in order. */
const claimsOf = (own: readonly ListingDay[]) => {
  const known = knownPrices(own)
  const claims: { first: ListingDay; last: ListingDay; isKnown: boolean }[] = []
  own.forEach((day, i) => {
    if (!claimsPrice(day)) return
    const before = own[i - 1]
    if (before && claimsPrice(before)) claims.at(-1)!.last = day
    else claims.push({ first: day, last: day, isKnown: before !== undefined })
  })
  return claims.map(({ first, last, isKnown }) => {
    const before = (days: number): number[] =>
      Array.from({ length: days }, (_, i) => known.get(addDays(first.day, -1 - i))).filter(
        (price) => price !== undefined,
      )
    const [prior, test, was] = [before(30), before(180), last.list_price!]
    const low = prior.length === 0 ? null : Math.min(...prior)
    const at = test.filter((price) => price >= was).length
    const [least, most] = [at / 180, (at + 180 - test.length) / 180]
    return {
      own,
      first,
      last,
      isKnown,
      low,
      verdict: verdictOf(low, was, prior.length),
      prior: prior.length,
      claimed: (100 * (was - last.price)) / was,
      real: low === null ? null : (100 * (low - last.price)) / low,
      least,
      most,
    }
  })
}
type Claim = ReturnType<typeof claimsOf>[number]

const byListing = (days: readonly ListingDay[]): ListingDay[][] =>
  [...groupBy(days, ({ listing }) => listingKey(listing)).values()].map((own) =>
    own.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  )

const figures = (claims: readonly Claim[]) => {
  const of = (verdict: string) => claims.filter((claim) => claim.verdict === verdict)
  const judged = [...of('above_prior_low'), ...of('supported')]
  const share = (part: readonly Claim[]) => (judged.length === 0 ? null : pct((100 * part.length) / judged.length))
  const median = (values: readonly number[]) => (values.length === 0 ? null : pct(quantile7(values, 0.5)))
  return {
    claim_count: claims.length,
    above_prior_low_count: of('above_prior_low').length,
    supported_count: of('supported').length,
    insufficient_history_count: of('insufficient_history').length,
    start_unknown_count: claims.filter(({ isKnown }) => !isKnown).length,
    above_prior_low_pct: share(of('above_prior_low')),
    median_claimed_pct: median(judged.map(({ claimed }) => claimed)),
    median_real_pct: median(judged.map(({ real }) => real!)),
    unreal_pct: share(judged.filter(({ real }) => real! <= 0)),
  }
}

/** The figures of marketing/promotion-reality, brands by their keys; null where nothing was observed in the window. */
export const promotionReality = (days: readonly ListingDay[], ask: PromoAsk) => {
  const seen = daysWithin(days, { ...ask, from: addDays(ask.from, -365) }).filter(
    ({ listing }) => inScope(listing, ask) && (ask.brand === undefined || listing.brand === ask.brand),
  )
  if (!seen.some(({ day }) => day >= ask.from)) return null
  const keyOf = ({ last: { listing } }: Claim) => (ask.aggregate_by === 'brand' ? listing.brand : listing.platform)
  const claims = byListing(seen)
    .flatMap(claimsOf)
    .filter((claim) => claim.last.day >= ask.from && keyOf(claim) !== null)
  return {
    meta: observedBetween(seen),
    all: figures(claims),
    ranked: [...groupBy(claims, (claim) => keyOf(claim)!)]
      .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
      .map(([key, own]) => ({ key, ...figures(own) })),
  }
}

/** What shopper/price-reality says of one listing whose newest observation stands at a moment. */
export const priceReality = (days: readonly ListingDay[], as_of: string) => {
  const before = unseenDay(as_of)
  const own = byListing(days.filter(({ day }) => day < before && day >= addDays(before, -400)))[0] ?? []
  const newest = own.at(-1)
  if (!newest || newest.day < addDays(before, -35)) return null
  const claim = claimsOf(own).at(-1)
  if (claim?.last !== newest) return { price: money(newest.price), list_price: null, verdict: 'no_claim' }
  const first = days.map(({ day }) => day).sort()[0]!
  const lasted = daysFrom(claim.first.day, newest.day) + 1
  return {
    price: money(newest.price),
    list_price: money(newest.list_price!),
    verdict: claim.verdict,
    claimed_pct: pct(claim.claimed),
    real_pct: pct(claim.real),
    prior_low: money(claim.low),
    prior_covered_days: claim.prior,
    claim_from: claim.first.day,
    claim_days: lasted,
    start_seen: claim.isKnown,
    new_listing: first > addDays(claim.first.day, -30),
    long_running: lasted >= 90,
    time_test: claim.least > 0.5 ? 'met' : claim.most <= 0.5 ? 'not_met' : 'unknown',
    charged_low_pct: pct(100 * claim.least),
    charged_high_pct: pct(100 * claim.most),
  }
}
