import { listOf, sumOf } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'
import type { PriceCounts } from '../../statistics/representative.ts'
import { countPricesOnShards } from './price-counts.clickhouse.ts'
import { boundsOf } from './price-counts.ts'

const KEPT = readStatement(import.meta, 'category-summary')

/** The row of category-summary.sql with that of price-dispersion.sql, counted on shards. */
export const categorySummaryOnShards: ShardedQuery = async (shards, bindings) => {
  const prices = await countPricesOnShards(shards, bindings)
  const counts = await shards.counts(KEPT, { ...bindings, ...boundsOf(prices as PriceCounts) })
  const [brands, retailers, n] = [counts.keys.get('brand')!, counts.keys.get('retailer')!, counts.values.get('n')!]
  const sum = (at: number) => sumOf(counts.sums.map((sums) => sums![at]!))
  return [
    {
      ...prices,
      brand_ids: listOf(counts, (row) => brands[row]!) ?? [],
      retailer_ids: listOf(counts, (row) => retailers[row]!) ?? [],
      brand_listings: listOf(counts, (row) => n[row]!) ?? [],
      rated_count: sum(0),
      rating_sum: sum(1),
      promo_count: sum(2),
      in_stock_count: sum(3),
      stock_known_count: sum(4),
    },
  ]
}
