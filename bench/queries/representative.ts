import { money } from '../../engine/round.ts'
import { type Counts, countsOf } from './counts.ts'
import { type Columns, type Files, isCurrent, numbers, OBSERVED, ON_PROMOTION, type Values } from './sql.ts'

/** Counts by price of a scope's current listings, and why a listing is none of the representative ones. */
export const priceCounts = (files: Files, values: Values, sums = ''): string => `
  SELECT price, CASE WHEN condition <> 'new' THEN 1 WHEN accessory_depth > ${values.shelf_depth} THEN 2 ELSE 0 END AS reason,
    count(*)::INTEGER AS n, ${OBSERVED}${sums}
  FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY price, reason`

/** Sums that add up over prices. */
export const SUMS = `, sum(star_rating)::DOUBLE AS rating_sum, count(star_rating)::INTEGER AS rating_count,
  count(*) FILTER (${ON_PROMOTION})::INTEGER AS promo_count,
  count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(in_stock)::INTEGER AS stock_known_count`

export type Representative = {
  kept: Counts
  figures: { representative_floor: number; excluded: Record<string, number>; meta: object }
}

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** The part of `meta` that is computed. */
export const metaOf = (observed_min: readonly unknown[], observed_max: readonly unknown[]) => ({
  price_observed_at_min: instant(Math.min(...numbers(observed_min))),
  price_observed_at_max: instant(Math.max(...numbers(observed_max))),
})

/** The representative listings of counts by price: floor, fence, and what they leave out. */
export const representativeOf = (columns: Columns): Representative => {
  const prices = numbers(columns.price)
  const reasons = numbers(columns.reason)
  const n = numbers(columns.n)
  const countWith = (reason: number): number =>
    n.reduce((sum, count, i) => sum + (reasons[i] === reason ? count : 0), 0)
  const fit = prices.map((_, i) => reasons[i] === 0)
  const like = countsOf(
    prices.filter((_, i) => fit[i]),
    n.filter((_, i) => fit[i]),
  )
  const floor = like.n < 30 ? 50 : Math.max(50, Math.round(like.quantile(0.5) / 10))
  const above = like.filter((price) => price >= floor)
  const [low, high] = [above.quantile(0.25, Math.log), above.quantile(0.75, Math.log)]
  const reach = 1.5 * Math.max(0.1, high - low)
  const kept =
    above.n < 10 ? above : above.filter((price) => Math.log(price) >= low - reach && Math.log(price) <= high + reach)
  return {
    kept,
    figures: {
      representative_floor: money(floor),
      excluded: {
        below_floor: like.n - above.n,
        refurbished_or_used: countWith(1),
        accessory_or_parts: countWith(2),
        price_outliers: above.n - kept.n,
      },
      meta: metaOf(columns.observed_min!, columns.observed_max!),
    },
  }
}
