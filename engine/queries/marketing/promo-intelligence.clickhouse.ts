import { compareBytes } from '../../catalog/brand-counts.ts'
import { listOf } from '../../cluster/lists.ts'
import { observedBetween } from '../../cluster/series.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const RANKED = readStatement(import.meta, 'promo-intelligence')

/** The row of promo-intelligence.sql, counted on shards. */
export const promoIntelligenceOnShards: ShardedQuery = async (shards, bindings, { brandsById, platforms }) => {
  const [observed, counts] = await Promise.all([observedBetween(shards, bindings), shards.counts(RANKED, bindings)])
  const ids = counts.keys.get('ranked')!
  const [n, deepest] = [counts.values.get('n')!, counts.values.get('max_depth')!]
  const nameOf = (id: number): { label: string; key: string } => {
    if (!bindings.by_brand) return { label: platforms.get(id)!, key: platforms.get(id)! }
    const { brand, brand_norm } = brandsById.get(id)!
    return { label: brand, key: brand_norm }
  }
  const ranked = listOf(counts, (row) => {
    const [promo_observations = 0, depth_count = 0, depth_sum = 0] = counts.sums[row]!
    return {
      ...nameOf(ids[row]!),
      total_observations: n[row]!,
      promo_observations,
      depth_count,
      depth_sum: depth_count === 0 ? null : depth_sum,
      max_depth: depth_count === 0 ? null : deepest[row]!,
    }
  })
  return [{ ...observed, ranked: ranked?.sort((a, b) => compareBytes(a.key, b.key)) ?? null }]
}
