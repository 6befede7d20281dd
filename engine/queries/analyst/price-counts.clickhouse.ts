import { listOf, observedOf } from '../../cluster/lists.ts'
import type { Shards } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'
import type { Bindings } from '../../pool.ts'

const COUNTS = readStatement(import.meta, 'price-dispersion')

/** The row of price-dispersion.sql, counted on shards. */
export const countPricesOnShards = async (shards: Shards, bindings: Bindings) => {
  const counts = await shards.counts(COUNTS, bindings)
  const [price, isNew, isAccessory, isInScope] = [...counts.keys.values()]
  const n = counts.values.get('n')!
  const flags = (column: Float64Array) => listOf(counts, (row) => column[row] === 1)
  return {
    prices: listOf(counts, (row) => price![row]!),
    are_new: flags(isNew!),
    are_accessories: flags(isAccessory!),
    are_in_scope: flags(isInScope!),
    listings: listOf(counts, (row) => n[row]!),
    ...observedOf(counts, (row) => isInScope![row] === 1),
  }
}
