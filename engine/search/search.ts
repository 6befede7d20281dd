import { singular } from '../contract/text.ts'
import { titleKey } from './keys.ts'
import {
  type Accepts,
  includes,
  intersection,
  type ListingNumbers,
  numbersIn,
  type Postings,
  union,
} from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import { typosOf } from './typos.ts'
import { MAX_TERMS, type SearchWord, searchWords, termsFrom } from './words.ts'

/** Listings by number, best first, and the trailing terms that were dropped to find them. */
export type SearchResult = {
  listings: readonly number[]
  /** How many of them have exactly the text as their name; these come first. */
  exact_count: number
  dropped_terms: string[] | null
}

/** Which listings may be found, such as those of one retailer; null for all. */
export type Filter = Accepts

/** Whether a listing ranks higher, such as for being on a shelf that the text names. */
export type Prefers = (listing: number) => boolean

/** Bounds of the work: words searched for, results ranked, results returned, completions tried for a word. */
const MAX_WORDS = 32
const MAX_RANKED = 10_000
const MAX_FOUND = 200
const MAX_COMPLETIONS = 64
/** Shorter words are not completed. */
const MIN_PREFIX = 3
/** A single word shorter than this is assumed to have its first letter right. */
const MIN_FIRST_LETTER_TYPO = 6

/** The listings that match a word: exactly, and in all, fuzzy matches included. */
type WordMatch = { exact: Postings; all: Postings }

/** Finds the listings that match the word at a position. */
type Matcher = (index: SearchIndex, words: readonly SearchWord[], position: number) => WordMatch

const matchExactly: Matcher = (index, words, position) => {
  const exact = index.withWord(words[position]!.word)
  return { exact, all: exact }
}

/** What a word may be intended as: joined to the word before or after it, or with a typing error corrected. */
const correctionsOf = (words: readonly SearchWord[], position: number): string[] => {
  const { typed } = words[position]!
  // A short single word keeps its first letter: a search for Nike must not find bikes.
  const isShort = words.length === 1 && typed.length < MIN_FIRST_LETTER_TYPO
  const joined = [(words[position - 1]?.typed ?? '') + typed, typed + (words[position + 1]?.typed ?? '')]
  return [...joined, ...typosOf(typed, isShort ? 1 : 0)].map(singular)
}

/**
 * Matches a word as written, joined to a neighbour, with a typing error or, where it is the last word or unknown, as a
 * prefix. A word that ten thousand listings have is assumed to be spelled correctly.
 */
const matchFuzzily: Matcher = (index, words, position) => {
  const { word } = words[position]!
  const exact = index.withWord(word)
  if (exact.length >= MAX_RANKED) return { exact, all: exact }
  const isPrefix = word.length >= MIN_PREFIX && (exact.length === 0 || position === words.length - 1)
  const near = new Set([
    word,
    ...correctionsOf(words, position),
    ...(isPrefix ? index.wordsFrom(word, MAX_COMPLETIONS) : []),
  ])
  const lists = [...near].map((other) => index.withWord(other)).filter((list) => list.length > 0)
  return { exact, all: lists.length === 0 ? exact : union(lists) }
}

/** Matches fuzzily only a word that no listing has. */
const matchFuzzilyIfUnknown: Matcher = (index, words, position) =>
  index.withWord(words[position]!.word).length > 0
    ? matchExactly(index, words, position)
    : matchFuzzily(index, words, position)

/** The first listings, most popular first, that match all words: as many as are ranked. */
const listingsMatchingAll = (matches: readonly WordMatch[], filter: Filter, limit = MAX_RANKED): ListingNumbers =>
  intersection(
    matches.map(({ all }) => all),
    filter,
    limit,
  )

/** Above every listing's number, so that a penalty and a number are sorted as one number. */
const NUMBERS = 2 ** 31
const SHARE_STEPS = 4

/**
 * Sorts by match quality: fewer fuzzy matches, then products before accessories, then preferred listings, then the share
 * of the name's words that the query has, in quarters. Ties are in the order of numbers, most popular first.
 */
const rank = (
  { table, places }: SearchIndex,
  listings: ListingNumbers,
  matches: readonly WordMatch[],
  prefers: Prefers,
): number[] => {
  const isAccessory = (listing: number) => Number(table.columns.accessory_depth[places.row[listing]!]! > 0)
  // Fewer than MAX_RANKED each: words that more listings have are not matched fuzzily.
  const uncertain = matches.flatMap(({ exact, all }) => (exact === all ? [] : [numbersIn(exact)]))
  const penaltyOf = (listing: number): number => {
    const inexact = uncertain.filter((exact) => !includes(exact, listing)).length
    const share = Math.min(1, matches.length / places.word_count[listing]!)
    const penalty = inexact * 4 + isAccessory(listing) * 2 + Number(!prefers(listing))
    return penalty * (SHARE_STEPS + 1) + SHARE_STEPS - Math.floor(share * SHARE_STEPS)
  }
  const ranked = Float64Array.from(listings, (listing) => penaltyOf(listing) * NUMBERS + listing)
  return Array.from(ranked.sort().subarray(0, MAX_FOUND), (place) => place % NUMBERS)
}

/** The largest count of leading words that some listing matches, by binary search: more words never match more. */
const maxMatchableCount = (matches: readonly WordMatch[], counts: readonly number[], filter: Filter): number => {
  let [low, high] = [0, counts.length]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (listingsMatchingAll(matches.slice(0, counts[middle - 1]), filter, 1).length > 0) low = middle
    else high = middle - 1
  }
  return counts[low - 1] ?? 0
}

/** How many words there are up to the end of each term. */
const countsByTerm = (words: readonly SearchWord[]): number[] =>
  words.flatMap(({ term }, index) => (term === words[index + 1]?.term ? [] : [index + 1]))

/**
 * Finds the listings with all words of a text, those with exactly that name first. Without any, matches unknown words
 * fuzzily, then all words, then drops as few trailing terms as possible. Deterministic, and bounded for any text.
 */
export const search = (
  index: SearchIndex,
  text: string,
  filter: Filter,
  prefers: Prefers = () => true,
): SearchResult => {
  const parsed = searchWords(text)
  const words = parsed.words.slice(0, MAX_WORDS)
  const sameName = [...intersection([index.withKey(titleKey(parsed.title))], filter, MAX_FOUND)]
  const droppedAfter = (count: number) => termsFrom(text, parsed.words[count]?.term ?? MAX_TERMS)

  let matches: WordMatch[] = []
  for (const match of [matchExactly, matchFuzzilyIfUnknown, matchFuzzily]) {
    matches = words.map((_, position) => match(index, words, position))
    const ranked = rank(index, listingsMatchingAll(matches, filter), matches, prefers)
    if (ranked.length === 0) continue
    const listings = [...new Set([...sameName, ...ranked])].slice(0, MAX_FOUND)
    return {
      listings,
      exact_count: sameName.length,
      dropped_terms: sameName.length > 0 ? null : droppedAfter(words.length),
    }
  }
  const count = maxMatchableCount(matches, countsByTerm(words), filter)
  const kept = matches.slice(0, count)
  return {
    listings: rank(index, listingsMatchingAll(kept, filter), kept, prefers),
    exact_count: 0,
    dropped_terms: droppedAfter(count),
  }
}
