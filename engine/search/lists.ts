import type { IndexFile } from './files/index-file.ts'
import type { KEYS, POSTINGS, WORDS } from './files/tables.ts'
import { keyNumber } from './keys.ts'
import { lowerBound } from './lower-bound.ts'
import { type ListingNumbers, NO_POSTINGS, type Postings, postingsOf } from './postings.ts'
import { openWords } from './word-table.ts'

/** What finds the listings of a country by word and by key, in memory or in files. */
export type SearchLists = {
  /** The listings with a word; none for an unknown word. */
  withWord(word: string): Postings
  /** The listings with a key (keys.ts), most popular first. */
  withKey(key: string): Postings
  /** At most `max_count` words that begin with a prefix, sorted. */
  wordsFrom(prefix: string, max_count: number): string[]
}

/** The files of what finds a country's listings. */
export type ListFiles = {
  words: IndexFile<typeof WORDS.layout>
  postings: IndexFile<typeof POSTINGS.layout>
  keys: IndexFile<typeof KEYS.layout>
}

/** Lists one after the other in a file, and the first listing in each batch. */
type StoredLists = { file: IndexFile<{ place: Int32ArrayConstructor }>; first_places: ListingNumbers }

/** The list at the positions [begin, end); batches that a search skips are not read. */
const postingsAt = ({ file, first_places }: StoredLists, begin: number, end: number): Postings => {
  if (begin >= end) return NO_POSTINGS
  const per_batch = file.rows_per_batch
  const first = Math.floor(begin / per_batch)
  const last = Math.floor((end - 1) / per_batch)
  const inBatch = (batch: number, least: number): ListingNumbers => {
    const { place } = file.get(batch)
    const low = Math.max(0, begin - batch * per_batch)
    const high = Math.min(place.length, end - batch * per_batch)
    return place.subarray(lowerBound(place, least, low, high), high)
  }
  const from = (least: number): ListingNumbers => {
    // Batches after the first begin with a listing of the list, so that only one of them can have the next.
    const batch = lowerBound(first_places, least + 1, first + 1, last + 1) - 1
    const numbers = inBatch(batch, least)
    return numbers.length > 0 || batch === last ? numbers : inBatch(batch + 1, least)
  }
  return { length: end - begin, from, has: (number) => from(number)[0] === number }
}

type Lists = Pick<SearchLists, 'withWord' | 'withKey'>
type Words = Awaited<ReturnType<typeof openWords>>

/** The lists, read into memory. */
const loadLists = async ({ postings, keys }: ListFiles, words: Words): Promise<Lists> => {
  const { place } = await postings.columns()
  const { key, place: keyed } = await keys.columns()
  return {
    withWord(word) {
      const range = words.find(word)
      return range ? postingsOf(place.subarray(range.begin, range.end)) : NO_POSTINGS
    },
    withKey(text) {
      const number = keyNumber(text)
      return postingsOf(keyed.subarray(lowerBound(key, number), lowerBound(key, number + 1n)))
    },
  }
}

/** The lists, read from their files when they are needed. */
const openLists = async ({ postings, keys }: ListFiles, words: Words): Promise<Lists> => {
  const stored = { file: postings, first_places: await postings.firsts('place') }
  const keyed = { file: keys, first_places: await keys.firsts('place') }
  const first_keys = await keys.firsts('key')
  /** The position of the first key that is at least `number`. */
  const positionOf = (number: bigint): number => {
    const batch = lowerBound(first_keys, number) - 1
    return batch < 0 ? 0 : batch * keys.rows_per_batch + lowerBound(keys.get(batch).key, number)
  }
  return {
    withWord(word) {
      const range = words.find(word)
      return range ? postingsAt(stored, range.begin, range.end) : NO_POSTINGS
    },
    withKey(text) {
      const number = keyNumber(text)
      return postingsAt(keyed, positionOf(number), positionOf(number + 1n))
    },
  }
}

/** Opens what finds a country's listings. */
export const openSearchLists = async (files: ListFiles, isInMemory: boolean): Promise<SearchLists> => {
  if (isInMemory) await files.words.load()
  const words = await openWords(files.words)
  const lists = await (isInMemory ? loadLists(files, words) : openLists(files, words))
  return { ...lists, wordsFrom: words.from }
}
