import type { CategoryNode } from './category.ts'
import { type Contents, readContents } from './contents.ts'
import type { KnownListing } from './known-listing.ts'
import { type NameReading, namingWords, readName } from './name-reading.ts'
import { typosOf } from './search-typo.ts'
import { searchWords } from './search-words.ts'

/** A listing that a text finds. */
export type Candidate = {
  number: number
  known: KnownListing
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

/** A candidate as it is read; its size where the text names one. */
export type Read = Candidate & { reading: NameReading; size: Contents | null }

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

/** Reads a text beside what it finds. */
export const readQuery = (q: string, candidates: readonly Read[], { frequency }: Lexicon): QueryReading => {
  const words = [...new Set(namingWords(q))]
  const exact = new Set(words)
  const misspelt = words.filter((word) => frequency(word) === 0).map((word) => ({ word, near: typosOf(word) }))
  const all = searchWords(q).words.map(({ word }) => word)
  const reading = readName(q)
  return {
    all,
    about: all.filter((word) => (reading.places.get(word) ?? UNSAID) >= UNSAID),
    words,
    reading,
    size: readContents(q),
    has: (word) => exact.has(word) || misspelt.some((of) => of.near.has(word) || word.startsWith(of.word)),
    brand: words.filter((word) =>
      isMost(candidates.filter(({ reading }) => reading.brand.has(word)).length, candidates.length),
    ),
  }
}
