import type { Columns } from '../pool.ts'
import type { Texts } from './texts.ts'

/**
 * The listings of a country with their newest prices as columns. Rows are in the order of the files, by category, so that
 * a category with its descendants is a slice. Money is in cents, times are in seconds and
 * days since 1970; -1 is null, in unsigned columns 0.
 */
export type Listings = {
  listing_id: Int32Array
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
  /** The index in CONDITIONS plus one; the next two likewise. */
  condition: Uint8Array
  gpc_precision: Uint8Array
  gpc_source: Uint8Array
  observed_at: Uint32Array
  scraped_at: Uint32Array
  first_day: Uint16Array
  last_day: Uint16Array
  /** The first six bytes of product_uid after its prefix, as a number to sort ties by. */
  uid_start: Float64Array
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

const COLUMNS = `SELECT listing_id, category_id, retailer_id, coalesce(brand_id, -1)::INTEGER AS brand_id,
    coalesce(gpc_id, -1)::INTEGER AS gpc_id, coalesce(price, -1)::INTEGER AS price,
    coalesce(list_price, -1)::INTEGER AS list_price, coalesce(review_count, -1)::INTEGER AS review_count,
    coalesce(100 * star_rating, -1)::SMALLINT AS star_rating, accessory_depth::UTINYINT AS accessory_depth,
    (${bit(IS_NEW, "condition = 'new'")} + ${bit(IS_PROMOTED, 'on_promotion(promo_flag, price, list_price)')}
      + ${bit(IS_IN_STOCK, 'in_stock')} + ${bit(IS_STOCK_KNOWN, 'in_stock IS NOT NULL')}
      + ${bit(IS_FLAGGED, 'promo_flag')} + ${bit(IS_FLAG_KNOWN, 'promo_flag IS NOT NULL')})::UTINYINT AS flags,
    ${indexAmong(CONDITIONS, 'condition')}, ${indexAmong(PRECISIONS, 'gpc_precision')},
    ${indexAmong(SOURCES, 'gpc_source')},
    coalesce(epoch(observed_at), 0)::UINTEGER AS observed_at, coalesce(epoch(scraped_at), 0)::UINTEGER AS scraped_at,
    ${dayOf('first_day')}, ${dayOf('last_day')},
    ('0x' || hex(substr(product_uid, 3, 6)))::UBIGINT::DOUBLE AS uid_start
  FROM listing WHERE country = $country::VARCHAR`

const TEXTS = `SELECT json_array(product_uid, entity_uid, product_id, product_name, url)::VARCHAR AS texts
  FROM listing WHERE country = $country::VARCHAR`

type TextColumns = [uid: string, entity: string | null, id: string, name: string | null, url: string | null]

/** Estimated memory of the columns and the texts, in bytes per listing. */
export const LISTING_BYTES = 230

/** Runs a statement and returns its columns (numbers as typed arrays, texts as lists) or its single column of texts. */
export type Reader = {
  columns(sql: string, bindings: { country: string }): Promise<Columns>
  texts(sql: string, bindings: { country: string }): Promise<Texts>
}

/** Reads the columns of a country's listings. */
export const loadListings = async ({ columns }: Pick<Reader, 'columns'>, country: string): Promise<Listings> =>
  (await columns(COLUMNS, { country })) as Listings

/** Reads the texts of a country's listings, in the same order. */
export const loadListingTexts = ({ texts }: Pick<Reader, 'texts'>, country: string): Promise<Texts> =>
  texts(TEXTS, { country })

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
}

const DAY_MS = 86_400_000

const orNull = (value: number): number | null => (value < 0 ? null : value)
const dayOrNull = (day: number): string | null => (day === 0 ? null : new Date(day * DAY_MS).toISOString().slice(0, 10))
const choiceOrNull = (values: readonly string[], number: number): string | null => values[number - 1] ?? null

/** The parts from which a listing of a country is assembled. */
export type ListingSource = { listings: Listings; texts: Texts; brandsById: ReadonlyMap<number, { brand: string }> }

/** The listing of a row. */
export const listingAt = ({ listings, texts, brandsById }: ListingSource, row: number): Listing => {
  const [product_uid, entity_uid, product_id, product_name, url] = JSON.parse(texts.at(row)) as TextColumns
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
  }
}
