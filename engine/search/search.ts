import { readContents } from './contents.ts'
import { titleKey } from './keys.ts'
import { isFound, type Meaning, meaningsOf, type ShelvesWith } from './meanings.ts'
import { isModifier } from './modifiers.ts'
import {
  type Accepts,
  intersection,
  type ListingNumbers,
  marksOf,
  NO_POSTINGS,
  type Postings,
  union,
} from './postings.ts'
import { withoutConnectives } from './request-text.ts'
import type { SearchIndex } from './search-index.ts'
import { isListedOn, postingsOn } from './shelf-postings.ts'
import { isSizeWord } from './units.ts'
import { type SearchWords, searchWords, termsFrom } from './words.ts'

/** Listings by number, best first, and what the words of the text mean. */
export type SearchResult = {
  listings: readonly number[]
  /** How many of them have exactly the text as their name; these come first. */
  exact_count: number
  /** The words that the listings have, in their names or those of their shelves. */
  meanings: readonly Meaning[]
  /** The words that nothing has, as they were written. */
  unknown: readonly string[]
  /** The trailing qualifiers that were dropped to find any. */
  dropped_terms: string[] | null
}

/** Which listings may be found, such as those of one retailer; null for all. */
export type Filter = Accepts

/** How a search looks up shelves. */
export type SearchShelves = {
  with: ShelvesWith
  /** Whether a listing ranks higher, such as for being on a shelf that the text names. */
  prefers(listing: number): boolean
}

/** Bounds of the work: words searched for, results ranked, results returned. */
const MAX_WORDS = 32
const MAX_RANKED = 10_000
const MAX_FOUND = 300

const NUMBER = /^\d/

/** A number of fewer digits is a model, as in `iphone 14`, and no size in millilitres. */
const NO_SIZE = /^\d{1,2}$/

/** Whether the last word may be dropped: an adjective, a measure or a size in millilitres, never a noun or a part of `s23`. */
const isQualifier = (words: readonly Meaning[]): boolean => {
  const [before, { word, term }] = [words.at(-2), words.at(-1)!]
  return isModifier(word) || (NUMBER.test(word) && !NO_SIZE.test(word) && before?.term !== term)
}

/** The listings that have a word in their names or on their shelves. */
const withMeaning = (index: SearchIndex, { titles, shelves }: Meaning): Postings => {
  const shelved = shelves.length === 0 ? NO_POSTINGS : postingsOn(index, shelves)
  if (shelved.length === 0) return titles
  return titles.length === 0 ? shelved : union([titles, shelved])
}

const hasMeaning = (index: SearchIndex, { titles, shelves }: Meaning, listing: number): boolean =>
  titles.has(listing) || isListedOn(index, shelves, listing)

/** The first listings, most popular first, that have all words: as many as are ranked. */
const listingsWithAll = (index: SearchIndex, meanings: readonly Meaning[], filter: Filter): ListingNumbers => {
  const inTitles = meanings.filter(({ shelves }) => shelves.length === 0)
  const onShelves = meanings
    .filter(({ shelves }) => shelves.length > 0)
    .map((meaning) => ({ meaning, all: inTitles.length > 0 ? NO_POSTINGS : withMeaning(index, meaning) }))
    .sort((a, b) => a.all.length - b.all.length)
  const lists = inTitles.length > 0 ? inTitles.map(({ titles }) => titles) : onShelves.slice(0, 1).map(({ all }) => all)
  const others = inTitles.length > 0 ? onShelves : onShelves.slice(1)
  const accepts: Accepts =
    others.length === 0
      ? filter
      : (listing) =>
          (filter === null || filter(listing)) && others.every(({ meaning }) => hasMeaning(index, meaning, listing))
  return intersection(lists, accepts, MAX_RANKED)
}

/** Above every listing's number, so that a penalty and a number are sorted as one number. */
const NUMBERS = 2 ** 31
const SHARE_STEPS = 4

