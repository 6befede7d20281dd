import type { Bindings } from '../pool.ts'
import type { PeriodSums } from '../statistics/series.ts'
import { ValueCounts } from '../statistics/value-counts.ts'
import { DAY_MS } from '../time.ts'
import type { ShardCounts } from './counts.ts'
import { observedOf, rowsThat } from './lists.ts'
import type { Shards } from './sharded.ts'

/** The kinds of rows of the statements about series. */
export const KIND = { period: 0, price: 1, matched: 2, relative: 3, ends: 4, category: 5, entity: 6 } as const

/** The sums of a point (relations/series-point.sql). */
type PointSums = [
  observations: number,
  price_sum: number,
  in_stock: number,
  promoted: number,
  pairs: number,
  matched: number,
  log_millions: number,
  log_rest: number,
  stable: number,
  stable_sum: number,
]

const PERIODS = `SELECT toInt32(period) AS period, count() AS n FROM scope_period
WHERE {retailer_id:Nullable(Int32)} IS NULL OR retailer_id = {retailer_id:Nullable(Int32)}
GROUP BY period ORDER BY period`

const OBSERVED = 'SELECT * FROM observed_between'

/** The non-empty periods of a series in days since 1970, and the bindings that statements about it use. */
export const seriesPeriods = async (shards: Shards, bindings: Bindings) => {
  const { keys } = await shards.counts(PERIODS, bindings)
  const periods = [...keys.get('period')!]
  return { periods, base_periods: [-1, ...periods.slice(0, -1)], period_count: periods.length }
}

/** When the scope was first and last observed; null if it was not. */
export const observedBetween = async (shards: Shards, bindings: Bindings) => {
  return observedOf(await shards.counts(OBSERVED, bindings))
}

const LOG_PART = 1_000_000n

/** A sum of logs from the sums of its two parts: statements cannot add up more than 2^53 exactly. */
export const logSumOf = (millions: number, rest: number): bigint => BigInt(millions) * LOG_PART + BigInt(rest)

/** The numbers of the rows of one kind. */
export const rowsOfKind = (counts: ShardCounts, kind: number): number[] => {
  const kinds = counts.keys.get('kind')!
  return rowsThat(counts, (row) => kinds[row] === kind)
}

/** The rows of one kind by a key, in order. */
export const rowsByKey = (counts: ShardCounts, kind: number, key: string): ReadonlyMap<number, number[]> => {
  const column = counts.keys.get(key)!
  const groups = new Map<number, number[]>()
  for (const row of rowsOfKind(counts, kind)) {
    const group = groups.get(column[row]!)
    if (group) group.push(row)
    else groups.set(column[row]!, [row])
  }
  return groups
}

/** Values with their counts, of some rows. */
export const valuesOf = ({ keys, values }: ShardCounts, rows: readonly number[]) => {
  const [value, n] = [keys.get('value')!, values.get('n')!]
  return { values: rows.map((row) => value[row]!), counts: rows.map((row) => n[row]!) }
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The points of a series from the counts of its periods and prices; `period` is the name of the key of a period. */
export const pointsOf = (counts: ShardCounts, period: string): ReadonlyMap<number, PeriodSums> => {
  const prices = rowsByKey(counts, KIND.price, period)
  const [days, n] = [counts.keys.get(period)!, counts.values.get('n')!]
  return new Map(
    rowsOfKind(counts, KIND.period).map((row) => {
      const day = days[row]!
      const [observations, price_sum, in_stock, promoted, pairs, matched, millions, rest, stable, stable_sum] = counts
        .sums[row]! as unknown as PointSums
      const { values, counts: listings } = valuesOf(counts, prices.get(day)!)
      const sample = ValueCounts.of(values, listings)
      const point = {
        date: dateOf(day),
        product_count: n[row]!,
        observation_count: observations,
        price_sum,
        min_price: values[0]!,
        max_price: values.at(-1)!,
        median_price: sample.quantile(0.5),
        in_stock_count: in_stock,
        promo_count: promoted,
        pair_count: pairs,
        matched_basket_size: matched,
        log_sum: matched === 0 ? null : logSumOf(millions, rest),
        stable_count: stable,
        stable_sum: stable === 0 ? null : stable_sum,
      }
      return [day, point] as const
    }),
  )
}
