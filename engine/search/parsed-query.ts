import type { CategoryNode } from '../contract/category-node.ts'
import { type Contents, readContents } from './contents.ts'
import { isGeneralAfter } from './general-words.ts'
import type { Listing } from './listings.ts'
import type { Meaning } from './meanings.ts'
import { isModifier, isPart } from './modifiers.ts'
import { type ParsedName, parseName, parseText, phraseModifiers } from './parsed-name.ts'
import type { SizeFit } from './size-words.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A search result. */
export type Candidate = {
  number: number
  listing: Listing
  shelf: CategoryNode | undefined
  /** Whether the query is its full name. */
  is_exact_name: boolean
  /** How well its size fits the one in the query; null where either is unknown. */
  size_fit: SizeFit
}

/** What ranking looks up in the catalogue. */
export type Lexicon = {
  /** Listings of the country. */
  listing_count: number
  /** How many of them have a word in their index entry. */
  frequency(word: string): number
  vocabulary: Vocabulary
  /** The words of the names of a shelf and of those above it; a name of several kinds, as `Dairy & Eggs`, has none. */
  shelfNames(shelf: CategoryNode): readonly (readonly string[])[]
  /** Whether a shelf has many listings and hardly any with one of the words as its head noun. */
  isRareOn(shelf: CategoryNode, words: ReadonlySet<string>): boolean
}

/** The weight of a query word that the name lacks: it matched another field or another spelling. */
export const NEUTRAL_WEIGHT = 0.5
/** The weight of a word of what a product is for, comes with or is made of. */
export const PURPOSE_WEIGHT = 0.25

/** A word of a query, and the words of names that it may be. */
export type Keyword = {
  word: string
  /** The position of its term in the query: `s8` is one term of two words. */
  term: number
  words: ReadonlySet<string>
  isNumber: boolean
  isPurpose: boolean
  isModifier: boolean
}

/** A query with what its words mean. */
export type ParsedQuery = {
  /** Its words without sizes. */
  keywords: readonly Keyword[]
  has_size: boolean
  /** Its last words that no candidate has. */
  dropped: readonly string[]
  /** Whether it has a word of a name. */
  has(word: string): boolean
}

/** A candidate with its name parsed and compared with the query. */
export type ParsedCandidate = Candidate & {
  name: ParsedName
  /** Its possible head nouns, likeliest first. */
  heads: readonly string[]
  /** The path of the shelf above its own, but at least two levels deep; empty where the shelf is unknown. */
  aisle: string
  /** The words of the phrases that name it, which the query lacks: they may make it another kind. */
  unmatched: readonly string[]
  /** Null unless the query names a size. */
  size: Contents | null
}

export const countBy = <T>(values: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const HAS_DIGIT = /\d/

/** What a search says of a text: what its words mean, whether it names a size, and its last words that no candidate has. */
export type SearchedText = { meanings: readonly Meaning[]; has_size: boolean; dropped: readonly string[] }

/** Parses a query. */
export const parseQuery = (q: string, { meanings, has_size, dropped }: SearchedText): ParsedQuery => {
  const { weights } = parseText(q)
  const words = new Set(meanings.flatMap((meaning) => meaning.words))
  const phrases = phraseModifiers(q)
  return {
    keywords: meanings.map(({ word, words: own, term }) => ({
      word,
      term,
      words: new Set([word, ...own]),
      isNumber: HAS_DIGIT.test(word),
      isPurpose: weights.get(word) === PURPOSE_WEIGHT,
      isModifier: isModifier(word) || isPart(word) || phrases.has(word),
    })),
    has_size,
    dropped,
    has: (word) => words.has(word),
  }
}

const UNKNOWN_SHELF = 'uncategorized'

const aisles = new WeakMap<CategoryNode, string>()

const aisleOf = (shelf: CategoryNode | undefined): string => {
  if (shelf === undefined || shelf.path === UNKNOWN_SHELF) return ''
  const remembered = aisles.get(shelf)
  if (remembered !== undefined) return remembered
  const parts = shelf.path.split('/')
  const aisle = parts.slice(0, Math.max(2, parts.length - 1)).join('/')
  aisles.set(shelf, aisle)
  return aisle
}

/** Where in the name the words of the query are; -1 for those that it lacks. */
export const placesOf = ({ name }: ParsedCandidate, { keywords }: ParsedQuery): number[] =>
  keywords.map(({ words }) => name.order.findIndex((word) => words.has(word)))

/** The weight of a word of a query in a name; 0 where the name lacks it. */
export const weightOf = ({ name: { weights } }: ParsedCandidate, { words }: Keyword): number =>
  Math.max(0, ...[...words].map((word) => weights.get(word) ?? 0))

/** Compares a candidate with the query. */
export const parseCandidate = (candidate: Candidate, query: ParsedQuery, { vocabulary }: Lexicon): ParsedCandidate => {
  const { listing, shelf } = candidate
  const name = parseName(listing.product_name ?? '', listing.brand)
  const parsed = {
    name,
    heads: vocabulary.headsOf(name),
    aisle: aisleOf(shelf),
    unmatched: name.lead.filter(
      (word, place) =>
        !isModifier(word) && !isPart(word) && !query.has(word) && !isGeneralAfter(word, name.lead.slice(0, place)),
    ),
    size: query.has_size ? readContents(listing.product_name ?? '') : null,
  }
  // A literal that begins with a spread would make a hidden class for each candidate.
  return Object.assign(parsed, candidate)
}
