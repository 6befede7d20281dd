import { keyNumber } from './keys.ts'
import type { Reader } from './listings.ts'
import { KEYS, POSTINGS, type SearchLists } from './lists.ts'
import { lowerBound } from './lower-bound.ts'
import { type ListingNumbers, NO_POSTINGS, type Postings } from './postings.ts'
import { storeWords } from './stored-words.ts'
import type { BlockFile } from './temporary/block-file.ts'
import { columnsIn, createBatches } from './temporary/columns.ts'
import { createGrowing } from './temporary/growing.ts'
import type { TemporaryFiles } from './temporary/temporary-files.ts'

const POSTINGS_PER_BLOCK = 2048
const KEYS_PER_BLOCK = 512

const POSTING_LAYOUT = { place: Int32Array }
const KEY_LAYOUT = { key: BigUint64Array, place: Int32Array }

/** Lists one after the other in a file, in blocks of equal length, and the first listing in each block. */
type StoredLists = {
  file: BlockFile<{ place: ListingNumbers }>
  per_block: number
  first_places: ListingNumbers
}

/** The list at the positions [begin, end); blocks that a search skips are not read. */
const postingsAt = ({ file, per_block, first_places }: StoredLists, begin: number, end: number): Postings => {
  if (begin >= end) return NO_POSTINGS
  const first = Math.floor(begin / per_block)
  const last = Math.floor((end - 1) / per_block)
  const inBlock = (block: number, least: number): ListingNumbers => {
    const { place } = file.get(block)
    const low = Math.max(0, begin - block * per_block)
    const high = Math.min(place.length, end - block * per_block)
    return place.subarray(lowerBound(place, least, low, high), high)
  }
  const from = (least: number): ListingNumbers => {
    // Blocks after the first begin with a listing of the list, so that only one of them can have the next.
    const block = lowerBound(first_places, least + 1, first + 1, last + 1) - 1
    const numbers = inBlock(block, least)
    return numbers.length > 0 || block === last ? numbers : inBlock(block + 1, least)
  }
  return { length: end - begin, from, has: (number) => from(number)[0] === number }
}

const storePostings = async (reader: Reader, country: string, temporary: TemporaryFiles): Promise<StoredLists> => {
  const first_places = createGrowing((length) => new Int32Array(length))
  const file = await temporary.make(async (writer) => {
    const batches = createBatches(POSTING_LAYOUT, POSTINGS_PER_BLOCK, (block, { place }) => {
      first_places.push(place[0]!)
      return writer.append(block)
    })
    await reader.each(POSTINGS, { country }, (columns, rows) => batches.add(columns as { place: ListingNumbers }, rows))
    await batches.end()
  }, columnsIn(POSTING_LAYOUT))
  return { file, per_block: POSTINGS_PER_BLOCK, first_places: first_places.end() }
}

const storeKeys = async (reader: Reader, country: string, temporary: TemporaryFiles) => {
  const first_places = createGrowing((length) => new Int32Array(length))
  const first_keys = createGrowing((length) => new BigUint64Array(length))
  type Keys = { key: BigUint64Array<ArrayBuffer>; place: ListingNumbers }
  const file = await temporary.make(async (writer) => {
    const batches = createBatches(KEY_LAYOUT, KEYS_PER_BLOCK, (block, { key, place }) => {
      first_keys.push(key[0]!)
      first_places.push(place[0]!)
      return writer.append(block)
    })
    await reader.each(KEYS, { country }, (columns, rows) => batches.add(columns as Keys, rows))
    await batches.end()
  }, columnsIn(KEY_LAYOUT))
  const keys = first_keys.end()
  /** The position of the first key that is at least `number`. */
  const positionOf = (number: bigint): number => {
    const block = lowerBound(keys, number) - 1
    return block < 0 ? 0 : block * KEYS_PER_BLOCK + lowerBound(file.get(block).key, number)
  }
  const lists = { file, per_block: KEYS_PER_BLOCK, first_places: first_places.end() }
  return (number: bigint): Postings => postingsAt(lists, positionOf(number), positionOf(number + 1n))
}

/** Writes what finds a country's listings to temporary files. */
export const storeSearchLists = async (
  reader: Reader,
  country: string,
  temporary: TemporaryFiles,
): Promise<SearchLists> => {
  const words = await storeWords(reader, country, temporary)
  const postings = await storePostings(reader, country, temporary)
  const withKey = await storeKeys(reader, country, temporary)
  return {
    withWord(word) {
      const range = words.find(word)
      return range ? postingsAt(postings, range.begin, range.end) : NO_POSTINGS
    },
    withKey: (key) => withKey(keyNumber(key)),
    wordsFrom: words.from,
  }
}
