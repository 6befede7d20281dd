import type { Columns } from '../pool.ts'
import type { ObservedScope } from './observed.ts'

/**
 * The current listings of a country on offer, as deal-finder.sql finds them, with those that have no brand: money in
 * cents, days since 1970.
 */
export type Deals = {
  category_id: Int32Array
  retailer_id: Int32Array
  /** -1 without a brand. */
  brand_id: Int32Array
  /** -1 without a product type. */
  gpc_id: Int32Array
  price: Int32Array
  list_price: Int32Array
  last_day: Int32Array
}

const DEALS = `SELECT category_id, retailer_id, coalesce(brand_id, -1)::INTEGER AS brand_id,
    coalesce(gpc_id, -1)::INTEGER AS gpc_id, price, list_price, (last_day - DATE '1970-01-01')::INTEGER AS last_day
  FROM listing
  WHERE country = $country::VARCHAR AND in_stock AND price >= 500 AND list_price > price
    AND 10 * (list_price::BIGINT - price) <= 7 * list_price::BIGINT`

/** Reads the deals of a country as they stand after the newest observation. */
export const loadDeals = async (
  load: (sql: string, bindings: { country: string }) => Promise<Columns>,
  country: string,
): Promise<Deals> => (await load(DEALS, { country })) as Deals

const DAY_MS = 86_400_000
const NO_BRAND = -1

/** Deals of at least `min_discount_pct` per cent whose price was observed on `since` or later. */
type Wanted = { min_discount_pct: number; since: string }

/** Whether the deal of a row lies in a scope, whatever its brand, and is a wanted one. */
const isWantedIn = (
  deals: Deals,
  { first = 0, last = Number.POSITIVE_INFINITY, ...scope }: ObservedScope,
  { min_discount_pct, since }: Wanted,
): ((row: number) => boolean) => {
  const { retailer_id = null, gpc_first = null, gpc_last = null } = scope
  const since_day = Date.parse(since) / DAY_MS
  return (row) => {
    const category = deals.category_id[row]!
    if (category < first || category > last || deals.last_day[row]! < since_day) return false
    if (retailer_id !== null && deals.retailer_id[row] !== retailer_id) return false
    const type = deals.gpc_id[row]!
    if (gpc_first !== null && gpc_last !== null && (type < gpc_first || type > gpc_last)) return false
    const list_price = deals.list_price[row]!
    return 100 * (list_price - deals.price[row]!) >= min_discount_pct * list_price
  }
}

/** Whether a scope holds a wanted deal of its brand, without one of any brand. */
export const hasDeal = (deals: Deals, scope: ObservedScope, wanted: Wanted): boolean => {
  const { brand_id = null } = scope
  const isWanted = isWantedIn(deals, scope, wanted)
  return deals.brand_id.some((brand, row) => brand !== NO_BRAND && (brand_id ?? brand) === brand && isWanted(row))
}

/** How many wanted deals a scope holds that have no brand. */
export const countUnbranded = (deals: Deals, scope: ObservedScope, wanted: Wanted): number => {
  const isWanted = isWantedIn(deals, scope, wanted)
  return deals.brand_id.reduce((count, brand, row) => count + Number(brand === NO_BRAND && isWanted(row)), 0)
}
