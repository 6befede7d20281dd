import { searchUnit } from './search-units.ts'
import { singular, unaccented } from './text.ts'

/** A word that is asked for, as it was typed, and its place among the terms that spaces part a text into. */
export type SearchWord = { word: string; typed: string; term: number }

/** Of names and questions alike, only the first terms are read, and of each the first letters. */
export const MOST_TERMS = 64
const MOST_LETTERS = 64

/** Words that say nothing of a product. */
const UNTOLD: ReadonlySet<string> = new Set(['and', 'the', 'of', 'for', 'with', 'in'])
/** Fluid ounces are asked for as ounces. */
const FLUID: ReadonlySet<string> = new Set(['fl', 'fluid'])

const BEYOND_ASCII = /[^ -~]/
const INCH_MARK = /(\d)(?:"|''|[″”])/g
const APOSTROPHES = /['`]/g
const HYPHENATED = /[a-z]+(?:-[a-z]+)+/g
/** Numbers and letters part wherever they meet: `WH-1000XM4`, `WH1000 XM4` and `wh 1000xm4` have the same parts. */
const PARTS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?|\p{L}+|\p{N}/gu

type Part = SearchWord & { isNumber: boolean }

const numberOf = (written: string): string => {
  const plain = /,\d{3}(?!\d)/.test(written) ? written.replaceAll(',', '') : written.replace(',', '.')
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
}

// The mark becomes a unit without a space: spaces part the terms.
const plainText = (text: string): string => {
  const marked = text.replace(INCH_MARK, '$1-inch-')
  return (BEYOND_ASCII.test(marked) ? unaccented(marked) : marked.toLowerCase()).replace(APOSTROPHES, '')
}

const termsOf = (text: string): string[] => text.trim().split(/\s+/)

const partsOf = (plain: string, term: number): Part[] =>
  (plain.match(PARTS) ?? []).map((part) => {
    const isNumber = part >= '0' && part < ':'
    return { word: isNumber ? numberOf(part) : singular(part), typed: part, term, isNumber }
  })

/**
 * Whether a number and the unit after it are terms of their own: in `Z490 G` they are not. `13 in` is no measure, since
 * `iPhone 13 in black` is none; names are found by both.
 */
const areApart = (parts: readonly Part[], at: number): boolean =>
  parts[at - 1]?.term !== parts[at]!.term && parts[at + 1]!.term !== parts[at + 2]?.term && parts[at + 1]!.word !== 'in'

/** The measure that begins at a part, in one word, and how many parts it takes: `12 fl oz`, `pack of 2`. */
const measureAt = (parts: readonly Part[], at: number): { word: string; length: number } | undefined => {
  const [first, second, third] = [parts[at], parts[at + 1], parts[at + 2]]
  if (!first || !second) return undefined
  const unit = searchUnit(second.word)
  if (first.isNumber && unit !== undefined) {
    return first.term === second.term || areApart(parts, at) ? { word: first.word + unit, length: 2 } : undefined
  }
  if (first.isNumber && FLUID.has(second.word) && third && searchUnit(third.word) === 'oz')
    return { word: `${first.word}oz`, length: 3 }
  if (searchUnit(first.word) === 'pack' && second.word === 'of' && third?.isNumber)
    return { word: `${third.word}pack`, length: 3 }
  return undefined
}

/** The parts with each measure in one word. */
const withMeasures = (parts: readonly Part[]): SearchWord[] => {
  const words: SearchWord[] = []
  for (let at = 0; at < parts.length; ) {
    const { typed, term, word } = parts[at]!
    const measure = measureAt(parts, at)
    words.push(measure ? { word: measure.word, typed: measure.word, term } : { word, typed, term })
    at += measure?.length ?? 1
  }
  return words
}

const plainTerms = (text: string): string[] =>
  termsOf(text)
    .slice(0, MOST_TERMS)
    .map((term) => plainText(term.slice(0, MOST_LETTERS)))

/** Each word once, without those that say nothing unless there are no others. */
const telling = (words: readonly SearchWord[]): SearchWord[] => {
  const kept = words.filter(({ word }) => !UNTOLD.has(word))
  const seen = new Set<string>()
  return (kept.length > 0 ? kept : words).filter(({ word }) => !seen.has(word) && seen.add(word))
}

/**
 * The words a text asks for, each once, in its order: folded and in the singular, a number with its unit in one word
 * (`12 Ounces` is `12oz`), model numbers in their parts. None where there is no letter or digit.
 */
export const searchWords = (text: string): SearchWord[] => telling(withMeasures(plainTerms(text).flatMap(partsOf)))

/** The terms of a text from a place on, as written; null where there are none. */
export const termsFrom = (text: string, term: number): string[] | null => {
  const terms = termsOf(text).slice(term)
  return terms.length > 0 ? terms : null
}

/** What a listing's name is found by. */
export type NameWords = {
  /** The words that asking for the whole name asks for. */
  asked: readonly string[]
  /** Those, the parts of its measures, and what is written in one word elsewhere: `wifi` for `Wi-Fi`. */
  indexed: ReadonlySet<string>
}

/** The words of a listing: of its name, and of what else it is found by, such as its brand and model number. */
export const nameWords = (name: string, others: string): NameWords => {
  const [nameTerms, otherTerms] = [plainTerms(name), plainTerms(others)]
  const parts = nameTerms.flatMap(partsOf)
  const asked = telling(withMeasures(parts)).map(({ word }) => word)
  const indexed = new Set(asked)
  // All in one term: a name is found by every measure it may hold.
  const joined = [...parts, ...otherTerms.flatMap(partsOf)].map((part) => ({ ...part, term: 0 }))
  for (const { word } of [...joined, ...withMeasures(joined)]) if (!UNTOLD.has(word)) indexed.add(word)
  for (const term of [...nameTerms, ...otherTerms])
    for (const [written] of term.matchAll(HYPHENATED)) indexed.add(singular(written.replaceAll('-', '')))
  return { asked, indexed }
}
