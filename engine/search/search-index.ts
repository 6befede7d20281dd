import { type Listing, type ListingTable, listingFrom, loadListingTexts, type Reader } from './listings.ts'
import { loadSearchLists, type SearchLists } from './lists.ts'
import { storeSearchLists } from './stored-lists.ts'
import { storeListingTexts } from './stored-texts.ts'
import type { TemporaryFiles } from './temporary/temporary-files.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** Finds the listings of one country by word, name, barcode, URL and id. Listings are numbered from 0, most popular first. */
export type SearchIndex = SearchLists & {
  places: SearchPlaces
  /** The columns of the listings, by row. */
  table: ListingTable
  /** What the words are to the names. */
  vocabulary: Vocabulary
  /** A listing by its number. */
  listing(number: number): Listing
  /** A listing by its row. */
  listingAt(row: number): Listing
}

/** Columns by the number of a listing, in memory. */
export type SearchPlaces = {
  /** Its row among the listings of the country. */
  row: Int32Array
  /** The other way round: the number of the listing in a row. */
  number: Int32Array<ArrayBuffer>
  /** How many significant words its name has. */
  word_count: Uint16Array
}

// Row numbers run across countries in the file.
const PLACES = `SELECT (row - (SELECT min(row) FROM search_listing WHERE country = $country::VARCHAR))::INTEGER AS row,
    least(word_count, 65535)::USMALLINT AS word_count
  FROM search_listing WHERE country = $country::VARCHAR`

const inverse = (rows: Int32Array): Int32Array<ArrayBuffer> => {
  const numbers = new Int32Array(rows.length)
  for (let number = 0; number < rows.length; number += 1) numbers[rows[number]!] = number
  return numbers
}

/** Estimated memory of an index, in bytes per listing; long names and many barcodes take more. */
export const INDEX_BYTES = 130

/** Reads a country's index into memory or, if `temporary` is given, all but the columns by number to temporary files. */
export const loadSearchIndex = async (
  reader: Reader,
  country: string,
  { table, brandsById }: { table: ListingTable; brandsById: ReadonlyMap<number, { brand: string }> },
  temporary: TemporaryFiles | null,
): Promise<SearchIndex> => {
  const lists = await (temporary ? storeSearchLists(reader, country, temporary) : loadSearchLists(reader, country))
  const columns = (await reader.longColumns(PLACES, { country })) as Omit<SearchPlaces, 'number'>
  const places = { ...columns, number: inverse(columns.row) }
  const texts = await (temporary ? storeListingTexts(reader, country, temporary) : loadListingTexts(reader, country))
  const listingAt = (row: number) => listingFrom(table.at(row), texts.at(row), brandsById)
  const listing = (number: number) => listingAt(places.row[number]!)
  return { ...lists, places, table, vocabulary: vocabularyOf(lists.withWord), listing, listingAt }
}
