import { promotedSql } from '../statistics/promotion.ts'
import type { ColumnsOf } from './files/layout.ts'

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

export const IS_NEW = 1
/** Counts as promoted (statistics/promotion.ts). */
export const IS_PROMOTED = 2
export const IS_IN_STOCK = 4
export const IS_STOCK_KNOWN = 8
export const IS_FLAGGED = 16
export const IS_FLAG_KNOWN = 32

export const CONDITIONS = ['new', 'open_box', 'refurbished', 'used', 'for_parts'] as const
export const PRECISIONS = ['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch'] as const
export const SOURCES = ['listing', 'browse_node', 'category', 'lexicon'] as const

const indexAmong = (values: readonly string[], column: string): string =>
  `coalesce(list_position([${values.map((value) => `'${value}'`).join()}], ${column}), 0)::UTINYINT AS ${column}`

const dayOf = (column: string): string => `coalesce(${column} - DATE '1970-01-01', 0)::USMALLINT AS ${column}`

const bit = (flag: number, condition: string): string => `${flag} * coalesce(${condition}, false)::INTEGER`

/** The values of the columns, by those of the table `listings`. */
export const LISTING_COLUMNS = `listing_id, category_id, retailer_id, coalesce(brand_id, -1)::INTEGER AS brand_id,
    coalesce(gpc_id, -1)::INTEGER AS gpc_id, coalesce(price, -1)::INTEGER AS price,
    coalesce(list_price, -1)::INTEGER AS list_price, coalesce(review_count, -1)::INTEGER AS review_count,
    coalesce(100 * star_rating, -1)::SMALLINT AS star_rating, accessory_depth::UTINYINT AS accessory_depth,
    (${bit(IS_NEW, "condition = 'new'")} + ${bit(IS_PROMOTED, promotedSql('promo_flag', 'price', 'list_price'))}
      + ${bit(IS_IN_STOCK, 'in_stock')} + ${bit(IS_STOCK_KNOWN, 'in_stock IS NOT NULL')}
      + ${bit(IS_FLAGGED, 'promo_flag')} + ${bit(IS_FLAG_KNOWN, 'promo_flag IS NOT NULL')})::UTINYINT AS flags,
    ${indexAmong(CONDITIONS, 'condition')}, ${indexAmong(PRECISIONS, 'gpc_precision')},
    ${indexAmong(SOURCES, 'gpc_source')},
    coalesce(epoch(observed_at), 0)::UINTEGER AS observed_at, coalesce(epoch(scraped_at), 0)::UINTEGER AS scraped_at,
    ${dayOf('first_day')}, ${dayOf('last_day')}, coalesce(observed_days, 0)::USMALLINT AS observed_days,
    coalesce(lower_days, 0)::USMALLINT AS lower_days, ${dayOf('last_lower_day')},
    coalesce(previous_price, -1)::INTEGER AS previous_price,
    ('0x' || hex(substr(product_uid, 3, 6)))::UBIGINT::DOUBLE AS uid_start`

/** Whether a listing may be a deal: in stock below its list price. */
export const MAY_BE_DEAL = 'in_stock AND list_price > price'

/** What is only shown of each listing, as one text. */
export const LISTING_TEXT = `json_array(product_uid, entity_uid, product_id, product_name, url, recommended_price,
    size_milli, size_unit, pack_count, likely_uid, likely_probability)::VARCHAR`
