import { singular, unaccented } from '../contract/text.ts'
import { searchUnit } from './units.ts'

/** A normalized word, as it was typed, and the position of its term; terms are separated by spaces. */
export type SearchWord = { word: string; typed: string; term: number }

/** Bounds for names and queries alike: terms of a text, and characters of a term. */
export const MAX_TERMS = 64
const MAX_TERM_LENGTH = 64

const STOP_WORDS: ReadonlySet<string> = new Set(['and', 'the', 'of', 'for', 'with', 'in'])
/** Fluid ounces are treated as ounces. */
const FLUID: ReadonlySet<string> = new Set(['fl', 'fluid'])

const INCH_MARK = /(\d)(?:"|''|[″”])/g
const APOSTROPHES = /['`]/g
/** `V.S.O.P.` is `vsop`. */
const INITIALS = /(?<![a-z\d.])(?:[a-z]\.){2,}(?![a-z\d])|(?<![a-z\d.])(?:[a-z]\.)+[a-z](?![a-z\d.])/g
const HYPHENATED = /[a-z]+(?:-[a-z]+)+/g
/** Digits and letters are split apart: `WH-1000XM4`, `WH1000 XM4` and `wh 1000xm4` have the same tokens. */
const TOKENS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?|\p{L}[\p{L}\p{M}]*|\p{N}/gu
/** Scripts that put no spaces between words, and that of Korean, which writes several words as one. */
const UNSPACED = String.raw`[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Khmr}]`
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')
const RUNS = new RegExp(String.raw`(?:(?=${UNSPACED})\p{L}\p{M}*)+|(?:(?!${UNSPACED})\p{L}\p{M}*)+`, 'gu')
const LETTERS = /\p{L}\p{M}*/gu

type Token = Omit<SearchWord, 'term'> & { isNumber: boolean; term?: number }
/** The tokens of a term, its hyphenated words joined, as others may write them: `wifi` for `Wi-Fi`, and its ideographs. */
type Term = { tokens: readonly Token[]; joined: readonly string[] }

const numberOf = (typed: string): string => {
  const plain = /,\d{3}(?!\d)/.test(typed) ? typed.replaceAll(',', '') : typed.replace(',', '.')
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
}

const plainText = (text: string): string =>
  unaccented(text.replace(INCH_MARK, '$1-inch-'))
    .replace(APOSTROPHES, '')
    .replace(INITIALS, (initials) => initials.replaceAll('.', ''))

/** The pairs of neighbouring letters: words that need no dictionary, as search engines index these scripts. */
const pairsOf = (letters: readonly string[]): readonly string[] =>
  letters.length < 3 ? [letters.join('')] : letters.slice(1).map((letter, place) => letters[place]! + letter)

/** A token as words: one, but pairs of letters where words are not apart. */
const wordsOfToken = (typed: string): Token[] => {
  if (typed >= '0' && typed < ':') return [{ word: numberOf(typed), typed, isNumber: true }]
  if (!MAY_BE_UNSPACED.test(typed)) return [{ word: singular(typed), typed, isNumber: false }]
  return (typed.match(RUNS) ?? [typed]).flatMap((run) =>
    // A numeral of such a script, such as 〡, is no letter.
    (IS_UNSPACED.test(run) ? pairsOf(run.match(LETTERS) ?? [run]) : [singular(run)]).map((word) => ({
      word,
      typed: run,
      isNumber: false,
    })),
  )
}

const IDEOGRAPHS = /\p{scx=Hani}/gu

const parseTerm = (text: string): Term => {
  const plain = plainText(text.slice(0, MAX_TERM_LENGTH))
  const joined = (plain.match(HYPHENATED) ?? []).map((typed) => singular(typed.replaceAll('-', '')))
  const single = MAY_BE_UNSPACED.test(plain) ? (plain.match(IDEOGRAPHS) ?? []) : []
  return { tokens: (plain.match(TOKENS) ?? []).flatMap(wordsOfToken), joined: [...joined, ...single] }
}

/** Names of a catalogue repeat the same terms; terms of queries are not cached. */
const termCache = new Map<string, Term>()
const MAX_CACHED_TERMS = 50_000

const cachedTerm = (text: string): Term => {
  const term = termCache.get(text) ?? parseTerm(text)
  if (termCache.size >= MAX_CACHED_TERMS) termCache.clear()
  if (text.length <= MAX_TERM_LENGTH) termCache.set(text, term)
  return term
}

const splitTerms = (text: string): string[] => text.trim().split(/\s+/)

const termsOf = (text: string, read: (term: string) => Term): Term[] => splitTerms(text).slice(0, MAX_TERMS).map(read)

const tokensOf = (terms: readonly Term[]): Token[] => {
  const termTokens: Token[] = []
  for (const [term, { tokens }] of terms.entries())
    for (const { word, typed, isNumber } of tokens) termTokens.push({ word, typed, isNumber, term })
  return termTokens
}

/**
 * Whether a number and the unit after it are terms of their own; in `Z490 G` they are not. `13 in` does not count as a
 * measure, because of `iPhone 13 in black`; names are indexed both ways.
 */
const areSeparateTerms = (tokens: readonly Token[], position: number): boolean =>
  tokens[position - 1]?.term !== tokens[position]!.term &&
  tokens[position + 1]!.term !== tokens[position + 2]?.term &&
  tokens[position + 1]!.word !== 'in'

/** The measure that begins at a token, as one word, and its number of tokens: `12 fl oz`, `pack of 2`. */
const measureAt = (tokens: readonly Token[], position: number): { word: string; length: number } | undefined => {
  const [first, second, third] = [tokens[position], tokens[position + 1], tokens[position + 2]]
  if (!first || !second) return undefined
  const unit = first.isNumber ? searchUnit(second.word) : undefined
  if (unit !== undefined) {
    return first.term === second.term || areSeparateTerms(tokens, position)
      ? { word: first.word + unit, length: 2 }
      : undefined
  }
  if (first.isNumber && FLUID.has(second.word) && third && searchUnit(third.word) === 'oz')
    return { word: `${first.word}oz`, length: 3 }
  if (second.word === 'of' && third?.isNumber && searchUnit(first.word) === 'pack')
    return { word: `${third.word}pack`, length: 3 }
  return undefined
}

/** The tokens as words, each measure as one word. */
const withMeasures = (tokens: readonly Token[]): SearchWord[] => {
  const words: SearchWord[] = []
  for (let position = 0; position < tokens.length; ) {
    const { typed, word, term = 0 } = tokens[position]!
    const measure = measureAt(tokens, position)
    words.push(measure ? { word: measure.word, typed: measure.word, term } : { word, typed, term })
    position += measure?.length ?? 1
  }
  return words
}

/** The words that are no stop words; all of them if there are no others. */
const withoutStopWords = (words: readonly SearchWord[]): readonly SearchWord[] => {
  const significant = words.filter(({ word }) => !STOP_WORDS.has(word))
  return significant.length > 0 ? significant : words
}

/** The significant words of a text. */
export type SearchWords = {
  /** Each word once, in its order. */
  words: readonly SearchWord[]
  /** All of them with repetitions, so that `tea tree tea` differs from `tea tree`. */
  title: string
}

const toSearchWords = (terms: readonly Term[]): SearchWords => {
  const significant = withoutStopWords(withMeasures(tokensOf(terms)))
  const unique = new Map<string, SearchWord>()
  for (const word of significant) if (!unique.has(word.word)) unique.set(word.word, word)
  return { words: [...unique.values()], title: significant.map(({ word }) => word).join(' ') }
}

/**
 * The words of a query: folded and in the singular, a number and its unit as one word (`12 Ounces` is `12oz`), model
 * numbers split into tokens. Empty without a letter or digit.
 */
export const searchWords = (text: string): SearchWords => toSearchWords(termsOf(text, parseTerm))

/** As `searchWords`, for names, whose terms are cached. */
export const wordsOfName = (name: string): SearchWords => toSearchWords(termsOf(name, cachedTerm))

/** The terms of a text from a position on, as written; null without any. */
export const termsFrom = (text: string, term: number): string[] | null => {
  const terms = splitTerms(text).slice(term)
  return terms.length > 0 ? terms : null
}

/** The words by which a listing is found. */
export type NameWords = {
  /** The words of a query for its full name. */
  query: SearchWords
  /** The words of its name and its other texts, such as brand and model number, and the tokens of its measures. */
  indexed: ReadonlySet<string>
}

/** The words of a listing: of its name and of its other texts. */
export const nameWords = (name: string, others: string): NameWords => {
  const nameTerms = termsOf(name, cachedTerm)
  const query = toSearchWords(nameTerms)
  const indexed = new Set(query.words.map(({ word }) => word))
  const terms = others === '' ? nameTerms : [...nameTerms, ...termsOf(others, cachedTerm)]
  // Regardless of terms: a listing is found by every possible measure.
  const tokens = terms.flatMap((term) => term.tokens)
  for (const [position, { word }] of tokens.entries()) {
    const measure = measureAt(tokens, position)
    if (measure) indexed.add(measure.word)
    if (!STOP_WORDS.has(word)) indexed.add(word)
  }
  for (const { joined } of terms) for (const word of joined) indexed.add(word)
  return { query, indexed }
}
