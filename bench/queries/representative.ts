import { type Counts, countsOf } from './counts.ts'
import { money } from './money.ts'
import { type Files, isCurrent, metaOf, numbers, OBSERVED, type SqlColumns, type Values } from './sql.ts'

/**
 * Counts of a scope's current listings by price and by why a listing is none of the representative ones, both in one number,
 * which is cheaper to group by than two; and when the scope was observed.
 */
export const priceCounts = (files: Files, values: Values): string[] => [
  `SELECT price * 4::BIGINT + CASE WHEN condition <> 'new' THEN 1 WHEN accessory_depth > ${values.shelf_depth} THEN 2 ELSE 0 END AS key,
     count(*)::INTEGER AS n
   FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY key`,
  `SELECT ${OBSERVED} FROM ${files.listings} WHERE ${isCurrent(values)}`,
]

export type RepresentativeCounts = {
  kept: Counts
  figures: { representative_floor: number; excluded: Record<string, number>; meta: object }
}

/** The representative listings of counts by price: floor, fence, and what they leave out. */
export const representativeOf = (columns: SqlColumns, times: SqlColumns): RepresentativeCounts => {
  const keys = numbers(columns.key)
  const prices = keys.map((key) => Math.floor(key / 4))
  const reasons = keys.map((key) => key % 4)
  const n = numbers(columns.n)
  const countWith = (reason: number): number =>
    n.reduce((sum, count, i) => sum + (reasons[i] === reason ? count : 0), 0)
  const fit = prices.map((_, i) => reasons[i] === 0)
  const like = countsOf(
    prices.filter((_, i) => fit[i]),
    n.filter((_, i) => fit[i]),
  )
  const floor = like.n < 30 ? 50 : Math.max(50, Math.round(like.quantile(0.5) / 10))
  const above = like.between(floor, Number.POSITIVE_INFINITY)
  const [low, high] = [above.quantile(0.25, Math.log), above.quantile(0.75, Math.log)]
  const reach = 1.5 * Math.max(0.1, high - low)
  const isInside = (price: number): boolean => Math.log(price) >= low - reach && Math.log(price) <= high + reach
  const kept = above.n < 10 ? above : above.between(above.values.find(isInside)!, above.values.findLast(isInside)!)
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
      meta: metaOf(times.observed_min!, times.observed_max!),
    },
  }
}
