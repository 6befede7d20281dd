import type { CategoryNode } from './category.ts'
import { type Contents, readContents } from './contents.ts'
import type { Listing } from './listings.ts'
import { type NameReading, namingWords, readText } from './name-reading.ts'
import { typosOf } from './search-typo.ts'
import { searchWords } from './search-words.ts'

/** A listing that a text finds. */
export type Candidate = {
  number: number
  listing: Listing
  shelf: CategoryNode | undefined
  /** Whether the text is its whole name. */
  is_named: boolean
}

/** What the ranking needs to know of the catalogue. */
export type Lexicon = {
  /** Listings of the country. */
  listing_count: number
  /** How many of them have a word. */
  frequency(word: string): number
  /** Whether a word is a thing of its own (things.ts). */
  isThing(word: string): boolean
  /** Whether a shelf is one that the text names. */
  isNamed(shelf: CategoryNode): boolean
}

/** A word of the text that the name lacks is in another field, or spelt otherwise. */
export const UNSAID = 0.5

/** What was asked for. */
export type QueryReading = {
  /** All its words. */
  all: readonly string[]
  /** Those of what is meant itself, not of what it is for. */
  about: readonly string[]
  /** Those that name something. */
  words: readonly string[]
  reading: NameReading
  size: Contents | null
  /** Whether a word of a name is one of the text's, also where the text has a typing error in it. */
  has(word: string): boolean
  /** Words of the text that are the brand of most candidates. */
  brand: readonly string[]
}

/** A candidate as it is read beside a text. */
export type Read = Candidate & {
  reading: NameReading
  /** Its brand in one text, empty where it has none. */
  brand: string
  /** The part of its retailer's taxonomy that is one kind of thing, empty where it is not known. */
  aisle: string
  /** The words of its name that may make it another kind than the text's. */
  foreign: readonly string[]
  /** Read only where the text names a size. */
  size: Contents | null
}

export const isMost = (some: number, all: number): boolean => 2 * some > all

export const countBy = <T>(values: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The value that most have, the first of equals. */
export const mostFrequent = <T>(values: readonly T[]): T | undefined =>
  [...countBy(values)].reduce<[T, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  )?.[0]

/** Reads a text beside the names that it finds. */
export const readQuery = (q: string, names: readonly NameReading[], { frequency }: Lexicon): QueryReading => {
  const words = [...new Set(namingWords(q))]
  const exact = new Set(words)
  const misspelt = words.filter((word) => frequency(word) === 0).map((word) => ({ word, near: typosOf(word) }))
  const all = searchWords(q).words.map(({ word }) => word)
  const reading = readText(q)
  return {
    all,
    about: all.filter((word) => (reading.places.get(word) ?? UNSAID) >= UNSAID),
    words,
    reading,
    size: readContents(q),
    has: (word) => exact.has(word) || misspelt.some((of) => of.near.has(word) || word.startsWith(of.word)),
    brand: words.filter((word) => isMost(names.filter(({ brand }) => brand.has(word)).length, names.length)),
  }
}

const UNKNOWN_SHELF = 'uncategorized'

/** The shelf above, but no whole department. */
const aisleOf = (shelf: CategoryNode | undefined): string => {
  const parts = shelf === undefined || shelf.path === UNKNOWN_SHELF ? [] : shelf.path.split('/')
  return parts.slice(0, Math.max(2, parts.length - 1)).join('/')
}

/** Reads a candidate whose name was read. */
export const readCandidate = (
  { number, listing, shelf, is_named }: Candidate,
  reading: NameReading,
  query: QueryReading,
): Read => ({
  number,
  listing,
  shelf,
  is_named,
  reading,
  brand: [...reading.brand].join(' '),
  aisle: aisleOf(shelf),
  foreign: reading.telling.filter((word) => !query.has(word)),
  size: query.size && readContents(listing.product_name ?? ''),
})
