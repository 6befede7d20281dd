import type { IndexFile } from './files/index-file.ts'
import type { PLACES, TEXTS } from './files/tables.ts'
import { type Listing, type ListingTable, listingFrom, listingTexts } from './listings.ts'
import { type ListFiles, openSearchLists, type SearchLists } from './lists.ts'
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

/** The files of the search index of a country. */
export type SearchFiles = ListFiles & {
  places: IndexFile<typeof PLACES.layout>
  texts: IndexFile<typeof TEXTS.layout>
}

const inverse = (rows: Int32Array): Int32Array<ArrayBuffer> => {
  const numbers = new Int32Array(rows.length)
  for (let number = 0; number < rows.length; number += 1) numbers[rows[number]!] = number
  return numbers
}

/** Estimated memory of an index, in bytes per listing; long names and many barcodes take more. */
export const INDEX_BYTES = 130

/** Opens a country's index. Unless it is to be in memory, all but the columns by number are read from files when they are needed. */
export const openSearchIndex = async (
  files: SearchFiles,
  { table, brandsById }: { table: ListingTable; brandsById: ReadonlyMap<number, { brand: string }> },
  isInMemory: boolean,
): Promise<SearchIndex> => {
  const lists = await openSearchLists(files, isInMemory)
  const columns = await files.places.columns()
  const places = { ...columns, number: inverse(columns.row) }
  if (isInMemory) await files.texts.load()
  const texts = listingTexts(files.texts)
  const listingAt = (row: number) => listingFrom(table.at(row), texts.at(row), brandsById)
  const listing = (number: number) => listingAt(places.row[number]!)
  return { ...lists, places, table, vocabulary: vocabularyOf(lists.withWord), listing, listingAt }
}
