import { singular, unaccented } from '../contract/text.ts'
import { comesInScents } from './flavours.ts'
import { isGeneralAfter, isKindWord } from './general-words.ts'
import { MIN_OTHER_HEAD_SHARE } from './kind.ts'
import { isModifier } from './modifiers.ts'
import { type Keyword, type Lexicon, type ParsedCandidate, type ParsedQuery, weightOf } from './parsed-query.ts'
import type { Vocabulary } from './vocabulary.ts'

/** So many of the names with a noun say by it first what they are. */
const MIN_FIRST_SHARE = 0.3
/** A last word that is the head of so many of its names is what they are of. */
const MIN_LIKELY_NOUN = 0.5

/** Whether a candidate is on or below a shelf that is named by the kind, in words of the query, and its own name has the other words. */
export const isOfShelf = (
  candidate: ParsedCandidate,
  kind: Keyword,
  query: ParsedQuery,
  { shelfNames }: Lexicon,
): boolean => {
  const shelves = candidate.shelf === undefined ? [] : shelfNames(candidate.shelf)
  return shelves.some((shelf) => {
    const isShelf = ({ words }: Keyword) => shelf.some((word) => words.has(word))
    return (
      isShelf(kind) &&
      shelf.every((word, place) => query.has(word) || isGeneralAfter(word, shelf.slice(0, place))) &&
      query.keywords.every((one) => isShelf(one) || weightOf(candidate, one) > 0)
    )
  })
}

/** Whether a word is written with a capital, as German nouns are. */
const isCapitalised = (word: string, { product_name }: ParsedCandidate['listing']): boolean =>
  (product_name ?? '')
    .split(/[^\p{L}\p{N}]+/u)
    .some((term) => /^\p{Lu}/u.test(term) && singular(unaccented(term)) === word)

const isNounOf = (word: string, least: number, { headShare }: Vocabulary): boolean =>
  !isModifier(word) && (headShare(word) ?? 0) >= least

/**
 * Whether a name of a language with compounds says first that it is of a kind, before its variety: only its first word, which may be the
 * brand, and words that no names are of stand before it.
 */
const isNamedFirst = ({ name: { lead } }: ParsedCandidate, kind: Keyword, { vocabulary }: Lexicon): boolean => {
  const place = lead.findIndex((word) => kind.words.has(word))
  return place >= 0 && lead.slice(1, place).every((word) => !isNounOf(word, MIN_OTHER_HEAD_SHARE, vocabulary))
}

/** Whether the last noun after a kind names another thing: `Bauernbrot Backmischung`. */
const isOfLastNoun = (
  { name: { lead }, listing }: ParsedCandidate,
  kind: Keyword,
  { vocabulary }: Lexicon,
): boolean => {
  const last = lead.at(-1)!
  return !kind.words.has(last) && isNounOf(last, MIN_LIKELY_NOUN, vocabulary) && isCapitalised(last, listing)
}

/**
 * The candidates that say a kind first, in a language with compounds; none if few of those with the kind do. What follows the kind is a
 * variety if others have it as their head noun, which `isHeaded` tells.
 */
export const namedFirst = (
  kind: Keyword,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
  isHeaded: boolean,
): readonly ParsedCandidate[] => {
  if (!lexicon.vocabulary.isCompounding) return []
  const inLead = candidates.filter(({ name }) => name.lead.some((word) => kind.words.has(word)))
  const all = inLead.filter(
    (one) => isNamedFirst(one, kind, lexicon) && (isHeaded || !isOfLastNoun(one, kind, lexicon)),
  )
  const alone = all.filter(({ name: { compounded } }) => ![...kind.words].some((word) => compounded.has(word)))
  // What most names have before a hyphen is what other things are for, as in `Fahrrad-Schloss`, unless those are forms of it: `Deo-Zerstäuber`.
  const first = comesInScents(kind.word) || 2 * alone.length >= all.length ? all : alone
  return first.length >= MIN_FIRST_SHARE * inLead.length ? first : []
}

/**
 * The candidates whose leading phrase begins with the query, on the shelves of those that are named as the query: what else they say is a
 * variety, as in `Chablis Premier Cru Vaillons`.
 */
export const besideNamed = (
  named: readonly ParsedCandidate[],
  { keywords }: ParsedQuery,
  candidates: readonly ParsedCandidate[],
): readonly ParsedCandidate[] => {
  const shelves = new Set(named.filter(({ aisle }) => aisle !== '').map(({ listing }) => listing.category_id))
  return keywords.length < 2
    ? []
    : candidates.filter(
        ({ name: { lead }, listing }) =>
          shelves.has(listing.category_id) && keywords.every(({ words }, place) => words.has(lead[place] ?? '')),
      )
}

/**
 * The candidates that are of a kind beside those that have it as their head noun: on a shelf that is named by a word of the query. If
 * none has it as its head noun, those with a kind of its own first after a dash (`CODORNIU - CAVA CLASICO BRUT`) or, in a language with
 * compounds, before its variety.
 */
export const besideHeaded = (
  headed: readonly ParsedCandidate[],
  query: ParsedQuery,
  kind: Keyword | undefined,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
): readonly ParsedCandidate[] => {
  const ofKind = candidates.filter(({ name: { dashed } }) => isKindWord(dashed[0] ?? '') && kind?.words.has(dashed[0]!))
  if (headed.length === 0 && ofKind.length > 0) return ofKind
  const onKind = candidates.filter((one) => query.keywords.some((word) => isOfShelf(one, word, query, lexicon)))
  if (onKind.length > 0 || headed.length > 0 || kind === undefined) return onKind
  return namedFirst(kind, candidates, lexicon, false)
}
