import { dayText } from '../contract/days.ts'
import type { Columns, TakeColumns } from '../duckdb/pool.ts'
import type { Texts } from '../duckdb/texts.ts'
import type { ColumnsOf } from './temporary/columns.ts'

/** The columns of `Listings` with their types. */
export const LISTING_LAYOUT = {
  listing_id: Int32Array,
  /** Ascending. */
  category_id: Int32Array,
  retailer_id: Int32Array,
  brand_id: Int32Array,
  gpc_id: Int32Array,
  price: Int32Array,
  list_price: Int32Array,
  review_count: Int32Array,
  /** In hundredths of a star. */
  star_rating: Int16Array,
  accessory_depth: Uint8Array,
  /** Bits: IS_NEW and the others below. */
  flags: Uint8Array,
  /** The index in CONDITIONS plus one; the next two likewise. */
  condition: Uint8Array,
  gpc_precision: Uint8Array,
  gpc_source: Uint8Array,
  observed_at: Uint32Array,
  scraped_at: Uint32Array,
  first_day: Uint16Array,
  last_day: Uint16Array,
  /** What its prices of a year say of the newest (data/README.md). */
  observed_days: Uint16Array,
  lower_days: Uint16Array,
  last_lower_day: Uint16Array,
  previous_price: Int32Array,
  /** The first six bytes of product_uid after its prefix, as a number to sort ties by. */
  uid_start: Float64Array,
} as const

/**
 * The listings of a country with their newest prices as columns. Rows are in the order of the files, by category, so that
 * a category with its descendants is a slice. Money is in cents, times are in seconds and
 * days since 1970; -1 is null, in unsigned columns 0.
 */
export type Listings = ColumnsOf<typeof LISTING_LAYOUT>

const { category_id, retailer_id, brand_id, gpc_id, price, list_price, flags, observed_at } = LISTING_LAYOUT
/** The columns that decide whether a current price is a deal. */
export const CURRENT_LAYOUT = { category_id, retailer_id, brand_id, gpc_id, price, list_price, flags, observed_at }
export type CurrentColumns = ColumnsOf<typeof CURRENT_LAYOUT>

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

/** The listings of a country in memory or in temporary files (stored-listings.ts). */
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

export const IS_NEW = 1
/** Counts as promoted (statistics/promotion.ts). */
export const IS_PROMOTED = 2
export const IS_IN_STOCK = 4
export const IS_STOCK_KNOWN = 8
const IS_FLAGGED = 16
const IS_FLAG_KNOWN = 32

const CONDITIONS = ['new', 'open_box', 'refurbished', 'used', 'for_parts'] as const
const PRECISIONS = ['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch'] as const
const SOURCES = ['listing', 'browse_node', 'category', 'lexicon'] as const

const indexAmong = (values: readonly string[], column: string): string =>
  `coalesce(list_position([${values.map((value) => `'${value}'`).join()}], ${column}), 0)::UTINYINT AS ${column}`

const dayOf = (column: string): string => `coalesce(${column} - DATE '1970-01-01', 0)::USMALLINT AS ${column}`

const bit = (flag: number, condition: string): string => `${flag} * coalesce(${condition}, false)::INTEGER`

/** The columns of a country's listings, in the order of the files. */
export const LISTING_COLUMNS = `SELECT listing_id, category_id, retailer_id, coalesce(brand_id, -1)::INTEGER AS brand_id,
    coalesce(gpc_id, -1)::INTEGER AS gpc_id, coalesce(price, -1)::INTEGER AS price,
    coalesce(list_price, -1)::INTEGER AS list_price, coalesce(review_count, -1)::INTEGER AS review_count,
    coalesce(100 * star_rating, -1)::SMALLINT AS star_rating, accessory_depth::UTINYINT AS accessory_depth,
    (${bit(IS_NEW, "condition = 'new'")} + ${bit(IS_PROMOTED, 'on_promotion(promo_flag, price, list_price)')}
      + ${bit(IS_IN_STOCK, 'in_stock')} + ${bit(IS_STOCK_KNOWN, 'in_stock IS NOT NULL')}
      + ${bit(IS_FLAGGED, 'promo_flag')} + ${bit(IS_FLAG_KNOWN, 'promo_flag IS NOT NULL')})::UTINYINT AS flags,
    ${indexAmong(CONDITIONS, 'condition')}, ${indexAmong(PRECISIONS, 'gpc_precision')},
    ${indexAmong(SOURCES, 'gpc_source')},
    coalesce(epoch(observed_at), 0)::UINTEGER AS observed_at, coalesce(epoch(scraped_at), 0)::UINTEGER AS scraped_at,
    ${dayOf('first_day')}, ${dayOf('last_day')}, coalesce(observed_days, 0)::USMALLINT AS observed_days,
    coalesce(lower_days, 0)::USMALLINT AS lower_days, ${dayOf('last_lower_day')},
    coalesce(previous_price, -1)::INTEGER AS previous_price,
    ('0x' || hex(substr(product_uid, 3, 6)))::UBIGINT::DOUBLE AS uid_start
  FROM listing WHERE country = $country::VARCHAR`

/** What is only shown of each listing as one text, in the same order. */
export const LISTING_TEXTS = `SELECT json_array(product_uid, entity_uid, product_id, product_name, url,
    recommended_price, size_milli, size_unit, pack_count, likely_uid, likely_probability)::VARCHAR AS texts
  FROM listing WHERE country = $country::VARCHAR`

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

/** Runs statements for one country. */
export type Reader = {
  /** The columns of a result: numbers as typed arrays, which must not be null, texts as lists. */
  columns(sql: string, bindings: { country: string }): Promise<Columns>
  /** The same for a result of millions of rows, of numbers only. */
  longColumns(sql: string, bindings: { country: string }): Promise<Columns>
  /** Passes on a result in pieces. */
  each(sql: string, bindings: { country: string }, take: TakeColumns): Promise<void>
  /** The only column of a result. */
  texts(sql: string, bindings: { country: string }): Promise<Texts>
}

/** Reads the columns of a country's listings into memory. */
export const loadListings = async (
  { longColumns }: Pick<Reader, 'longColumns'>,
  country: string,
): Promise<ListingTable> => {
  const listings = (await longColumns(LISTING_COLUMNS, { country })) as Listings
  return {
    columns: listings,
    in_memory: listings,
    at: (row) => ({ listings, position: row }),
    slices: (begin, end) => [{ listings, begin, end }],
    discounted: () => [listings],
  }
}

/** Reads the texts of a country's listings into memory. */
export const loadListingTexts = ({ texts }: Pick<Reader, 'texts'>, country: string): Promise<Texts> =>
  texts(LISTING_TEXTS, { country })

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
  texts: string,
  brandsById: ReadonlyMap<number, { brand: string }>,
): Listing => {
  const [product_uid, entity_uid, product_id, product_name, url, ...others] = JSON.parse(texts) as TextColumns
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
