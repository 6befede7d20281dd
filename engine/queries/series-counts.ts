import { dayText } from '../contract/days.ts'
import { type Counted, count, groupsOf } from '../counts/count.ts'
import type { Composition } from '../statistics/decomposition.ts'
import type { MatchedGroup } from '../statistics/like-for-like.ts'
import type { PeriodSums } from '../statistics/series.ts'

const sums = {
  observations: 'observation_count',
  price: 'price',
  in_stock: 'is_in_stock',
  stock_known: 'is_stock_known',
  promoted: 'is_promoted',
  pairs: ['known', 'before'],
  matched: ['known', 'log'],
  log: 'log',
  stable: 'is_stable',
  stable_price: { of: 'price', where: 'is_stable' },
} as const

const points = {
  from: 'series_price',
  by: { period: 'period' },
  min: { price: 'price' },
  max: { price: 'price' },
  median: 'price',
} as const

/** The periods of a series. */
export const seriesPrices = count({ ...points, sums })

/** The same with the prices of listings that have one in the first period. */
export const seriesWithBase = count({
  ...points,
  sums: {
    ...sums,
    based: ['known', 'base'],
    base: 'base',
    based_price: { of: 'price', where: ['known', 'base'] },
  },
})

type Points = Counted<typeof seriesPrices>

/** The price relatives to the first period; those of the last one by retailer and whether they end on clearance. */
export const relativesToFirst = count({
  from: 'series_relative',
  by: {
    period: 'period',
    retailer: ['if', 'is_last', 'retailer_id', 0],
    is_cleared: ['and', 'is_last', 'is_cleared'],
  },
  value: 'log',
})
type Relatives = Counted<typeof relativesToFirst>

/** Those of the last period by what they are counted for in a contribution. */
export const lastRelatives = count({
  from: 'series_relative',
  where: ['is_last'],
  by: { category: 'category_id', brand: 'brand_id' },
  value: 'log',
})

const groupsInOrder = ({ length, key }: { length: number; key: { period: Float64Array } }): number[] =>
  groupsOf({ length }).sort((a, b) => key.period[a]! - key.period[b]!)

/** The periods of a series, oldest first. */
export const periodsOf = (points: Points): PeriodSums[] =>
  groupsInOrder(points).map((group) => {
    const sum = (name: keyof Points['sum']): number => points.sum[name][group]!
    const period = points.key.period[group]!
    return {
      period,
      date: dayText(period),
      product_count: points.n[group]!,
      observation_count: sum('observations'),
      price_sum: sum('price'),
      min_price: points.min.price[group]!,
      max_price: points.max.price[group]!,
      median_price: points.median(group),
      in_stock_count: sum('in_stock'),
      stock_known_count: sum('stock_known'),
      promo_count: sum('promoted'),
      pair_count: sum('pairs'),
      matched_basket_size: sum('matched'),
      log_sum: points.long('log', group),
      stable_count: sum('stable'),
      stable_sum: sum('stable_price'),
    }
  })

/** What the first and the last period of a series consist of; null for a single period. */
export const compositionOf = (points: Counted<typeof seriesWithBase>): Composition | null => {
  const groups = groupsInOrder(points)
  const [first, last] = [groups[0]!, groups.at(-1)!]
  if (first === last) return null
  const { price, based, base, based_price } = points.sum
  return {
    base_count: points.n[first]!,
    base_sum: price[first]!,
    price_count: points.n[last]!,
    price_sum: price[last]!,
    matched_count: based[last]!,
    matched_base_sum: base[last]!,
    matched_price_sum: based_price[last]!,
  }
}

/** The price relatives of a period to the first, in groups. */
export const relativesOf = ({ length, key, tally }: Relatives, period: number): MatchedGroup[] =>
  groupsOf({ length }, (group) => key.period[group] === period).map((group) => {
    const { values: logs, counts } = tally(group)
    return { retailer_id: key.retailer[group]!, is_cleared: key.is_cleared[group] === 1, logs, counts }
  })

/** The price relatives of the last period by category and brand; -1 is no brand. */
export const contributing = ({ length, key, tally }: Counted<typeof lastRelatives>) =>
  groupsOf({ length }).map((group) => {
    const { values: logs, counts } = tally(group)
    return { category_id: key.category[group]!, brand_id: key.brand[group]!, logs, counts }
  })
