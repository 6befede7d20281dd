import type { IndexFile } from '../search/files/index-file.ts'
import { FIRST_MONTH, type MONTHS } from '../search/files/tables.ts'
import type { Listings } from '../search/listing-columns.ts'
import { rowsByIdOf } from './current-prices.ts'
import { createMemory } from './memory.ts'
import { loadRegularPrices, type MonthReader } from './regular-prices.ts'

/** One month of a country: the listing-month of each listing, in the order of the listings; a price of 0 is none. */
export type MonthColumns = { price: Int32Array; observation_count: Uint8Array; flags: Uint8Array }

/** Bits of the flags of a listing-month: those of its last day. */
export const WAS_PROMOTED = 1
export const WAS_IN_STOCK = 2
export const WAS_STOCK_OBSERVED = 4

/** When shelves were observed, by category, retailer and month: one row each, by category. Times are in seconds since 1970. */
type ShelfMonths = {
  category_id: Int32Array
  retailer_id: Int32Array
  month: Int32Array
  first_second: Int32Array
  last_second: Int32Array
}

/** The listing-months of a country in memory: a matrix of months by listings. Months are numbered from January 1970. */
export type MonthPrices = {
  listings: Listings
  /** The row of each listing by its id. */
  rowsById: Int32Array
  /** The first month that is here; what is older was never observed if `is_complete`. */
  first: number
  is_complete: boolean
  months: readonly MonthColumns[]
  shelves: ShelfMonths
  /** The newest day on which anything was observed, in days since 1970. */
  newest_day: number
  /** The same by prices without sales, as all observations decide them: read when they are first needed; null where they cannot be. */
  regular: (() => Promise<MonthPrices>) | null
}

/** Memory of a listing-month, in bytes: its columns, and its price without sales. */
export const MONTH_BYTES = 10

const monthOf = (day: string): string => `(12 * (year(${day}) - 1970) + month(${day}) - 1)::INTEGER`

/** The columns of listing-months by those of a relation or table of them. */
export const CELL_COLUMNS = `listing_id, ${monthOf('period')} AS month, price,
    observation_count::UTINYINT AS observation_count,
    (${WAS_PROMOTED} * promo::INTEGER + ${WAS_IN_STOCK} * coalesce(in_stock, false)::INTEGER
      + ${WAS_STOCK_OBSERVED} * (in_stock IS NOT NULL)::INTEGER)::UTINYINT AS flags`

// In the order of the file.
const SHELVES = `SELECT category_id, retailer_id, ${monthOf('period')} AS month,
    epoch(first_observed_at)::INTEGER AS first_second, epoch(last_observed_at)::INTEGER AS last_second
  FROM shelf_month WHERE country = $country::VARCHAR`

/** Listing-months as a statement returns them, a row each. */
export type ListedCells = MonthColumns & { listing_id: Int32Array; month: Int32Array }

/** Reads the newest months of a country, as many as fit into so many bytes; `hasDays`, whether the snapshot has its days by listing. */
export const loadMonthPrices = async (
  reader: MonthReader,
  country: string,
  { listings, file }: { listings: Listings; file: IndexFile<typeof MONTHS.layout> },
  { bytes, hasDays }: { bytes: number; hasDays: boolean },
): Promise<MonthPrices> => {
  const length = listings.listing_id.length
  const fitting = Math.floor(bytes / Math.max(1, length * MONTH_BYTES))
  const skipped = Math.max(0, file.batch_count - fitting)
  const first = Number(file.metadata.get(FIRST_MONTH) ?? 0) + skipped
  const months: MonthColumns[] = []
  for (let month = skipped; month < file.batch_count; month += 1) months.push(await file.read(month))
  file.close()
  const rowsById = rowsByIdOf(listings)
  const shelves = (await reader.columns(SHELVES, { country })) as ShelfMonths
  const newest_day = listings.last_day.reduce((newest, day) => Math.max(newest, day), 0)
  const is_complete = skipped === 0
  const prices: MonthPrices = { listings, rowsById, first, is_complete, months, shelves, newest_day, regular: null }
  const regular = createMemory(async (): Promise<MonthPrices> => {
    const posted = months.map(({ price }) => price)
    const without_sales = await loadRegularPrices(reader, country, { rowsById, first, prices: posted })
    return { ...prices, months: months.map((month, i) => ({ ...month, price: without_sales[i]! })) }
  })
  return hasDays ? { ...prices, regular: () => regular.get(country) } : prices
}
