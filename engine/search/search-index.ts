import {
  type Listing,
  type ListingSource,
  type Listings,
  listingAt,
  loadListingTexts,
  type Reader,
} from '../catalog/listings.ts'
import { lowerBound } from '../catalog/lower-bound.ts'
import { collectHeadNouns } from './head-nouns.ts'
import { keyNumber } from './keys.ts'
import type { Postings } from './postings.ts'

/** Finds the listings of one country by word, name, barcode, URL and id. Listings are numbered from 0, most popular first. */
export type SearchIndex = {
  /** Sorted. */
  words: readonly string[]
  /** Where the listings of each word begin in `postings`; the last entry is the length of `postings`. */
  starts: Postings
  /** The listings of each word in turn, ascending. */
  postings: Postings
  /** Hashes of keys (keys.ts), sorted; `keyed` is parallel to them: a listing with that key, ascending for equal keys. */
  keys: BigUint64Array
  keyed: Postings
  places: SearchPlaces
  /** The columns of the listings, by row. */
  listings: Listings
  /** Words that name products by themselves (head-nouns.ts). */
  headNouns: ReadonlySet<string>
  /** A listing by its number. */
  listing(number: number): Listing
  /** A listing by its row. */
  listingAt(row: number): Listing
}

/** Columns by the number of a listing. */
export type SearchPlaces = {
  /** Its row in `listings`. */
  row: Int32Array
  /** How many significant words its name has. */
  word_count: Uint16Array
}

// Each in the order of its file, which is sorted.
const WORDS = 'SELECT word, listing_count FROM search_word WHERE country = $country::VARCHAR'
const POSTINGS = 'SELECT place FROM search_posting WHERE country = $country::VARCHAR'
const KEYS = 'SELECT key, place FROM search_key WHERE country = $country::VARCHAR'
// Row numbers run across countries in the file.
const PLACES = `SELECT (row - (SELECT min(row) FROM search_listing WHERE country = $country::VARCHAR))::INTEGER AS row,
    least(word_count, 65535)::USMALLINT AS word_count
  FROM search_listing WHERE country = $country::VARCHAR`

type WordColumns = { word: string[]; listing_count: Int32Array }

const startsOf = (counts: Int32Array): Postings => {
  const starts = new Int32Array(counts.length + 1)
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = starts[at]! + counts[at]!
  return starts
}

/** Estimated memory of an index, in bytes per listing; long names and many barcodes take more. */
export const INDEX_BYTES = 100

/** Reads a country's index into memory. */
export const loadSearchIndex = async (
  reader: Reader,
  country: string,
  { listings, brandsById }: Omit<ListingSource, 'texts'>,
): Promise<SearchIndex> => {
  const { word: words, listing_count } = (await reader.columns(WORDS, { country })) as WordColumns
  const { place: postings } = (await reader.columns(POSTINGS, { country })) as { place: Postings }
  const { key: keys, place: keyed } = (await reader.columns(KEYS, { country })) as {
    key: BigUint64Array
    place: Postings
  }
  const places = (await reader.columns(PLACES, { country })) as SearchPlaces
  const texts = await loadListingTexts(reader, country)
  const atRow = (row: number) => listingAt({ listings, texts, brandsById }, row)
  const listing = (number: number) => atRow(places.row[number]!)
  return {
    words,
    starts: startsOf(listing_count),
    postings,
    keys,
    keyed,
    places,
    listings,
    headNouns: await collectHeadNouns(listing, places.row.length),
    listing,
    listingAt: atRow,
  }
}

/** Whether a word sorts before another in the file: by code point, whereas `<` compares UTF-16 code units. */
const sortsBefore = (word: string, other: string): boolean => {
  let at = 0
  while (at < word.length && word[at] === other[at]) at += 1
  return at < other.length && (word.codePointAt(at) ?? -1) < other.codePointAt(at)!
}

/** The index of the first word that does not sort before another. */
const wordLowerBound = (words: readonly string[], other: string): number => {
  let [from, to] = [0, words.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sortsBefore(words[middle]!, other)) from = middle + 1
    else to = middle
  }
  return from
}

/** The listings with a word; none for an unknown word. */
export const listingsOf = ({ words, starts, postings }: SearchIndex, word: string): Postings => {
  const number = wordLowerBound(words, word)
  return words[number] === word ? postings.subarray(starts[number], starts[number + 1]) : new Int32Array()
}

/** The listings with a key, most popular first. */
export const listingsByKey = ({ keys, keyed }: SearchIndex, key: string): Postings => {
  const number = keyNumber(key)
  return keyed.subarray(lowerBound(keys, number), lowerBound(keys, number + 1n))
}

/** At most `max_count` words that begin with a prefix, sorted. */
export const wordsFrom = ({ words }: SearchIndex, prefix: string, max_count: number): string[] => {
  const first = wordLowerBound(words, prefix)
  const found = words.slice(first, first + max_count)
  return found.filter((word) => word.startsWith(prefix))
}
