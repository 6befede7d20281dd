import { KIND, logSumOf, observedBetween, pointsOf, rowsByKey, seriesPeriods } from '../../cluster/series.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const POINTS = readStatement(import.meta, '../marketing/brand-tracker')
const OTHERS = readStatement(import.meta, 'retailer-index')

/** The rows of retailer-index.sql, counted on shards. */
export const retailerIndexOnShards: ShardedQuery = async (shards, bindings) => {
  const [observed, others, points] = await Promise.all([
    observedBetween(shards, bindings),
    shards.counts(OTHERS, bindings),
    seriesPeriods(shards, bindings).then((series) => shards.counts(POINTS, { ...bindings, ...series })),
  ])
  const n = others.values.get('n')!
  const category = rowsByKey(others, KIND.category, 'of_period')
  const entities = rowsByKey(others, KIND.entity, 'of_period')
  return [...pointsOf(points, 'period')].map(([day, point]) => {
    const [row] = category.get(day)!
    const [matched] = entities.get(day) ?? []
    const [millions, rest] = (matched !== undefined && others.sums[matched]) || []
    return {
      ...point,
      category_count: n[row!]!,
      category_sum: others.sums[row!]![0]!,
      matched_entities: matched === undefined ? null : n[matched]!,
      gap_sum: matched === undefined ? null : logSumOf(millions!, rest!),
      ...observed,
    }
  })
}
