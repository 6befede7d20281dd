import { listedPrices } from '../../cluster/listed.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { listingIds } from './product-days.clickhouse.ts'

/** The rows of best-price.sql, read on shards. */
export const bestPriceOnShards: ShardedQuery = async (shards, bindings) => {
  const rows = await listedPrices(shards, bindings, listingIds(bindings))
  const own = rows.map(({ brand_id, ...row }) => row)
  return own.sort((a, b) => Number(a.listing_id) - Number(b.listing_id))
}
