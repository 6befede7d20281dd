import { solve } from './linear.ts'
import { LOG_UNIT } from './price-relative.ts'

/** Fewer shared products give no level, and no share of equal prices. */
export const MIN_SHARED = 10

/** Squares of logs are whole numbers of this unit. */
export const SQUARE_UNIT = 1e-12

/**
 * Products with so many sellers that two retailers sell, or one: how many they are, at how many of them both have one price and,
 * of one retailer, the sums of its logs less the products' means and of their squares.
 */
export type SellerCounts = {
  retailer: number
  other: number
  sellers: number
  n: number
  equal: number
  deviation: bigint
  square: bigint
}

/** The retailers that shared products link, the largest group by prices. */
const largestGroup = (shared: readonly SellerCounts[]): number[] => {
  const group = new Map<number, number>(shared.map(({ retailer }) => [retailer, retailer]))
  for (const { retailer, other } of shared) {
    const [joined, left] = [group.get(retailer)!, group.get(other)!]
    for (const [member, of] of group) if (of === left) group.set(member, joined)
  }
  const prices = new Map<number, number>()
  for (const { retailer, other, n } of shared)
    if (retailer === other) prices.set(group.get(retailer)!, (prices.get(group.get(retailer)!) ?? 0) + n)
  const [largest] = [...prices].sort(([a, m], [b, n]) => n - m || a - b)[0] ?? []
  return [...group.keys()].filter((of) => group.get(of) === largest).sort((a, b) => a - b)
}

/**
 * Price levels of retailers by country-product dummies: the least squares of log price = product + retailer, over the products
 * that two or more of them sell. Levels are relative to their geometric mean; null for a retailer with fewer than `min` shared
 * products, or that shared products do not link to the most others. The spread of log prices within products, in percent, and how
 * much of its variance retailers explain, are null without levels.
 */
export const priceLevels = (counts: readonly SellerCounts[], min = MIN_SHARED) => {
  const shared = counts.filter(({ sellers }) => sellers > 1)
  const group = largestGroup(shared)
  const within = shared.filter(({ retailer }) => group.includes(retailer))
  const diagonal = within.filter(({ retailer, other }) => retailer === other)
  const ownOf = (of: number) => diagonal.filter(({ retailer }) => retailer === of)
  const sharedBy = new Map(group.map((of) => [of, ownOf(of).reduce((sum, { n }) => sum + n, 0)]))
  const side = group.map((of) => Number(ownOf(of).reduce((sum, { deviation }) => sum + deviation, 0n)) / LOG_UNIT)
  const matrix = group.map(() => group.map(() => 0))
  for (const { retailer, other, sellers, n } of within) {
    const [a, b] = [group.indexOf(retailer), group.indexOf(other)]
    matrix[a]![b]! -= n / sellers
    if (a === b) matrix[a]![a]! += n
    else matrix[b]![a]! -= n / sellers
  }
  // The first retailer is fixed at 0: only differences are determined.
  const [solved = []] = solve(
    matrix.slice(1).map((row) => row.slice(1)),
    [side.slice(1)],
  )
  const logs = [0, ...solved]
  const hasLevel = (place: number): boolean => sharedBy.get(group[place]!)! >= min
  const leveled = logs.filter((_, place) => hasLevel(place))
  const base = leveled.reduce((sum, log) => sum + log, 0) / leveled.length
  const isComparable = leveled.length > 1
  const prices = diagonal.reduce((sum, { n }) => sum + n, 0)
  const products = diagonal.reduce((sum, { n, sellers }) => sum + n / sellers, 0)
  const variation = Number(diagonal.reduce((sum, { square }) => sum + square, 0n)) * SQUARE_UNIT
  const explained = logs.reduce((sum, log, place) => sum + log * (side[place] ?? 0), 0)
  const freedom = prices - Math.round(products)
  const spread = (squares: number, of: number): number | null =>
    isComparable && of > 0 ? 100 * Math.sqrt(Math.max(0, squares) / of) : null
  return {
    levels: new Map(
      group.map((of, place) => [of, isComparable && hasLevel(place) ? Math.exp(logs[place]! - base) : null]),
    ),
    products: Math.round(products),
    prices,
    within_sd_pct: spread(variation, freedom),
    residual_sd_pct: spread(variation - explained, freedom - group.length + 1),
    retailer_share_pct: isComparable && variation > 0 ? Math.min(100, (100 * explained) / variation) : null,
  }
}
