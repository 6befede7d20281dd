import { searchUnit } from './search-units.ts'
import { singular, unaccented } from './text.ts'

/** A word that is asked for, as it was typed, and its place among the terms that spaces part a text into. */
export type SearchWord = { word: string; typed: string; term: number }

/** Of names and questions alike, only the first terms are read, and of each the first letters. */
export const MOST_TERMS = 64
const MOST_LETTERS = 64

/** Words that say nothing of a product. */
const STOP_WORDS: ReadonlySet<string> = new Set(['and', 'the', 'of', 'for', 'with', 'in'])
/** Fluid ounces are asked for as ounces. */
const FLUID: ReadonlySet<string> = new Set(['fl', 'fluid'])

const INCH_MARK = /(\d)(?:"|''|[″”])/g
const APOSTROPHES = /['`]/g
const HYPHENATED = /[a-z]+(?:-[a-z]+)+/g
/** Numbers and letters part wherever they meet: `WH-1000XM4`, `WH1000 XM4` and `wh 1000xm4` have the same parts. */
const PARTS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?|\p{L}+|\p{N}/gu

type Part = Omit<SearchWord, 'term'> & { isNumber: boolean; term?: number }
/** What a term holds: its parts, and what may be written in one word elsewhere: `wifi` for `Wi-Fi`. */
type Term = { parts: readonly Part[]; joined: readonly string[] }

const numberOf = (typed: string): string => {
  const plain = /,\d{3}(?!\d)/.test(typed) ? typed.replaceAll(',', '') : typed.replace(',', '.')
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
}

const plainText = (text: string): string => unaccented(text.replace(INCH_MARK, '$1-inch-')).replace(APOSTROPHES, '')

const readTerm = (text: string): Term => {
  const plain = plainText(text.slice(0, MOST_LETTERS))
  const parts = (plain.match(PARTS) ?? []).map((typed) => {
    const isNumber = typed >= '0' && typed < ':'
    return { word: isNumber ? numberOf(typed) : singular(typed), typed, isNumber }
  })
  return { parts, joined: (plain.match(HYPHENATED) ?? []).map((typed) => singular(typed.replaceAll('-', ''))) }
}

/** Names of a catalogue hold the same terms over and over; those of questions are not kept. */
const known = new Map<string, Term>()
const MOST_KNOWN = 50_000

const knownTerm = (text: string): Term => {
  const term = known.get(text) ?? readTerm(text)
  if (known.size >= MOST_KNOWN) known.clear()
  if (text.length <= MOST_LETTERS) known.set(text, term)
  return term
}

const splitTerms = (text: string): string[] => text.trim().split(/\s+/)

const termsOf = (text: string, read: (term: string) => Term): Term[] => splitTerms(text).slice(0, MOST_TERMS).map(read)

const partsOf = (terms: readonly Term[]): Part[] => {
  const found: Part[] = []
  for (const [term, { parts }] of terms.entries())
    for (const { word, typed, isNumber } of parts) found.push({ word, typed, isNumber, term })
  return found
}

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
  const unit = first.isNumber ? searchUnit(second.word) : undefined
  if (unit !== undefined) {
    return first.term === second.term || areApart(parts, at) ? { word: first.word + unit, length: 2 } : undefined
  }
  if (first.isNumber && FLUID.has(second.word) && third && searchUnit(third.word) === 'oz')
    return { word: `${first.word}oz`, length: 3 }
  if (second.word === 'of' && third?.isNumber && searchUnit(first.word) === 'pack')
    return { word: `${third.word}pack`, length: 3 }
  return undefined
}

/** The parts with each measure in one word. */
const withMeasures = (parts: readonly Part[]): SearchWord[] => {
  const words: SearchWord[] = []
  for (let at = 0; at < parts.length; ) {
    const { typed, word, term = 0 } = parts[at]!
    const measure = measureAt(parts, at)
    words.push(measure ? { word: measure.word, typed: measure.word, term } : { word, typed, term })
    at += measure?.length ?? 1
  }
  return words
}

/** Without those that say nothing, unless there are no others. */
const significantWords = (words: readonly SearchWord[]): readonly SearchWord[] => {
  const significant = words.filter(({ word }) => !STOP_WORDS.has(word))
  return significant.length > 0 ? significant : words
}

/** What a text asks for. */
export type AskedWords = {
  /** Each word once, in its order. */
  words: readonly SearchWord[]
  /** All of them, with those said again: what tells `tea tree tea` from `tea tree`. */
  title: string
}

const readWords = (terms: readonly Term[]): AskedWords => {
  const significant = significantWords(withMeasures(partsOf(terms)))
  const once = new Map<string, SearchWord>()
  for (const word of significant) if (!once.has(word.word)) once.set(word.word, word)
  return { words: [...once.values()], title: significant.map(({ word }) => word).join(' ') }
}

/**
 * The words a text asks for: folded and in the singular, a number with its unit in one word (`12 Ounces` is `12oz`), model
 * numbers in their parts. None where there is no letter or digit.
 */
export const searchWords = (text: string): AskedWords => readWords(termsOf(text, readTerm))

/** As `searchWords`, for names: their terms are kept. */
export const wordsOfName = (name: string): AskedWords => readWords(termsOf(name, knownTerm))

/** The terms of a text from a place on, as written; null where there are none. */
export const termsFrom = (text: string, term: number): string[] | null => {
  const terms = splitTerms(text).slice(term)
  return terms.length > 0 ? terms : null
}

/** What a listing is found by. */
export type NameWords = {
  /** What asking for its whole name asks for. */
  asked: AskedWords
  /** Its words, the parts of its measures, and the words of what else is known of it, such as brand and model number. */
  indexed: ReadonlySet<string>
}

/** The words of a listing: of its name and of its other texts. */
export const nameWords = (name: string, others: string): NameWords => {
  const nameTerms = termsOf(name, knownTerm)
  const asked = readWords(nameTerms)
  const indexed = new Set(asked.words.map(({ word }) => word))
  const terms = others === '' ? nameTerms : [...nameTerms, ...termsOf(others, knownTerm)]
  // As if all stood in one term: a listing is found by every measure it may hold.
  const parts = terms.flatMap((term) => term.parts)
  for (const [at, { word }] of parts.entries()) {
    const measure = measureAt(parts, at)
    if (measure) indexed.add(measure.word)
    if (!STOP_WORDS.has(word)) indexed.add(word)
  }
  for (const { joined } of terms) for (const word of joined) indexed.add(word)
  return { asked, indexed }
}
