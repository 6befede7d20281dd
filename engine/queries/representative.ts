import type { z } from 'zod'
import type { excluded } from '../contract/blocks.ts'
import { type Counted, count, spanOf, total, valuesOf } from '../counts/count.ts'
import type { ValueCounts } from '../statistics/value-counts.ts'

/** The current listings of a scope by price, and by what decides whether they are representative. */
export const pricesByReason = count({
  from: 'current_price',
  by: {
    is_new: 'is_new',
    /** On a shelf of accessories below the category. */
    is_accessory: ['>', 'accessory_depth', '$shelf_depth'],
    /** Of the queried retailer: the others still count towards the floor of the category. */
    is_in_scope: ['is', 'retailer_id', '$retailer_id'],
  },
  value: 'price',
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})
export type PricesByReason = Counted<typeof pricesByReason>

/** Fewer listings than this do not determine the usual price of a category. */
const MIN_FOR_MEDIAN = 30
/** The median is this many times the floor. */
const MEDIAN_PER_FLOOR = 10

/**
 * The representative floor of a category in stored units: a tenth of the median price of its new articles without accessories,
 * rounded, at least the lowest floor, which it is below 30 of them.
 */
export const priceFloor = (prices: ValueCounts, lowest: number): number =>
  prices.n < MIN_FOR_MEDIAN ? lowest : Math.max(lowest, Math.round(prices.quantile(0.5) / MEDIAN_PER_FLOOR))

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
  /** In stored units. */
  floor: number
  kept: ValueCounts
  excluded: z.output<typeof excluded>
}

/**
 * The representative listings of a scope: new articles, no accessories, at or above the floor of the category (over all
 * retailers), within the fence.
 */
export const representativeOf = (prices: PricesByReason, lowest_floor: number): Representative => {
  const { is_new, is_accessory, is_in_scope } = prices.key
  const isEligible = (group: number): boolean => is_new[group] === 1 && is_accessory[group] === 0
  const isInScope = (group: number): boolean => is_in_scope[group] === 1
  const floor = priceFloor(valuesOf(prices, isEligible), lowest_floor)
  const eligible = valuesOf(prices, (group) => isEligible(group) && isInScope(group))
  const aboveFloor = eligible.between(floor, Number.POSITIVE_INFINITY)
  const kept = withinFence(aboveFloor)
  const isUsed = (group: number): boolean => isInScope(group) && is_new[group] === 0
  const isAccessory = (group: number): boolean => isInScope(group) && is_new[group] === 1 && is_accessory[group] === 1
  return {
    floor,
    kept,
    excluded: {
      below_floor: eligible.n - aboveFloor.n,
      refurbished_or_used: total(prices, isUsed),
      accessory_or_parts: total(prices, isAccessory),
      price_outliers: aboveFloor.n - kept.n,
    },
  }
}

/** The note of a query about representative listings whose figures are null. */
export const nothingRepresentative = ({ kept, excluded }: Representative): string | null => {
  if (kept.n > 0) return null
  const { below_floor, refurbished_or_used, accessory_or_parts } = excluded
  return (
    `Every listing in scope is left out: ${refurbished_or_used} not new, ${accessory_or_parts} on a shelf of ` +
    `accessories or parts, ${below_floor} below representative_floor.`
  )
}

/** When the listings in scope were first and last observed, in seconds since 1970; null without any. */
export const observedInScope = (prices: PricesByReason) =>
  spanOf(prices, (group) => prices.key.is_in_scope[group] === 1)

/** The lowest and highest price of the representative listings; the lowest is above the highest if there are none. */
export const boundsOf = (prices: PricesByReason, lowest_floor: number) => {
  const { values } = representativeOf(prices, lowest_floor).kept
  return { lowest_price: values.at(0) ?? 0, highest_price: values.at(-1) ?? -1 }
}
