import type { Bindings } from '../duckdb/pool.ts'
import { type CurrentColumns, IS_IN_STOCK } from '../search/listing-columns.ts'
import type { ListingTable } from '../search/listings.ts'
import { MAX_PROMOTION_PERCENT } from '../statistics/promotion.ts'
import { currentWithin } from './current-prices.ts'

/** The lowest price of a deal, in hundreds of the currency's smallest unit: 5.00 dollars, 500 yen. */
export const MIN_DEAL_PRICE = 5

/** The scope of current listings, and whether a row is a deal of the queried brand or of none (sql/relations/deal.sql). */
export const dealsIn = ({ price, list_price, brand_id, flags }: CurrentColumns, bindings: Bindings) => {
  const { brand_id: brand = null, min_discount_pct, min_price, ...scope } = bindings
  const isDeal = (row: number): boolean => {
    const [current, list] = [price[row]!, list_price[row]!]
    if (!(flags[row]! & IS_IN_STOCK) || current < Number(min_price) || list < 0) return false
    const discount = 100 * (list - current)
    if (discount < Number(min_discount_pct) * list || discount > MAX_PROMOTION_PERCENT * list) return false
    return brand === null || brand_id[row]! < 0 || brand_id[row] === brand
  }
  return { scope, isDeal }
}

/** The number of deals without a brand, unless one has a brand or those are listed too: then null. */
export const countIfAllUnbranded = (listings: ListingTable, bindings: Bindings): number | null => {
  const { first = 0, last = Number.POSITIVE_INFINITY } = bindings
  let unbranded = 0
  for (const columns of listings.discounted(Number(first), Number(last))) {
    const { scope, isDeal } = dealsIn(columns, bindings)
    const { begin, end, isCurrent } = currentWithin(columns, scope)
    for (let row = begin; row < end; row += 1) {
      if (!isCurrent(row) || !isDeal(row)) continue
      if (columns.brand_id[row]! >= 0 || bindings.include_unbranded) return null
      unbranded += 1
    }
  }
  return unbranded
}
