import { brandCounts, compareBytes, MAX_COMPETITORS } from '../../catalog/brand-counts.ts'
import type { CatalogNames } from '../../catalog/catalog.ts'
import type { ShardCounts } from '../../cluster/counts.ts'
import { observedOf, rowsThat } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'
import { ValueCounts } from '../../statistics/value-counts.ts'

const COUNTS = readStatement(import.meta, 'price-positioning')

const competitorsOf = ({ keys, values }: ShardCounts, rows: readonly number[], names: CatalogNames) => {
  const [ids, prices, n] = [keys.get('id')!, keys.get('value')!, values.get('n')!]
  const at = (column: Float64Array) => rows.map((row) => column[row]!)
  const largest = brandCounts(at(ids), at(n), names.brandsById).slice(0, MAX_COMPETITORS)
  return largest.map(({ brand_id, brand, brand_norm, product_count }) => {
    const own = rows.filter((row) => ids[row] === brand_id)
    const sample = ValueCounts.of(
      own.map((row) => prices[row]!),
      own.map((row) => n[row]!),
    )
    return { brand, brand_norm, product_count, price_sum: sample.sum, median_price: sample.quantile(0.5) }
  })
}

const orNone = <T>(list: T[]): T[] | null => (list.length === 0 ? null : list)

/** The row of price-positioning.sql, counted on shards. */
export const pricePositioningOnShards: ShardedQuery = async (shards, bindings, names) => {
  const counts = await shards.counts(COUNTS, bindings)
  const [kind, id, value] = [...counts.keys.values()] as [Float64Array, Float64Array, Float64Array]
  const n = counts.values.get('n')!
  const ofKind = (wanted: number) => rowsThat(counts, (row) => kind[row] === wanted)
  const priced = ofKind(0)
  const retailers = ofKind(2).map((row) => ({
    retailer: names.platforms.get(id[row]!)!,
    product_count: n[row]!,
    price_sum: counts.sums[row]![0]!,
  }))
  return [
    {
      prices: priced.map((row) => value[row]!),
      are_own: priced.map((row) => id[row] === 1),
      listings: priced.map((row) => n[row]!),
      ...observedOf(counts, (row) => kind[row] === 0 && id[row] === 1),
      competitors: orNone(competitorsOf(counts, ofKind(1), names)),
      retailers: orNone(
        retailers.sort((a, b) => b.product_count - a.product_count || compareBytes(a.retailer, b.retailer)),
      ),
    },
  ]
}
