import {
  type Listing,
  type ListingSource,
  type Listings,
  listingAt,
  loadListingTexts,
  type Reader,
} from './listings.ts'
import { keyNumber } from './search-keys.ts'
import { firstFrom, type Postings } from './search-postings.ts'
import { readThings } from './things.ts'

/** What the words, names, barcodes, addresses and ids of one country lead to: its listings, numbered from 0, best known first. */
export type SearchIndex = {
  /** Sorted. */
  words: readonly string[]
  /** Where each word's listings begin among `postings`, and at the end how many there are. */
  starts: Postings
  /** By word, ascending within each. */
  postings: Postings
  /** Sorted numbers of keys (search-keys.ts), and beside each a listing that has it, ascending for equal keys. */
  keys: BigUint64Array
  keyed: Postings
  places: SearchPlaces
  /** The columns of the listings, by row. */
  listings: Listings
  /** The words that are things of their own (things.ts). */
  things: ReadonlySet<string>
  /** A listing by its number. */
  listing(number: number): Listing
  /** The same by its row. */
  listingAt(row: number): Listing
}

/** By a listing's number. */
export type SearchPlaces = {
  /** Its row among the country's listings, in the order of their files. */
  row: Int32Array
  /** How many words asking for its whole name asks for. */
  word_count: Uint16Array
}

// Each in the order of its file.
const WORDS = 'SELECT word, listing_count FROM search_word WHERE country = $country::VARCHAR'
const POSTINGS = 'SELECT place FROM search_posting WHERE country = $country::VARCHAR'
const KEYS = 'SELECT key, place FROM search_key WHERE country = $country::VARCHAR'
// In the file rows go on from country to country.
const PLACES = `SELECT (row - (SELECT min(row) FROM search_listing WHERE country = $country::VARCHAR))::INTEGER AS row,
    least(word_count, 65535)::USMALLINT AS word_count
  FROM search_listing WHERE country = $country::VARCHAR`

type WordColumns = { word: string[]; listing_count: Int32Array }

const startsOf = (counts: Int32Array): Postings => {
  const starts = new Int32Array(counts.length + 1)
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = starts[at]! + counts[at]!
  return starts
}

/** Memory of an index, in bytes a listing; names of many words and barcodes take more. */
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
    things: await readThings(listing, places.row.length),
    listing,
    listingAt: atRow,
  }
}

/** Whether a word comes before another in the order of the file: by code points, where `<` compares UTF-16 units. */
const isBefore = (word: string, other: string): boolean => {
  let at = 0
  while (at < word.length && word[at] === other[at]) at += 1
  return at < other.length && (word.codePointAt(at) ?? -1) < other.codePointAt(at)!
}

/** The number of the first word that is not before another. */
const firstWordFrom = (words: readonly string[], other: string): number => {
  let [from, to] = [0, words.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(words[middle]!, other)) from = middle + 1
    else to = middle
  }
  return from
}

/** The listings whose words have this one; none for an unknown word. */
export const listingsOf = ({ words, starts, postings }: SearchIndex, word: string): Postings => {
  const number = firstWordFrom(words, word)
  return words[number] === word ? postings.subarray(starts[number], starts[number + 1]) : new Int32Array()
}

/** The listings found by a whole key, best known first. */
export const listingsByKey = ({ keys, keyed }: SearchIndex, key: string): Postings => {
  const number = keyNumber(key)
  return keyed.subarray(firstFrom(keys, number), firstFrom(keys, number + 1n))
}

/** The words that begin with a prefix, in their order. */
export const wordsFrom = ({ words }: SearchIndex, prefix: string, most: number): string[] => {
  const first = firstWordFrom(words, prefix)
  const found = words.slice(first, first + most)
  return found.filter((word) => word.startsWith(prefix))
}
