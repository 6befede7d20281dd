import { z } from 'zod'
import type { excluded } from '../blocks.ts'
import { count, figure } from '../field.ts'
import { ValueCounts } from './value-counts.ts'

/**
 * The current listings of a scope counted by price, as parallel lists in any order. The counts of several parts of a scope,
 * concatenated, are the counts of the scope.
 */
export const priceCounts = z.object({
  /** In cents. */
  prices: z.array(z.int()),
  /** Whether the article is new. */
  are_new: z.array(z.boolean()),
  /** Whether it is on a shelf of accessories below the category. */
  are_accessories: z.array(z.boolean()),
  /** Whether it is of the queried retailer; true without one. */
  are_in_scope: z.array(z.boolean()),
  listings: z.array(count),
  /** When the first and the last of these in scope were observed, in seconds since 1970. */
  observed_min: figure,
  observed_max: figure,
})
export type PriceCounts = z.output<typeof priceCounts>

/** The lowest floor, in cents. */
const MIN_FLOOR = 50
/** Fewer listings than this do not determine the usual price of a category. */
const MIN_FOR_MEDIAN = 30
/** The median is this many times the floor. */
const MEDIAN_PER_FLOOR = 10

/**
 * The representative floor of a category in cents: a tenth of the median price of its new articles without accessories,
 * rounded, at least 0.50; 0.50 below 30 of them.
 */
export const priceFloor = (prices: ValueCounts): number =>
  prices.n < MIN_FOR_MEDIAN ? MIN_FLOOR : Math.max(MIN_FLOOR, Math.round(prices.quantile(0.5) / MEDIAN_PER_FLOOR))

const FENCE_REACH = 1.5
/** If most prices are equal, those within a seventh of them are not outliers. */
const MIN_IQR = 0.1
const MIN_FOR_FENCE = 10

/**
 * The prices within Tukey's fence: at most 1.5 interquartile ranges outside the quartiles of their logarithms, since prices
 * are skewed. The interquartile range counts as at least 0.10; below 10 prices there is no fence.
 */
export const withinFence = (prices: ValueCounts): ValueCounts => {
  if (prices.n < MIN_FOR_FENCE) return prices
  const [low, high] = [prices.quantile(0.25, Math.log), prices.quantile(0.75, Math.log)]
  const reach = FENCE_REACH * Math.max(MIN_IQR, high - low)
  const isInside = (price: number): boolean => Math.log(price) >= low - reach && Math.log(price) <= high + reach
  return prices.between(prices.values.find(isInside) ?? 0, prices.values.findLast(isInside) ?? -1)
}

/** The representative listings of a scope; the others are counted by the first rule that excludes them. */
export type Representative = {
  /** In cents. */
  floor: number
  kept: ValueCounts
  excluded: z.output<typeof excluded>
}

/**
 * The representative listings of a scope: new articles, no accessories, at or above the floor of the category (over all
 * retailers), within the fence.
 */
export const representativeOf = (counts: PriceCounts): Representative => {
  const { prices, are_new, are_accessories, are_in_scope, listings } = counts
  const select = (isWanted: (i: number) => boolean): ValueCounts => {
    const wanted: number[] = []
    for (let i = 0; i < prices.length; i += 1) wanted.push(isWanted(i) ? listings[i]! : 0)
    return ValueCounts.of(prices, wanted)
  }
  const count = (isWanted: (i: number) => boolean): number =>
    listings.reduce((sum, n, i) => (are_in_scope[i] && isWanted(i) ? sum + n : sum), 0)
  const isEligible = (i: number): boolean => are_new[i]! && !are_accessories[i]!
  const floor = priceFloor(select(isEligible))
  const eligible = select((i) => isEligible(i) && are_in_scope[i]!)
  const aboveFloor = eligible.between(floor, Number.POSITIVE_INFINITY)
  const kept = withinFence(aboveFloor)
  return {
    floor,
    kept,
    excluded: {
      below_floor: eligible.n - aboveFloor.n,
      refurbished_or_used: count((i) => !are_new[i]!),
      accessory_or_parts: count((i) => are_new[i]! && are_accessories[i]!),
      price_outliers: aboveFloor.n - kept.n,
    },
  }
}
