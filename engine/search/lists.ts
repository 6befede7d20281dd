import { keyNumber } from './keys.ts'
import type { Reader } from './listings.ts'
import { lowerBound } from './lower-bound.ts'
import { type ListingNumbers, NO_POSTINGS, type Postings, postingsOf } from './postings.ts'
import { wordLowerBound } from './word-order.ts'

/** What finds the listings of a country by word and by key, in memory or in temporary files (stored-lists.ts). */
export type SearchLists = {
  /** The listings with a word; none for an unknown word. */
  withWord(word: string): Postings
  /** The listings with a key (keys.ts), most popular first. */
  withKey(key: string): Postings
  /** At most `max_count` words that begin with a prefix, sorted. */
  wordsFrom(prefix: string, max_count: number): string[]
}

// Each in the order of its file, which is sorted.
export const WORDS = 'SELECT word, listing_count FROM search_word WHERE country = $country::VARCHAR'
/** The listings of each word in turn, ascending. */
export const POSTINGS = 'SELECT place FROM search_posting WHERE country = $country::VARCHAR'
/** Hashes of keys, sorted, with a listing that has it; ascending for equal keys. */
export const KEYS = 'SELECT key, place FROM search_key WHERE country = $country::VARCHAR'

type WordColumns = { word: string[]; listing_count: Int32Array }
type KeyColumns = { key: BigUint64Array; place: ListingNumbers }

/** Where the listings of each word begin; the last entry is the end of the last word's. */
const startsOf = (counts: Int32Array): Float64Array => {
  const starts = new Float64Array(counts.length + 1)
  for (let index = 0; index < counts.length; index += 1) starts[index + 1] = starts[index]! + counts[index]!
  return starts
}

/** Reads what finds a country's listings into memory. */
export const loadSearchLists = async (reader: Reader, country: string): Promise<SearchLists> => {
  const { word: words, listing_count } = (await reader.columns(WORDS, { country })) as WordColumns
  const { place: postings } = (await reader.longColumns(POSTINGS, { country })) as KeyColumns
  const { key: keys, place: keyed } = (await reader.longColumns(KEYS, { country })) as KeyColumns
  const starts = startsOf(listing_count)
  return {
    withWord(word) {
      const number = wordLowerBound(words, word)
      return words[number] === word ? postingsOf(postings.subarray(starts[number], starts[number + 1])) : NO_POSTINGS
    },
    withKey(key) {
      const number = keyNumber(key)
      return postingsOf(keyed.subarray(lowerBound(keys, number), lowerBound(keys, number + 1n)))
    },
    wordsFrom(prefix, max_count) {
      const first = wordLowerBound(words, prefix)
      return words.slice(first, first + max_count).filter((word) => word.startsWith(prefix))
    },
  }
}
