import type { CategoryNode } from '../contract/category-node.ts'
import { type Contents, readContents } from './contents.ts'
import type { Listing } from './listings.ts'
import { contentWords, type ParsedName, parseText } from './parsed-name.ts'
import { typosOf } from './typos.ts'
import { searchWords } from './words.ts'

/** A search result. */
export type Candidate = {
  number: number
  listing: Listing
  shelf: CategoryNode | undefined
  /** Whether the query is its full name. */
  is_exact_name: boolean
}

/** What ranking looks up in the catalogue. */
export type Lexicon = {
  /** Listings of the country. */
  listing_count: number
  /** How many of them have a word in their index entry. */
  frequency(word: string): number
  /** Whether a word names products by itself (head-nouns.ts). */
  isHeadNoun(word: string): boolean
  /** Whether the query names a shelf. */
  isNamedShelf(shelf: CategoryNode): boolean
}

/** The weight of a query word that the name lacks: it matched another field or another spelling. */
export const NEUTRAL_WEIGHT = 0.5

/** A query with what its words mean. */
export type ParsedQuery = {
  /** All its words. */
  all: readonly string[]
  /** The words that describe the product itself, rather than what it is for. */
  about: readonly string[]
  /** The content words, each once. */
  words: readonly string[]
  name: ParsedName
  size: Contents | null
  /** Whether the query has a word of a name, allowing for a typing error in the query. */
  has(word: string): boolean
  /** The words that are part of the brand of most candidates. */
  brand: readonly string[]
}

/** A candidate with its name parsed and compared with the query. */
export type ParsedCandidate = Candidate & {
  name: ParsedName
  /** The words of its brand, joined by spaces; empty without a brand. */
  brand: string
  /** The path of the shelf above its own, but at least two levels deep; empty where the shelf is unknown. */
  aisle: string
  /** The significant words of its name that the query lacks: they may make it another kind. */
  unmatched: readonly string[]
  /** Null unless the query names a size. */
  size: Contents | null
}

export const isMajority = (some: number, all: number): boolean => 2 * some > all

export const countBy = <T>(values: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The most frequent value; of ties the first. */
export const mostFrequent = <T>(values: readonly T[]): T | undefined =>
  [...countBy(values)].reduce<[T, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  )?.[0]

/** Parses a query, given the names of its results. */
export const parseQuery = (q: string, names: readonly ParsedName[], { frequency }: Lexicon): ParsedQuery => {
  const words = [...new Set(contentWords(q))]
  const exact = new Set(words)
  const misspelt = words.filter((word) => frequency(word) === 0).map((word) => ({ word, near: typosOf(word) }))
  const all = searchWords(q).words.map(({ word }) => word)
  const name = parseText(q)
  return {
    all,
    about: all.filter((word) => (name.weights.get(word) ?? NEUTRAL_WEIGHT) >= NEUTRAL_WEIGHT),
    words,
    name,
    size: readContents(q),
    has: (word) => exact.has(word) || misspelt.some((of) => of.near.has(word) || word.startsWith(of.word)),
    brand: words.filter((word) => isMajority(names.filter(({ brand }) => brand.has(word)).length, names.length)),
  }
}

const UNKNOWN_SHELF = 'uncategorized'

const aisleOf = (shelf: CategoryNode | undefined): string => {
  const parts = shelf === undefined || shelf.path === UNKNOWN_SHELF ? [] : shelf.path.split('/')
  return parts.slice(0, Math.max(2, parts.length - 1)).join('/')
}

/** Compares a candidate, given its parsed name, with the query. */
export const parseCandidate = (
  { number, listing, shelf, is_exact_name }: Candidate,
  name: ParsedName,
  query: ParsedQuery,
): ParsedCandidate => ({
  number,
  listing,
  shelf,
  is_exact_name,
  name,
  brand: [...name.brand].join(' '),
  aisle: aisleOf(shelf),
  unmatched: name.significant.filter((word) => !query.has(word)),
  size: query.size && readContents(listing.product_name ?? ''),
})
