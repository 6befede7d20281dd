import { dayText } from '../contract/days.ts'
import type { IndexFile } from './files/index-file.ts'
import { textAt } from './files/layout.ts'
import type { DEALS, LISTINGS, TEXTS } from './files/tables.ts'
import {
  CONDITIONS,
  type CurrentColumns,
  IS_FLAG_KNOWN,
  IS_FLAGGED,
  IS_IN_STOCK,
  IS_STOCK_KNOWN,
  type Listings,
  PRECISIONS,
  SOURCES,
} from './listing-columns.ts'
import { lowerBound } from './lower-bound.ts'

type ShelfColumn = Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer>

/** The columns by which listings are filtered and ranked before anything else of them is read; in memory for all listings. */
export type ShelfColumns = {
  /** Ascending. */
  category_id: ShelfColumn
  retailer_id: ShelfColumn
  gpc_id: ShelfColumn
  accessory_depth: Uint8Array<ArrayBuffer>
}

/** Consecutive listings: the rows [begin, end) of some columns. */
export type ListingSlice = { listings: Listings; begin: number; end: number }

/** The listings of a country, in memory or in files. */
export type ListingTable = {
  columns: ShelfColumns
  /** All columns of all listings; null if they are not in memory. */
  in_memory: Listings | null
  /** The columns of some listings, and the position of a row in them. */
  at(row: number): { listings: Listings; position: number }
  /** The rows [begin, end), in turn. */
  slices(begin: number, end: number): Iterable<ListingSlice>
  /** At least all listings of an interval of categories that are in stock below their list price, in turn. */
  discounted(first: number, last: number): Iterable<CurrentColumns>
}

/** What is only shown of a listing. */
type TextColumns = [
  uid: string,
  entity: string | null,
  id: string,
  name: string | null,
  url: string | null,
  recommended_price: number | null,
  size_milli: number | null,
  size_unit: string | null,
  pack_count: number | null,
  likely_uid: string | null,
  likely_probability: number | null,
]

/** Estimated memory of the columns and the texts, in bytes per listing. */
export const LISTING_BYTES = 260

/** Reads the columns of a country's listings into memory. */
export const loadListings = async (file: IndexFile<typeof LISTINGS.layout>): Promise<ListingTable> => {
  const listings = await file.columns()
  return {
    columns: listings,
    in_memory: listings,
    at: (row) => ({ listings, position: row }),
    slices: (begin, end) => [{ listings, begin, end }],
    discounted: () => [listings],
  }
}

/** A column with further values. Ids below 32,768 take half the memory. */
const withValues = (column: ShelfColumn, values: Int32Array<ArrayBuffer>, from: number): ShelfColumn => {
  const isTooWide = column instanceof Int16Array && values.some((value) => value >= 2 ** 15)
  const wide = isTooWide ? Int32Array.from(column) : column
  wide.set(values, from)
  return wide
}

const loadShelfColumns = async (file: IndexFile<typeof LISTINGS.layout>): Promise<ShelfColumns> => {
  const columns: ShelfColumns = {
    category_id: new Int16Array(file.rows),
    retailer_id: new Int16Array(file.rows),
    gpc_id: new Int16Array(file.rows),
    accessory_depth: new Uint8Array(file.rows),
  }
  let row = 0
  for await (const batch of file.batches()) {
    for (const name of ['category_id', 'retailer_id', 'gpc_id'] as const)
      columns[name] = withValues(columns[name], batch[name], row)
    columns.accessory_depth.set(batch.accessory_depth, row)
    row += batch.accessory_depth.length
  }
  return columns
}

/** Opens a country's listings: but for the shelf columns they are read from their files when they are needed. */
export const openListings = async (
  file: IndexFile<typeof LISTINGS.layout>,
  deals: IndexFile<typeof DEALS.layout>,
): Promise<ListingTable> => {
  const { rows_per_batch: per_batch } = file
  const first_categories = await deals.firsts('category_id')
  return {
    columns: await loadShelfColumns(file),
    in_memory: null,
    at: (row) => ({ listings: file.get(Math.floor(row / per_batch)), position: row % per_batch }),
    *slices(begin, end) {
      for (let row = begin; row < end; ) {
        const batch = Math.floor(row / per_batch)
        const next = Math.min(end, (batch + 1) * per_batch)
        yield { listings: file.scan(batch), begin: row % per_batch, end: next - batch * per_batch }
        row = next
      }
    },
    *discounted(first, last) {
      // The batch before the first that begins with the category may end with it.
      const begin = Math.max(0, lowerBound(first_categories, first) - 1)
      for (let batch = begin; batch < deals.batch_count && first_categories[batch]! <= last; batch += 1)
        yield deals.scan(batch)
    },
  }
}

