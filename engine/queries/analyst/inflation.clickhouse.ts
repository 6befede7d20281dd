import type { ShardCounts } from '../../cluster/counts.ts'
import {
  KIND,
  observedBetween,
  pointsOf,
  rowsByKey,
  rowsOfKind,
  seriesPeriods,
  valuesOf,
} from '../../cluster/series.ts'
import type { ShardedQuery, Shards } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'
import type { Bindings } from '../../pool.ts'

const COUNTS = readStatement(import.meta, 'inflation')

/** The logs of pairs by retailer and whether the listing is on clearance; null without pairs. */
const matchedGroups = (counts: ShardCounts) => {
  const [retailers, cleared] = [counts.keys.get('retailer')!, counts.keys.get('is_cleared')!]
  const groups: { retailer_id: number; is_cleared: boolean; logs: number[]; counts: number[] }[] = []
  for (const row of rowsOfKind(counts, KIND.matched)) {
    const [retailer_id, is_cleared] = [retailers[row]!, cleared[row] === 1]
    const { values, counts: n } = valuesOf(counts, [row])
    const last = groups.at(-1)
    if (last?.retailer_id === retailer_id && last.is_cleared === is_cleared) {
      last.logs.push(...values)
      last.counts.push(...n)
    } else groups.push({ retailer_id, is_cleared, logs: values, counts: n })
  }
  return groups.length === 0 ? null : groups
}

const compositionOf = (counts: ShardCounts) => {
  const [row] = rowsOfKind(counts, KIND.ends)
  const [bases = 0, base_sum, prices = 0, price_sum, both = 0, both_base_sum, both_price_sum] = counts.sums[row!]!
  const sumOf = (n: number, sum: number | undefined) => (n === 0 ? null : sum!)
  return {
    base_count: bases,
    base_sum: sumOf(bases, base_sum),
    price_count: prices,
    price_sum: sumOf(prices, price_sum),
    matched_count: both,
    matched_base_sum: sumOf(both, both_base_sum),
    matched_price_sum: sumOf(both, both_price_sum),
  }
}

/** The relatives of some rows: the logs of moved prices with their counts, and the number of unmoved ones. */
const relativesOf = (counts: ShardCounts, rows: readonly number[]) => {
  const { values, counts: n } = valuesOf(counts, rows)
  const zero = values.indexOf(0)
  return {
    logs: values.filter((log) => log !== 0),
    counts: n.filter((_, at) => at !== zero),
    unmoved: zero < 0 ? 0 : n[zero]!,
  }
}

const countPeriods = async (shards: Shards, bindings: Bindings) => {
  const series = await seriesPeriods(shards, bindings)
  const { periods } = series
  const [first_period, last_period] = [periods[0] ?? 0, periods.at(-1) ?? 0]
  return { last_period, counts: await shards.counts(COUNTS, { ...bindings, ...series, first_period, last_period }) }
}

/** The rows of inflation.sql, counted on shards. */
export const inflationOnShards: ShardedQuery = async (shards, bindings) => {
  const [observed, { last_period, counts }] = await Promise.all([
    observedBetween(shards, bindings),
    countPeriods(shards, bindings),
  ])
  const relatives = rowsByKey(counts, KIND.relative, 'of_period')
  return [...pointsOf(counts, 'of_period')].map(([day, point]) => ({
    ...point,
    ...observed,
    composition: day === last_period ? compositionOf(counts) : null,
    matched_groups: day === last_period ? matchedGroups(counts) : null,
    relatives: relativesOf(counts, relatives.get(day) ?? []),
  }))
}
