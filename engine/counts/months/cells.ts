import { sliceOf } from '../../catalog/current-prices.ts'
import type { MonthColumns, MonthPrices } from '../../catalog/month-prices.ts'
import { dayNumber } from '../../contract/days.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import type { Listings } from '../../search/listing-columns.ts'
import { rangeOfListings } from '../listing-columns.ts'
import type { KeyRange } from '../numbering.ts'
import { BLOCK } from '../vectors.ts'
import type { KeyRanges } from '../written-rows.ts'

/** The listing-months of a scope in a window: some listings by their rows, and some months. */
export type MonthCells = {
  listings: Listings
  rows: Int32Array
  months: readonly MonthColumns[]
  /** How many months after the first of the window they are. */
  places: readonly number[]
  /** The first days of the months, in days since 1970. */
  days: readonly number[]
}

/** The number of a month such as 2026-11, from January 1970. */
export const monthNumber = (month: string): number =>
  12 * (Number(month.slice(0, 4)) - 1970) + Number(month.slice(5, 7)) - 1

const dayOfMonth = (month: number): number => dayNumber(new Date(Date.UTC(1970, month)).toISOString().slice(0, 10))

/** The rows of a scope's listings. */
const rowsIn = (listings: Listings, bindings: Bindings, retailer_id: number | null): Int32Array => {
  const { brand_id = null, gpc_first = null, gpc_last = null } = bindings
  const { retailer_id: retailers, brand_id: brands, gpc_id: types } = listings
  const [begin, end] = sliceOf(listings, bindings)
  const rows = new Int32Array(end - begin)
  let length = 0
  for (let row = begin; row < end; row += 1) {
    if (retailer_id !== null && retailers[row] !== retailer_id) continue
    if (brand_id !== null && brands[row] !== brand_id) continue
    if (gpc_first !== null && (types[row]! < Number(gpc_first) || types[row]! > Number(gpc_last))) continue
    rows[length++] = row
  }
  return rows.subarray(0, length)
}

/** The listing-months of a scope in its full months; of one retailer if the relation is of the queried one. */
export const cellsOf = (
  { listings, first, months }: MonthPrices,
  bindings: Bindings,
  isOfRetailer: boolean,
): MonthCells => {
  const retailer = isOfRetailer ? ((bindings.retailer_id ?? null) as number | null) : null
  const from = monthNumber(String(bindings.whole_from))
  const to = monthNumber(String(bindings.whole_to))
  const rows = rowsIn(listings, bindings, retailer)
  const numbers = [...months.keys()].map((i) => first + i).filter((number) => number >= from && number <= to)
  return {
    listings,
    rows,
    months: numbers.map((number) => months[number - first]!),
    places: numbers.map((number) => number - from),
    days: numbers.map(dayOfMonth),
  }
}

const MAX_DAYS = 31

const isPriced = ({ price }: MonthColumns, rows: Int32Array): boolean => {
  for (let i = 0; i < rows.length; i += 1) if (price[rows[i]!]! > 0) return true
  return false
}

/** Those of them in months that have a price. */
export const occupied = (cells: MonthCells): MonthCells => {
  const kept = [...cells.months.keys()].filter((i) => isPriced(cells.months[i]!, cells.rows))
  const of = <T>(values: readonly T[]): T[] => kept.map((i) => values[i]!)
  return { ...cells, months: of(cells.months), places: of(cells.places), days: of(cells.days) }
}

/** From unknown to the highest price. */
const priceRange = ({ months, rows }: MonthCells): KeyRange => {
  let highest = 0
  for (const { price } of months)
    for (let i = 0; i < rows.length; i += 1) if (price[rows[i]!]! > highest) highest = price[rows[i]!]!
  return { low: -1, size: highest + 2 }
}

/** The ranges of the columns of listing-months that are keys. */
export const cellRanges = (cells: MonthCells): KeyRanges => {
  const { listings, days } = cells
  const price = () => priceRange(cells)
  return {
    period: () => ({ low: days[0] ?? 0, size: days.length === 0 ? 1 : days.at(-1)! - days[0]! + 1 }),
    retailer_id: () => rangeOfListings(listings.retailer_id),
    category_id: () => rangeOfListings(listings.category_id),
    brand_id: () => rangeOfListings(listings.brand_id),
    observation_count: () => ({ low: 0, size: MAX_DAYS + 1 }),
    price,
    before: price,
    base: price,
  }
}

/** The prices of some listings in turn, month by month. */
export const createPanel = ({ months, rows }: MonthCells) => {
  const size = Math.max(1, Math.floor(BLOCK / Math.max(1, months.length)))
  const prices = months.map(() => new Int32Array(size))
  return {
    prices,
    /** Passes on blocks of listings by their rows, whose prices are then in `prices`. */
    *blocks(): Iterable<Int32Array> {
      for (let begin = 0; begin < rows.length; begin += size) {
        const some = rows.subarray(begin, begin + size)
        for (const [place, { price }] of months.entries()) {
          const column = prices[place]!
          for (let i = 0; i < some.length; i += 1) column[i] = price[some[i]!]!
        }
        yield some
      }
    },
  }
}
