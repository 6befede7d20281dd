import { readContents } from './contents.ts'
import { titleKey } from './keys.ts'
import { isFound, type Meaning, meaningsOf, type ShelvesWith } from './meanings.ts'
import { isAbsence, isModifier } from './modifiers.ts'
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
import { isFreshness } from './wordings.ts'
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
const MAX_RANKED = 4096
const MAX_FOUND = 300

const NUMBER = /^\d/

/** A number of fewer digits is a model, as in `iphone 14`, and no size in millilitres. */
const NO_SIZE = /^\d{1,2}$/

/** Whether the last word may be dropped: an adjective that states neither an absence nor that a thing is fresh, a measure or a size in millilitres, never a noun or a part of `s23`. */
const isQualifier = (words: readonly Meaning[]): boolean => {
  const [before, { word, term }] = [words.at(-2), words.at(-1)!]
  if (isAbsence(word) || isFreshness(word)) return false
  return isModifier(word) || (NUMBER.test(word) && !NO_SIZE.test(word) && before?.term !== term)
}

/** Adjectives among words that are dropped: what loses more of them than it keeps is another thing. */
const adjectivesIn = (words: readonly Meaning[]): number => words.filter(({ word }) => isModifier(word)).length

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

/** What a listing loses for each way in which it fits less: more than for all that come after. */
const COSTS = { size: 80, spelling: 40, accessory: 20, unnamedShelf: 10, otherHead: 5, share: 4 } as const

/** How much less than best each listing fits, in loops over columns: there are thousands for each query. */
const costsOf = (
  { table, places, vocabulary }: SearchIndex,
  listings: ListingNumbers,
  meanings: readonly Meaning[],
  sized: readonly Postings[],
  { prefers }: SearchShelves,
): Uint16Array => {
  const costs = new Uint16Array(listings.length)
  for (const marks of sized.map((one) => marksOf(listings, one)))
    for (let i = 0; i < marks.length; i += 1) costs[i]! += COSTS.size * (1 - marks[i]!)
  const lacking = new Uint8Array(listings.length)
  const isHeaded = new Uint8Array(listings.length)
  for (const { exact, titles, shelves, words } of meanings) {
    const inTitle = shelves.length > 0 ? marksOf(listings, titles) : null
    const isExact = exact !== titles ? marksOf(listings, exact) : null
    const heads = words
      .map((word) => (vocabulary.isBrand(word) ? vocabulary.withLead(word) : vocabulary.withHead(word)))
      .filter(({ length }) => length > 0)
    for (const marks of heads.map((head) => marksOf(listings, head)))
      for (let i = 0; i < marks.length; i += 1) isHeaded[i]! |= marks[i]!
    for (let i = 0; inTitle && i < listings.length; i += 1) lacking[i]! += 1 - inTitle[i]!
    for (let i = 0; isExact && i < listings.length; i += 1) costs[i]! += COSTS.spelling * (1 - isExact[i]!)
  }
  for (let i = 0; i < listings.length; i += 1) {
    const listing = listings[i]!
    const share = Math.min(1, (meanings.length - lacking[i]!) / places.word_count[listing]!)
    costs[i]! +=
      (table.columns.accessory_depth[places.row[listing]!]! > 0 ? COSTS.accessory : 0) +
      (prefers(listing) ? 0 : COSTS.unnamedShelf) +
      (isHeaded[i] === 1 ? 0 : COSTS.otherHead) +
      COSTS.share -
      Math.floor(share * COSTS.share)
  }
  return costs
}

/**
 * Sorts by match quality: names with the size first, then fewer words in another spelling, then products before accessories, then preferred listings, then
 * names with a word of the query as their head noun or, of a brand, at their beginning, then the share of the name's words that the query has, in quarters. Ties are in the order of numbers, most popular first.
 */
const rank = (
  index: SearchIndex,
  listings: ListingNumbers,
  meanings: readonly Meaning[],
  sized: readonly Postings[],
  shelves: SearchShelves,
  max_count: number,
): number[] => {
  const costs = costsOf(index, listings, meanings, sized, shelves)
  const ofCost = new Map<number, number[]>()
  for (let i = 0; i < listings.length; i += 1) {
    const same = ofCost.get(costs[i]!)
    if (same === undefined) ofCost.set(costs[i]!, [listings[i]!])
    else if (same.length < max_count) same.push(listings[i]!)
  }
  const ascending = [...ofCost.keys()].sort((a, b) => a - b)
  return ascending.flatMap((cost) => ofCost.get(cost)!).slice(0, max_count)
}

/** The words that listings must have: all but connectives and the sizes, by which they are compared later, unless one has the text as its name. */
const requiredWords = (text: string, { words }: SearchWords, isName: boolean) => {
  const isSized = !isName && readContents(text) !== null
  const naming = withoutConnectives(words)
  const others = isSized ? naming.filter(({ word }) => !isSizeWord(word)) : naming
  const sizes = others.length === 0 ? [] : naming.filter((one) => !others.includes(one))
  return { words: (others.length > 0 ? others : words).slice(0, MAX_WORDS), sizes: sizes.slice(0, MAX_WORDS) }
}

/**
 * Finds the listings that have every word of a text in their name or as a part of the name of their shelf, those with exactly
 * that name first, at most `max_count`. Without any, drops as few trailing qualifiers as possible, and then corrects words that
 * few listings have. Deterministic, and bounded for
 * any text.
 */
export const search = async (
  index: SearchIndex,
  text: string,
  filter: Filter,
  shelves: SearchShelves,
  max_count = MAX_FOUND,
): Promise<SearchResult> => {
  const parsed = searchWords(text)
  const sameName = [...intersection([index.withKey(titleKey(parsed.title))], filter, MAX_FOUND)]
  const { words, sizes } = requiredWords(text, parsed, sameName.length > 0)
  const sized = sizes.map(({ word }) => index.withWord(word)).filter(({ length }) => length > 0)
  const meanings = await meaningsOf(index, words, shelves.with)
  const unknown = [...new Set(meanings.filter((meaning) => !isFound(meaning)).map(({ typed }) => typed))]
  const withAll = (meant: readonly Meaning[]): SearchResult | undefined => {
    for (let count = meant.length; count > 0; count -= 1) {
      const kept = meant.slice(0, count)
      const ranked = kept.every(isFound)
        ? rank(index, listingsWithAll(index, kept, filter), kept, sized, shelves, max_count)
        : []
      if (ranked.length > 0 || sameName.length > 0) {
        const listings = [...new Set([...sameName, ...ranked])].slice(0, max_count)
        const dropped = sameName.length > 0 ? undefined : meant[count]
        return {
          listings,
          exact_count: Math.min(sameName.length, max_count),
          meanings: kept,
          unknown: [],
          dropped_terms: dropped ? termsFrom(text, dropped.term) : null,
        }
      }
      if (!isQualifier(kept) || adjectivesIn(meant.slice(count - 1)) > count - 1) return undefined
    }
    return undefined
  }
  const nothing = { listings: [], exact_count: 0, meanings, unknown, dropped_terms: null }
  return withAll(meanings) ?? withAll(await meaningsOf(index, words, shelves.with, true)) ?? nothing
}
