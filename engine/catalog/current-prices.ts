import type { Bindings } from '../duckdb/pool.ts'
import type { CurrentColumns, Listings } from '../search/listing-columns.ts'
import { lowerBound } from '../search/lower-bound.ts'

const secondsOf = (day: unknown): number => Date.parse(String(day)) / 1000

/** The bounds [begin, end) of the rows of an interval of categories. */
export const sliceOf = ({ category_id }: CurrentColumns, { first = 0, last }: Bindings): [number, number] => [
  lowerBound(category_id, Number(first)),
  last === undefined ? category_id.length : lowerBound(category_id, Number(last) + 1),
]

/**
 * Where the current listings of a scope are: those rows [begin, end) for which `isCurrent` holds. They are in its categories
 * and product types, of its retailer and brand if any, and were last observed in the days [since, before).
 */
export const currentWithin = (prices: CurrentColumns, scope: Bindings) => {
  const { retailer_id: retailers, brand_id: brands, gpc_id: types, observed_at } = prices
  const { retailer_id = null, brand_id = null, gpc_first = null, gpc_last = null } = scope
  const since = secondsOf(scope.since)
  const before = secondsOf(scope.before)
  const [begin, end] = sliceOf(prices, scope)
  const isCurrent = (row: number): boolean => {
    const second = observed_at[row]!
    if (second < since || second >= before) return false
    if (retailer_id !== null && retailers[row] !== retailer_id) return false
    if (brand_id !== null && brands[row] !== brand_id) return false
    return gpc_first === null || (types[row]! >= Number(gpc_first) && types[row]! <= Number(gpc_last))
  }
  return { begin, end, isCurrent }
}

/** A column with the value that a row must have there. */
export type Equality = { name: string; column: Int32Array; value: number }

/** The rows of a scope's current listings, of all retailers and brands, for which all equalities hold. */
export const currentRows = (
  prices: Listings,
  scope: Bindings,
  [first, ...others]: readonly Equality[] = [],
): Int32Array => {
  const { gpc_id: types, observed_at } = prices
  const [since, before] = [secondsOf(scope.since), secondsOf(scope.before)]
  const { gpc_first = null, gpc_last = null } = scope
  const [low, high] = gpc_first === null ? [-1, 2 ** 31] : [Number(gpc_first), Number(gpc_last)]
  const [begin, end] = sliceOf(prices, scope)
  const rows = new Int32Array(end - begin)
  let length = 0
  const { column, value } = first ?? { column: types, value: null }
  for (let row = begin; row < end; row += 1) {
    if (value !== null && column[row] !== value) continue
    const second = observed_at[row]!
    if (second < since || second >= before) continue
    const type = types[row]!
    if (type >= low && type <= high) rows[length++] = row
  }
  return others.reduce<Int32Array>(
    (some, other) => rowsWhere(some, (row) => other.column[row] === other.value),
    rows.subarray(0, length),
  )
}

/** The rows for which a condition holds; `filter` of typed arrays takes ten times as long. */
export const rowsWhere = (rows: Int32Array, isWanted: (row: number) => boolean): Int32Array => {
  const wanted = new Int32Array(rows.length)
  let length = 0
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    if (!isWanted(row)) continue
    wanted[length] = row
    length += 1
  }
  return wanted.subarray(0, length)
}

/** The row of each listing by its id. */
export const rowsByIdOf = ({ listing_id }: Pick<Listings, 'listing_id'>): Int32Array => {
  let greatest = -1
  for (let row = 0; row < listing_id.length; row += 1) greatest = Math.max(greatest, listing_id[row]!)
  const rows = new Int32Array(greatest + 1)
  for (let row = 0; row < listing_id.length; row += 1) rows[listing_id[row]!] = row
  return rows
}
