import { listOf } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const CATEGORIES = readStatement(import.meta, 'brand-breakdown')

/** The rows of brand-breakdown.sql, counted on shards. */
export const brandBreakdownOnShards: ShardedQuery = async (shards, bindings) => {
  const counts = await shards.counts(CATEGORIES, bindings)
  const categories = counts.keys.get('category')!
  const [n, from, to] = ['n', 'observed_from', 'observed_to'].map((name) => counts.values.get(name)!)
  const rowAt = (row: number) => ({
    category_id: categories[row]!,
    product_count: n![row]!,
    observed_min: from![row]!,
    observed_max: to![row]!,
  })
  return listOf(counts, rowAt) ?? []
}