/**
 * Sorts by match quality: fewer words in another spelling, then products before accessories, then preferred listings, then
 * names with a word of the query as their head noun, then the share of the name's words that the query has, in quarters. Ties are in the order of numbers, most popular first.
 */
const rank = (
  index: SearchIndex,
  listings: ListingNumbers,
  meanings: readonly Meaning[],
  { prefers }: SearchShelves,
): number[] => {
  const { table, places } = index
  const isAccessory = (listing: number) => Number(table.columns.accessory_depth[places.row[listing]!]! > 0)
  const shelved = meanings.filter(({ shelves }) => shelves.length > 0)
  const heads = meanings
    .flatMap(({ words }) => words.map(index.vocabulary.withHead))
    .filter((postings) => postings.length > 0)
  const respelt = meanings.filter(({ exact, titles }) => exact !== titles)
  const marks = (lists: readonly Postings[]): Uint8Array[] => lists.map((list) => marksOf(listings, list))
  const [inTitle, isExact, isHead] = [
    marks(shelved.map(({ titles }) => titles)),
    marks(respelt.map(({ exact }) => exact)),
    marks(heads),
  ]
  const lacking = (of: readonly Uint8Array[], at: number): number => of.filter((mark) => mark[at] === 0).length
  const ranked = Float64Array.from(listings, (listing, at) => {
    const share = Math.min(1, (meanings.length - lacking(inTitle, at)) / places.word_count[listing]!)
    const penalty =
      lacking(isExact, at) * 8 +
      isAccessory(listing) * 4 +
      Number(!prefers(listing)) * 2 +
      Number(isHead.every((mark) => mark[at] === 0))
    return (penalty * (SHARE_STEPS + 1) + SHARE_STEPS - Math.floor(share * SHARE_STEPS)) * NUMBERS + listing
  })
  return Array.from(ranked.sort().subarray(0, MAX_FOUND), (place) => place % NUMBERS)
}

/** The words that listings must have: all but connectives and the size, by which they are compared later, unless one has the text as its name. */
const requiredWords = (text: string, { words }: SearchWords, isName: boolean) => {
  const isSized = !isName && readContents(text) !== null
  const naming = withoutConnectives(words)
  const others = isSized ? naming.filter(({ word }) => !isSizeWord(word)) : naming
  return (others.length > 0 ? others : words).slice(0, MAX_WORDS)
}

/**
 * Finds the listings that have every word of a text in their name or as a part of the name of their shelf, those with exactly
 * that name first. Without any, drops as few trailing qualifiers as possible. Deterministic, and bounded for any text.
 */
export const search = (index: SearchIndex, text: string, filter: Filter, shelves: SearchShelves): SearchResult => {
  const parsed = searchWords(text)
  const sameName = [...intersection([index.withKey(titleKey(parsed.title))], filter, MAX_FOUND)]
  const meanings = meaningsOf(index, requiredWords(text, parsed, sameName.length > 0), shelves.with)
  const unknown = meanings.filter((meaning) => !isFound(meaning)).map(({ typed }) => typed)
  for (let count = meanings.length; count > 0; count -= 1) {
    const kept = meanings.slice(0, count)
    const ranked = kept.every(isFound) ? rank(index, listingsWithAll(index, kept, filter), kept, shelves) : []
    if (ranked.length > 0 || sameName.length > 0) {
      const listings = [...new Set([...sameName, ...ranked])].slice(0, MAX_FOUND)
      const dropped = sameName.length > 0 ? undefined : meanings[count]
      return {
        listings,
        exact_count: sameName.length,
        meanings: kept,
        unknown: [],
        dropped_terms: dropped ? termsFrom(text, dropped.term) : null,
      }
    }
    if (!isQualifier(kept)) break
  }
  return { listings: [], exact_count: 0, meanings, unknown, dropped_terms: null }
}
