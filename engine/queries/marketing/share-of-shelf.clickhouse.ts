import { listOf, observedOf } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const BRANDS = readStatement(import.meta, 'share-of-shelf')

/** The row of share-of-shelf.sql, counted on shards. */
export const shareOfShelfOnShards: ShardedQuery = async (shards, bindings) => {
  const counts = await shards.counts(BRANDS, bindings)
  const [brands, n] = [counts.keys.get('brand')!, counts.values.get('n')!]
  return [
    {
      brand_ids: listOf(counts, (row) => brands[row]!) ?? [],
      listings: listOf(counts, (row) => n[row]!) ?? [],
      ...observedOf(counts),
    },
  ]
}
