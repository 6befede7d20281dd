import type { Columns } from '../pool.ts'
import type { Bindings } from '../query.ts'
import { ValueCounts } from '../statistics/value-counts.ts'
import { firstFrom } from './search-postings.ts'

/**
 * The current prices of a country after the newest observation, a number a listing in each column. Rows are in the order of
 * the files, by category, so a category with all below it is a slice. Money is in cents; -1 is null in every column.
 */
export type CurrentPrices = {
  /** Ascending. */
  category_id: Int32Array
  retailer_id: Int32Array
  brand_id: Int32Array
  gpc_id: Int32Array
  price: Int32Array
  list_price: Int32Array
  review_count: Int32Array
  /** In hundredths of a star. */
  star_rating: Int16Array
  accessory_depth: Uint8Array
  /** Bits: IS_NEW and the others below. */
  flags: Uint8Array
  /** In seconds since 1970; 0 where no price was ever observed. */
  observed_at: Uint32Array
  /** The first six bytes of product_uid after its prefix as a number: ties are sorted by it. */
  uid_start: Float64Array
}

export const IS_NEW = 1
export const IS_PROMOTED = 2
export const IS_IN_STOCK = 4
export const IS_STOCK_KNOWN = 8

const PRICES = `SELECT category_id, retailer_id, coalesce(brand_id, -1)::INTEGER AS brand_id,
    coalesce(gpc_id, -1)::INTEGER AS gpc_id, coalesce(price, -1)::INTEGER AS price,
    coalesce(list_price, -1)::INTEGER AS list_price, coalesce(review_count, -1)::INTEGER AS review_count,
    coalesce(100 * star_rating, -1)::SMALLINT AS star_rating, accessory_depth::UTINYINT AS accessory_depth,
    (${IS_NEW} * (condition = 'new')::INTEGER
      + ${IS_PROMOTED} * on_promotion(promo_flag, price, list_price)::INTEGER
      + ${IS_IN_STOCK} * coalesce(in_stock, false)::INTEGER
      + ${IS_STOCK_KNOWN} * (in_stock IS NOT NULL)::INTEGER)::UTINYINT AS flags,
    coalesce(epoch(observed_at), 0)::UINTEGER AS observed_at,
    ('0x' || hex(substr(product_uid, 3, 6)))::UBIGINT::DOUBLE AS uid_start
  FROM listing WHERE country = $country::VARCHAR`

/** Memory of the columns, in bytes a listing. */
export const PRICE_BYTES = 44

/** Reads the current prices of a country. */
export const loadCurrentPrices = async (
  load: (sql: string, bindings: { country: string }) => Promise<Columns>,
  country: string,
): Promise<CurrentPrices> => (await load(PRICES, { country })) as CurrentPrices

const secondsOf = (day: unknown): number => Date.parse(String(day)) / 1000

/** Where the rows of an interval of categories begin and end. */
const sliceOf = ({ category_id }: CurrentPrices, { first = 0, last }: Bindings): [number, number] => [
  firstFrom(category_id, Number(first)),
  last === undefined ? category_id.length : firstFrom(category_id, Number(last) + 1),
]

/**
 * The rows of a scope's current listings: within its categories and product types, of its retailer and brand where they are
 * given, last observed in the days [since, before).
 */
export const currentRows = (prices: CurrentPrices, scope: Bindings): Int32Array => {
  const { retailer_id: retailers, brand_id: brands, gpc_id: types, observed_at } = prices
  const { retailer_id = null, brand_id = null, gpc_first = null, gpc_last = null } = scope
  const since = secondsOf(scope.since)
  const before = secondsOf(scope.before)
  const [begin, end] = sliceOf(prices, scope)
  const rows = new Int32Array(end - begin)
  let length = 0
  for (let row = begin; row < end; row += 1) {
    const second = observed_at[row]!
    if (second < since || second >= before) continue
    if (retailer_id !== null && retailers[row] !== retailer_id) continue
    if (brand_id !== null && brands[row] !== brand_id) continue
    if (gpc_first !== null && (types[row]! < Number(gpc_first) || types[row]! > Number(gpc_last))) continue
    rows[length] = row
    length += 1
  }
  return rows.subarray(0, length)
}

/** When the first and the last of at least one row were observed, in seconds since 1970. */
export const spanOf = ({ observed_at }: CurrentPrices, rows: ArrayLike<number>) => {
  let [observed_min, observed_max] = [Number.POSITIVE_INFINITY, 0]
  for (let i = 0; i < rows.length; i += 1) {
    const second = observed_at[rows[i]!]!
    observed_min = Math.min(observed_min, second)
    observed_max = Math.max(observed_max, second)
  }
  return { observed_min, observed_max }
}

/** As `spanOf`; null without rows. */
export const observedBetween = (prices: CurrentPrices, rows: ArrayLike<number>) =>
  rows.length === 0 ? { observed_min: null, observed_max: null } : spanOf(prices, rows)

/** The rows that a condition holds for; typed arrays' own filter takes ten times as long. */
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

/** The values of some rows in a column. */
const valuesAt = (column: Int32Array, rows: ArrayLike<number>): Int32Array => {
  const values = new Int32Array(rows.length)
  for (let i = 0; i < rows.length; i += 1) values[i] = column[rows[i]!]!
  return values
}

/** How many of some rows have each value of a column. */
export const countBy = (column: Int32Array, rows: ArrayLike<number>): Map<number, number> => {
  const counts = new Map<number, number>()
  for (let i = 0; i < rows.length; i += 1) {
    const value = column[rows[i]!]!
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

/** The prices of some rows, counted. */
export const samplePrices = ({ price }: CurrentPrices, rows: ArrayLike<number>): ValueCounts =>
  ValueCounts.ofSample(valuesAt(price, rows))

/** How many of some rows have a flag. */
export const countFlagged = ({ flags }: CurrentPrices, rows: Int32Array, flag: number): number => {
  let count = 0
  for (let i = 0; i < rows.length; i += 1) if (flags[rows[i]!]! & flag) count += 1
  return count
}

/** Rows by their value in a column, in their order. */
export const rowsBy = (rows: Int32Array, column: Int32Array): Map<number, number[]> => {
  const groups = new Map<number, number[]>()
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    const key = column[row]!
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
