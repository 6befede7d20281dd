import type { Catalog } from '../../catalog/catalog.ts'
import { currentRows, observedBetween, rowsWhere } from '../../catalog/current-prices.ts'
import { IS_NEW, type Listings } from '../../catalog/listings.ts'
import type { Country } from '../../catalog/scope.ts'
import type { Bindings } from '../../query.ts'
import { type PriceCounts, representativeOf } from '../../statistics/representative.ts'
import { ValueCounts } from '../../statistics/value-counts.ts'

/** Bits by which listings are partitioned: new, accessory, of the queried retailer. */
const NEW = 1
const ACCESSORY = 2
const IN_SCOPE = 4
const PARTS = 8

/** Counts a scope's current listings as price-dispersion.sql does. */
export const countPrices = (prices: Listings, bindings: Bindings): PriceCounts => {
  const { price, flags, accessory_depth, retailer_id } = prices
  const { retailer_id: retailer = null, ...scope } = bindings
  const shelf_depth = Number(bindings.shelf_depth)
  const rows = currentRows(prices, scope)
  const parts = new Uint8Array(rows.length)
  const sizes = new Uint32Array(PARTS)
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    let part = flags[row]! & IS_NEW ? NEW : 0
    if (accessory_depth[row]! > shelf_depth) part |= ACCESSORY
    if (retailer === null || retailer_id[row] === retailer) part |= IN_SCOPE
    parts[i] = part
    sizes[part]! += 1
  }
  const pricesOf = Array.from(sizes, (size) => new Int32Array(size))
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const part = parts[i]!
    sizes[part]! -= 1
    pricesOf[part]![sizes[part]!] = price[rows[i]!]!
  }
  const ofRetailer = retailer === null ? rows : rowsWhere(rows, (row) => retailer_id[row] === retailer)
  const counts: PriceCounts = {
    prices: [],
    are_new: [],
    are_accessories: [],
    are_in_scope: [],
    listings: [],
    ...observedBetween(prices, ofRetailer),
  }
  for (const [part, sample] of pricesOf.map(ValueCounts.ofSample).entries())
    for (let i = 0; i < sample.values.length; i += 1) {
      counts.prices.push(sample.values[i]!)
      counts.are_new.push((part & NEW) > 0)
      counts.are_accessories.push((part & ACCESSORY) > 0)
      counts.are_in_scope.push((part & IN_SCOPE) > 0)
      counts.listings.push(sample.countAt(i))
    }
  return counts
}

/** The row of price-dispersion.sql, counted in memory; null if the prices are not in memory. */
export const priceCountsFromMemory = (
  { bindings }: { bindings: Bindings },
  catalog: Catalog,
): readonly [PriceCounts] | null => {
  const prices = catalog.prices(bindings.country as Country)
  return prices && [countPrices(prices, bindings)]
}

/** The lowest and highest price of the representative listings; the lowest is above the highest if there are none. */
export const boundsOf = (counts: PriceCounts) => {
  const { values } = representativeOf(counts).kept
  return { lowest_price: values.at(0) ?? 0, highest_price: values.at(-1) ?? -1 }
}
