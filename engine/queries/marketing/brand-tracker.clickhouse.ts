import { observedBetween, pointsOf, seriesPeriods } from '../../cluster/series.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const POINTS = readStatement(import.meta, 'brand-tracker')

/** The rows of brand-tracker.sql, counted on shards. */
export const brandTrackerOnShards: ShardedQuery = async (shards, bindings) => {
  const [observed, counts] = await Promise.all([
    observedBetween(shards, bindings),
    seriesPeriods(shards, bindings).then((series) => shards.counts(POINTS, { ...bindings, ...series })),
  ])
  return [...pointsOf(counts, 'period').values()].map((point) => ({ ...point, ...observed }))
}
