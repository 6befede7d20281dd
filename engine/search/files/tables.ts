import { CURRENT_LAYOUT, LISTING_LAYOUT } from '../listing-columns.ts'
import { BYTES, type IndexTable, TEXT } from './layout.ts'

const tableOf = <L extends IndexTable['layout']>(rows_per_batch: number | null, layout: L): IndexTable<L> => ({
  layout,
  rows_per_batch,
})

/** The columns of listings in few rows a batch, since most of them are read one by one. */
export const LISTINGS = tableOf(128, LISTING_LAYOUT)
/** What is only shown of a listing: about 6 KB a batch. */
export const TEXTS = tableOf(32, { texts: TEXT })
/** The listings that may be deals, which are read in turn. */
export const DEALS = tableOf(2048, CURRENT_LAYOUT)
/** The listings, most popular first: the row of each, and how many significant words its name has. */
export const PLACES = tableOf(65_536, { row: Int32Array, word_count: Uint16Array })
/** The words, sorted, and which postings are those of each. */
export const WORDS = tableOf(256, { first_posting: Uint32Array, listing_count: Int32Array, word: TEXT })
/** The places of the listings of each word in turn, ascending. */
export const POSTINGS = tableOf(2048, { place: Int32Array })
/** Hashes of keys, sorted, with the place of a listing that has it; ascending for equal keys. */
export const KEYS = tableOf(512, { key: BigUint64Array, place: Int32Array })
/** A batch a month: the listing-month of each listing, in the order of listings; a price of 0 is none. */
export const MONTHS = tableOf(null, { price: Int32Array, observation_count: Uint8Array, flags: Uint8Array })

/** The listings observed in a year, by listing_id, with their days as `engine/catalog/packed-days.ts` packs them. */
export const HISTORIES = tableOf(1024, { listing_id: Int32Array, days: BYTES })

/** The tables of the index, by their names in a snapshot. */
export const INDEX_TABLES = {
  listing_columns: LISTINGS,
  listing_texts: TEXTS,
  listing_deals: DEALS,
  search_places: PLACES,
  search_words: WORDS,
  search_postings: POSTINGS,
  search_keys: KEYS,
  month_columns: MONTHS,
  listing_histories: HISTORIES,
} as const
export type IndexTableName = keyof typeof INDEX_TABLES

/** The path of a country's file in a snapshot, of a year where the table has a file for each. */
export const indexPath = (table: IndexTableName, country: string, year?: string): string =>
  `${table}/country=${country}/${year === undefined ? '' : `year=${year}/`}part-0.arrow`

/** The metadata of the months' file that has the number of the first one, counted from January 1970. */
export const FIRST_MONTH = 'first_month'
