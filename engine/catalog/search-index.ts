import { type KnownListing, knownListing, knownListingSql } from './known-listing.ts'
import { keyNumber } from './search-keys.ts'
import { firstFrom, type Postings } from './search-postings.ts'
import type { Texts } from './texts.ts'
import { readThings } from './things.ts'

/** What the words, names, barcodes, addresses and ids of one country lead to: its listings, numbered from 0, best known first. */
export type SearchIndex = {
  /** Sorted. */
  words: readonly string[]
  wordNumbers: ReadonlyMap<string, number>
  /** Where each word's listings begin among `postings`, and at the end how many there are. */
  starts: Postings
  /** By word, ascending within each. */
  postings: Postings
  /** Sorted numbers of keys (search-keys.ts), and beside each a listing that has it, ascending for equal keys. */
  keys: BigUint64Array
  keyed: Postings
  listings: SearchListings
  /** The words that are things of their own (things.ts). */
  things: ReadonlySet<string>
  /** What is known of a listing, by its number. */
  known(listing: number): KnownListing
  /** The same by its row among the country's listings, in the order of their files. */
  knownAt(row: number): KnownListing
}

/** By a listing's number. */
export type SearchListings = {
  listing_id: Int32Array
  category_id: Int32Array
  /** Its place among all listings, in the order of their files. */
  row: Int32Array
  retailer_id: Int32Array
  /** 0 without an entity. */
  entity_key: BigUint64Array
  /** How many words asking for its whole name asks for. */
  word_count: Int32Array
  /** 1 on shelves of accessories and parts. */
  accessory: Int32Array
}

/** Reads a statement's columns, each in the order of its rows: numbers as typed arrays, texts as lists; or its texts. */
export type Reader = {
  columns(sql: string, bindings: { country: string }): Promise<Readonly<Record<string, unknown>>>
  texts(sql: string, bindings: { country: string }): Promise<Texts>
}

// Each in the order of its file.
const WORDS = 'SELECT word, listing_count FROM search_word WHERE country = $country::VARCHAR'
const POSTINGS = 'SELECT place FROM search_posting WHERE country = $country::VARCHAR'
const KEYS = 'SELECT key, place FROM search_key WHERE country = $country::VARCHAR'
const LISTINGS = `SELECT listing_id, category_id, row, retailer_id, entity_key, word_count, accessory
  FROM search_listing WHERE country = $country::VARCHAR`

type WordColumns = { word: string[]; listing_count: Int32Array }

const startsOf = (counts: Int32Array): Postings => {
  const starts = new Int32Array(counts.length + 1)
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = starts[at]! + counts[at]!
  return starts
}

/** Reads a country's index into memory: about 200 bytes a listing, and as many of what is known of it. */
export const loadSearchIndex = async (reader: Reader, country: string): Promise<SearchIndex> => {
  const { word: words, listing_count } = (await reader.columns(WORDS, { country })) as WordColumns
  const { place: postings } = (await reader.columns(POSTINGS, { country })) as { place: Postings }
  const { key: keys, place: keyed } = (await reader.columns(KEYS, { country })) as {
    key: BigUint64Array
    place: Postings
  }
  const listings = (await reader.columns(LISTINGS, { country })) as SearchListings
  const texts = await reader.texts(knownListingSql, { country })
  // Rows go on from country to country.
  const firstRow = listings.row.reduce((first, row) => Math.min(first, row), Number.POSITIVE_INFINITY)
  const knownAt = (row: number) => knownListing(texts, row)
  const known = (listing: number) => knownAt(listings.row[listing]! - firstRow)
  return {
    words,
    wordNumbers: new Map(words.map((word, at) => [word, at])),
    starts: startsOf(listing_count),
    postings,
    keys,
    keyed,
    listings,
    things: await readThings(known, listings.listing_id.length),
    known,
    knownAt,
  }
}

/** The listings whose words have this one; none for an unknown word. */
export const listingsOf = ({ wordNumbers, starts, postings }: SearchIndex, word: string): Postings => {
  const number = wordNumbers.get(word)
  return number === undefined ? new Int32Array() : postings.subarray(starts[number], starts[number + 1])
}

/** The listings found by a whole key, best known first. */
export const listingsByKey = (index: SearchIndex, key: string): Postings => listingsByNumber(index, keyNumber(key))

/** As `listingsByKey`, by the key's number. */
export const listingsByNumber = ({ keys, keyed }: SearchIndex, number: bigint): Postings =>
  keyed.subarray(firstFrom(keys, number), firstFrom(keys, number + 1n))

/** The words that begin with a prefix, in their order. */
export const wordsFrom = ({ words }: SearchIndex, prefix: string, most: number): string[] => {
  const first = firstFrom(words, prefix)
  const found = words.slice(first, first + most)
  return found.filter((word) => word.startsWith(prefix))
}
