import { listingsByKey, listingsOf, type SearchIndex, wordsFrom } from './search-index.ts'
import { titleKey } from './search-keys.ts'
import { holds, intersection, type Postings, union } from './search-postings.ts'
import { typosOf } from './search-typo.ts'
import { MOST_TERMS, type SearchWord, searchWords, termsFrom } from './search-words.ts'
import { singular } from './text.ts'

/** What a text finds: listings by number, best first, and the trailing terms that had to be left out. */
export type Found = {
  listings: readonly number[]
  /** How many of them, the first, have just the text as their name. */
  named: number
  dropped_terms: string[] | null
}

/** Which listings may be found, such as those of one retailer; null for all. */
export type Accepts = ((listing: number) => boolean) | null

/** Whether a listing stands where the text says, such as on the shelf it names. */
export type Suits = (listing: number) => boolean

/** Words that are read, results that are ranked, results that are given, endings that are tried of one word. */
const MOST_WORDS = 32
const MOST_RANKED = 10_000
const MOST_FOUND = 200
const MOST_ENDINGS = 64
const LEAST_PREFIX = 3
const LEAST_FOR_FIRST = 6

/** The listings a word may mean: those that have it, and where it may be nearly right those that have its neighbours. */
type Reading = { exact: Postings; all: Postings }

/** Reads one of the words asked for. */
type Read = (index: SearchIndex, words: readonly SearchWord[], at: number) => Reading

const asWritten: Read = (index, words, at) => {
  const exact = listingsOf(index, words[at]!.word)
  return { exact, all: exact }
}

/** What a word may be meant for: itself in one word with a neighbour, or without a typing error. */
const meantBy = (words: readonly SearchWord[], at: number): string[] => {
  const { typed } = words[at]!
  // A short word that stands alone keeps its first letter: who asks for Nike wants no bike.
  const isShort = words.length === 1 && typed.length < LEAST_FOR_FIRST
  const joined = [(words[at - 1]?.typed ?? '') + typed, typed + (words[at + 1]?.typed ?? '')]
  return [...joined, ...typosOf(typed, isShort ? 1 : 0)].map(singular)
}

/**
 * The listings that nearly have a word: as written, in one word with its neighbour, with a typing error, or, where it is
 * the last word or unknown, as the beginning of a word. What ten thousand listings have is meant as it is written.
 */
const nearly: Read = (index, words, at) => {
  const { word } = words[at]!
  const exact = listingsOf(index, word)
  if (exact.length >= MOST_RANKED) return { exact, all: exact }
  const mayGoOn = word.length >= LEAST_PREFIX && (exact.length === 0 || at === words.length - 1)
  const near = new Set([word, ...meantBy(words, at), ...(mayGoOn ? wordsFrom(index, word, MOST_ENDINGS) : [])])
  const lists = [...near].map((other) => listingsOf(index, other)).filter((list) => list.length > 0)
  return { exact, all: lists.length === 0 ? exact : union(lists, index.places.row.length) }
}

/** Nearly where no listing has the word. */
const nearlyIfUnknown: Read = (index, words, at) =>
  listingsOf(index, words[at]!.word).length > 0 ? asWritten(index, words, at) : nearly(index, words, at)

const inAll = (readings: readonly Reading[], accepts: Accepts): Postings => {
  const [rarest = new Int32Array(), ...others] = readings.map(({ all }) => all).sort((a, b) => a.length - b.length)
  let common = accepts ? rarest.filter(accepts) : rarest
  for (const list of others) common = intersection(common, list)
  return common
}

/** Above every listing's number. */
const NUMBERS = 2 ** 31
const SHARES = 4

/**
 * Sorts by match quality: more of the words as written, then products before accessories, then those on a shelf that the
 * text names, then the share of the name's words that were asked for, in quarters. Equals stay in the order of their numbers, best known first.
 */
const rank = (index: SearchIndex, found: Postings, readings: readonly Reading[], suits: Suits): number[] => {
  const { listings, places } = index
  const isAccessory = (listing: number) => Number(listings.accessory_depth[places.row[listing]!]! > 0)
  const uncertain = readings.filter(({ exact, all }) => exact !== all)
  const faults = (listing: number): number => {
    const inexact = uncertain.filter(({ exact }) => !holds(exact, listing)).length
    const share = Math.min(1, readings.length / places.word_count[listing]!)
    const unlike = inexact * 4 + isAccessory(listing) * 2 + Number(!suits(listing))
    return unlike * (SHARES + 1) + SHARES - Math.floor(share * SHARES)
  }
  const ranked = Float64Array.from(found.subarray(0, MOST_RANKED), (listing) => faults(listing) * NUMBERS + listing)
  return Array.from(ranked.sort().subarray(0, MOST_FOUND), (place) => place % NUMBERS)
}

/** The greatest of the counts whose readings some listing has in common; more words never find more. */
const mostFound = (readings: readonly Reading[], counts: readonly number[], accepts: Accepts): number => {
  let [found, rest] = [0, counts.length]
  while (found < rest) {
    const middle = (found + rest + 1) >>> 1
    if (inAll(readings.slice(0, counts[middle - 1]), accepts).length > 0) found = middle
    else rest = middle - 1
  }
  return counts[found - 1] ?? 0
}

/** How many words there are up to the end of each term. */
const countsByTerm = (words: readonly SearchWord[]): number[] =>
  words.flatMap(({ term }, at) => (term === words[at + 1]?.term ? [] : [at + 1]))

/**
 * Finds the listings that have all words of a text: as written, those of just that name first; else nearly those words,
 * the unknown ones before the others; else without the last terms, as few as possible. Bounded work for any text, and the
 * same text always finds the same.
 */
export const search = (index: SearchIndex, text: string, accepts: Accepts, suits: Suits = () => true): Found => {
  const asked = searchWords(text)
  const words = asked.words.slice(0, MOST_WORDS)
  const named = listingsByKey(index, titleKey(asked.title))
  const sameName = [...(accepts ? named.filter(accepts) : named).subarray(0, MOST_FOUND)]
  const droppedAfter = (count: number) => termsFrom(text, asked.words[count]?.term ?? MOST_TERMS)

  let readings: Reading[] = []
  for (const read of [asWritten, nearlyIfUnknown, nearly]) {
    readings = words.map((_, at) => read(index, words, at))
    const found = rank(index, inAll(readings, accepts), readings, suits)
    if (found.length === 0) continue
    const listings = [...new Set([...sameName, ...found])].slice(0, MOST_FOUND)
    return { listings, named: sameName.length, dropped_terms: sameName.length > 0 ? null : droppedAfter(words.length) }
  }
  const count = mostFound(readings, countsByTerm(words), accepts)
  const kept = readings.slice(0, count)
  return { listings: rank(index, inAll(kept, accepts), kept, suits), named: 0, dropped_terms: droppedAfter(count) }
}
