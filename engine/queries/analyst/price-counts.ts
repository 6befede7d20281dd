import type { Catalog } from '../../catalog/catalog.ts'
import {
  type CurrentPrices,
  currentRows,
  IS_NEW,
  observedBetween,
  rowsBy,
  samplePrices,
} from '../../catalog/current-prices.ts'
import type { Country } from '../../catalog/scope.ts'
import type { Bindings } from '../../query.ts'
import type { PriceCounts } from '../../statistics/representative.ts'

/** Parts of a scope, which rule leaves a listing out and whether it is of the retailer, as sums of these numbers. */
const LIKE = 1
const ACCESSORY = 2
const IN_SCOPE = 4

/** Counts a scope's current listings as price-dispersion.sql does. */
export const countPrices = (prices: CurrentPrices, bindings: Bindings): PriceCounts => {
  const { flags, accessory_depth, retailer_id } = prices
  const { retailer_id: retailer = null, ...scope } = bindings
  const shelf_depth = Number(bindings.shelf_depth)
  const rows = currentRows(prices, scope)
  const partOf = (row: number): number =>
    (flags[row]! & IS_NEW ? LIKE : 0) |
    (accessory_depth[row]! > shelf_depth ? ACCESSORY : 0) |
    (retailer === null || retailer_id[row] === retailer ? IN_SCOPE : 0)
  const counts: PriceCounts = {
    prices: [],
    are_new: [],
    are_accessories: [],
    are_in_scope: [],
    listings: [],
    ...observedBetween(prices, retailer === null ? rows : rows.filter((row) => retailer_id[row] === retailer)),
  }
  for (const [part, own] of rowsBy(rows, partOf)) {
    const sample = samplePrices(prices, own)
    for (const [i, value] of sample.values.entries()) {
      counts.prices.push(value)
      counts.are_new.push((part & LIKE) > 0)
      counts.are_accessories.push((part & ACCESSORY) > 0)
      counts.are_in_scope.push((part & IN_SCOPE) > 0)
      counts.listings.push(sample.countAt(i))
    }
  }
  return counts
}

/** The row of price-dispersion.sql, counted in memory; null where memory does not hold the prices. */
export const recallPriceCounts = (
  { bindings }: { bindings: Bindings },
  catalog: Catalog,
): readonly [PriceCounts] | null => {
  const prices = catalog.prices(bindings.country as Country)
  return prices && [countPrices(prices, bindings)]
}