/** The texts of listings by row. */
export type ListingTexts = { at(row: number): TextColumns }

export const listingTexts = (file: IndexFile<typeof TEXTS.layout>): ListingTexts => ({
  at(row) {
    const { texts } = file.get(Math.floor(row / file.rows_per_batch))
    try {
      return JSON.parse(textAt(texts, row % file.rows_per_batch)) as TextColumns
    } catch {
      throw file.failure(`text ${row} is no JSON`)
    }
  },
})

/** A listing with its newest price: money in cents, times in seconds since 1970. */
export type Listing = {
  listing_id: number
  category_id: number
  product_uid: string
  entity_uid: string | null
  product_id: string
  product_name: string | null
  brand: string | null
  retailer_id: number
  condition: string
  url: string | null
  star_rating: number | null
  review_count: number | null
  gpc_id: number | null
  gpc_precision: string | null
  gpc_source: string | null
  /** 0, like the times, if no price was ever observed. */
  price: number
  list_price: number | null
  promo_flag: boolean | null
  in_stock: boolean | null
  observed_at: number
  scraped_at: number
  /** Null, like last_day, if no price was ever observed. */
  first_day: string | null
  last_day: string | null
  /** The days of the year to the newest observation on which it was observed, not out of stock. */
  observed_days: number
  /** Those of them on which it cost less than now, and the last of these. */
  lower_days: number
  last_lower_day: string | null
  /** The price of the last of them on which it cost something else. */
  previous_price: number | null
  recommended_price: number | null
  /** The size of one piece, in thousandths of its unit: g, ml or each. */
  size_milli: number | null
  size_unit: string | null
  pack_count: number | null
  /** Its likely product; null without a likely partner. */
  likely_uid: string | null
  /** The probability of its surest match there, in thousandths. */
  likely_probability: number | null
}

const orNull = (value: number): number | null => (value < 0 ? null : value)

/** The texts of days, which are few: writing one takes as long as reading the rest of a listing. */
const days = new Map<number, string>()
const dayOrNull = (day: number): string | null => {
  if (day === 0) return null
  const text = days.get(day) ?? dayText(day)
  days.set(day, text)
  return text
}

const choiceOrNull = (values: readonly string[], number: number): string | null => values[number - 1] ?? null

/** A listing from its columns and its texts. */
export const listingFrom = (
  { listings, position: row }: ReturnType<ListingTable['at']>,
  texts: TextColumns,
  brandsById: ReadonlyMap<number, { brand: string }>,
): Listing => {
  const [product_uid, entity_uid, product_id, product_name, url, ...others] = texts
  const [recommended_price, size_milli, size_unit, pack_count, likely_uid, likely_probability] = others
  const flags = listings.flags[row]!
  const star_rating = orNull(listings.star_rating[row]!)
  return {
    listing_id: listings.listing_id[row]!,
    category_id: listings.category_id[row]!,
    product_uid,
    entity_uid,
    product_id,
    product_name,
    brand: brandsById.get(listings.brand_id[row]!)?.brand ?? null,
    retailer_id: listings.retailer_id[row]!,
    condition: CONDITIONS[listings.condition[row]! - 1]!,
    url,
    star_rating: star_rating && star_rating / 100,
    review_count: orNull(listings.review_count[row]!),
    gpc_id: orNull(listings.gpc_id[row]!),
    gpc_precision: choiceOrNull(PRECISIONS, listings.gpc_precision[row]!),
    gpc_source: choiceOrNull(SOURCES, listings.gpc_source[row]!),
    price: Math.max(0, listings.price[row]!),
    list_price: orNull(listings.list_price[row]!),
    promo_flag: flags & IS_FLAG_KNOWN ? (flags & IS_FLAGGED) !== 0 : null,
    in_stock: flags & IS_STOCK_KNOWN ? (flags & IS_IN_STOCK) !== 0 : null,
    observed_at: listings.observed_at[row]!,
    scraped_at: listings.scraped_at[row]!,
    first_day: dayOrNull(listings.first_day[row]!),
    last_day: dayOrNull(listings.last_day[row]!),
    observed_days: listings.observed_days[row]!,
    lower_days: listings.lower_days[row]!,
    last_lower_day: dayOrNull(listings.last_lower_day[row]!),
    previous_price: orNull(listings.previous_price[row]!),
    recommended_price,
    size_milli,
    size_unit,
    pack_count,
    likely_uid,
    likely_probability,
  }
}

/** Whether a listing may have a price in the days [since, before), by its first and last day. */
export const isPricedWithin =
  (since: string, before: string) =>
  ({ first_day, last_day }: Pick<Listing, 'first_day' | 'last_day'>): boolean =>
    first_day !== null && last_day !== null && last_day >= since && first_day < before
