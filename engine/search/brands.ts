import { singular, unaccented } from '../contract/text.ts'
import {
  countBy,
  type Keyword,
  type Lexicon,
  type ParsedCandidate,
  type ParsedQuery,
  placesOf,
  weightOf,
} from './parsed-query.ts'

/** Words are a brand or line if they lead at least this share of the names with them. */
export const MIN_LEADING_SHARE = 0.6
/** So many of other brands sell a thing for it to be no brand. */
const MIN_SOLD = 3

/** Whether the words are of its brand, the first of which they have: Flying Goose is not what `goose` asks for. */
export const isOfBrand = ({ name: { brand } }: ParsedCandidate, words: readonly Keyword[]): boolean => {
  const [first] = brand
  return (
    words.length > 0 &&
    words.every((one) => [...one.words].some((word) => brand.has(word))) &&
    (words.length > 1 || words.some((one) => first !== undefined && one.words.has(first)))
  )
}

/**
 * Whether a query says no more than the brand of a candidate and modifiers that its name has, as `red bull sugar free`, or what
 * its name has before the brand or begins with, as `cheerios honey nut` and `pringles sour cream`.
 */
export const isOfBrandAlone = (candidate: ParsedCandidate, { keywords }: ParsedQuery): boolean => {
  const { brand, order } = candidate.name
  const [first = ''] = brand
  const isInBrand = ({ words }: Keyword) => [...words].some((word) => brand.has(word))
  const [branded, others] = [keywords.filter(isInBrand), keywords.filter((one) => !isInBrand(one))]
  if (branded.length !== brand.size || !isOfBrand(candidate, branded)) return false
  if (others.every((one) => one.isModifier && weightOf(candidate, one) > 0)) return true
  const before = order.indexOf(first) - others.length
  return [0, before].some((start) => start >= 0 && others.every(({ words }, place) => words.has(order[start + place]!)))
}

/**
 * Whether the phrase that names a candidate of a brand begins with the query, as `Mint Oreo Sandwich Cookies` with `mint oreo`, or has
 * all that the query says besides the brand.
 */
export const isLineOf = (candidate: ParsedCandidate, { keywords }: ParsedQuery): boolean => {
  const { brand, lead, order } = candidate.name
  if (brand.size === 0 || keywords.length < 2) return false
  if ([lead, order].some((name) => keywords.every(({ words }, place) => words.has(name[place] ?? '')))) return true
  const branded = keywords.filter(({ words }) => [...words].some((word) => brand.has(word)))
  return (
    branded.length === brand.size && keywords.every((one) => branded.includes(one) || weightOf(candidate, one) === 1)
  )
}

/** A possessive that begins a name or what follows a dash, without its ending. */
const POSSESSIVE = /(?:^|\s[-–—]\s+)(\S+)['’]S(?=\s)/gi

/** Whether a query begins with the possessive that begins a name, and is all in it: `titos` is `FIFTH GENERATION - TITO'S HANDMADE`. */
export const isOfMaker = (candidate: ParsedCandidate, { keywords }: ParsedQuery): boolean => {
  const makers = [...(candidate.listing.product_name ?? '').matchAll(POSSESSIVE)].map(([, maker = '']) =>
    unaccented(maker),
  )
  return makers.some((maker) => keywords[0]?.words.has(maker)) && keywords.every((one) => weightOf(candidate, one) > 0)
}

/** A word after the first of a name. */
type LaterWord = { word: string; isCapital: boolean; isJoined: boolean }

const JOINS = /^(?:con|d[eio]|da|avec|aux?|sabor|y|et|e)$/i

const laterWords = (name: string): LaterWord[] => {
  const terms = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return terms.slice(1).map((term, place) => ({
    word: singular(unaccented(term)),
    isCapital: /^\p{Lu}/u.test(term),
    isJoined: JOINS.test(terms[place]!),
  }))
}

/** So many names have a longer word that is written small where nouns are. */
const MIN_SMALL_SHARE = 0.2
const SMALL_WORD = /(?<=\S\s+)\p{Ll}{4}/u

/** Whether names write nouns small after their first word, so that a capital there tells a brand. */
export const areNounsSmall = (candidates: readonly ParsedCandidate[]): boolean => {
  const small = candidates.filter(({ listing: { product_name } }) => SMALL_WORD.test(product_name ?? ''))
  return small.length >= MIN_SMALL_SHARE * candidates.length
}

/** A name that so many times as many listings have as one before it is the brand: `Friegasuelos Lavanda Bosque Verde`. */
const MIN_TIMES_BRAND = 20

/**
 * Whether a name in a language that puts the kind first, and writes it small, has a word of the query with a capital after it, as brands
 * are written, and neither a commoner name follows nor `de` or `con` stands before it: `Refresco Coca-Cola Zero`. The other words stand
 * beside it, or are in the name and what hardly any name is of.
 */
export const isBrandedAfter = (
  candidate: ParsedCandidate,
  query: ParsedQuery,
  { frequency }: Lexicon,
  isKind: (keyword: Keyword) => boolean,
): boolean => {
  const { keywords } = query
  const later = laterWords(candidate.listing.product_name ?? '')
  if (keywords.some((one) => weightOf(candidate, one) === 0)) return false
  const placeOf = ({ words }: Keyword): number => later.findIndex(({ word, isCapital }) => isCapital && words.has(word))
  const named = keywords.filter(
    (one) => placeOf(one) >= 0 && frequency(one.word) > 0 && !isKind(one) && !one.isModifier,
  )
  const first = named[0] && placeOf(named[0])
  if (first === undefined || later[first]!.isJoined) return false
  const most = Math.max(...named.map(({ word }) => frequency(word)))
  const isCommoner = ({ word, isCapital }: LaterWord) => isCapital && frequency(word) >= MIN_TIMES_BRAND * most
  if (later.slice(first).some((one) => !query.has(one.word) && isCommoner(one))) return false
  const places = placesOf(candidate, query)
  const isTogether = places.every((place, at) => at === 0 || place === places[at - 1]! + 1)
  return isTogether || keywords.every((one) => placeOf(one) >= 0 || !isKind(one))
}

/** Whether most of those with a brand have the same: what names of several brands begin with is an ingredient or a flavour. */
export const areOfOneBrand = (candidates: readonly ParsedCandidate[]): boolean => {
  const brands = countBy(candidates.flatMap(({ listing: { brand } }) => (brand === null ? [] : [brand])))
  const sum = [...brands.values()].reduce((total, count) => total + count, 0)
  return Math.max(0, ...brands.values()) >= MIN_LEADING_SHARE * sum
}

/** The candidates without those that are named by their brand alone, if others sell the thing: a mouse of Cherry is no cherry. */
export const withoutNamesakes = (
  candidates: readonly ParsedCandidate[],
  kind: Keyword | undefined,
): readonly ParsedCandidate[] => {
  const isBrand = ({ name: { brand } }: ParsedCandidate) => [...brand].some((word) => kind?.words.has(word))
  const isSold = candidates.filter((one) => one.name.brand.size > 0 && !isBrand(one)).length >= MIN_SOLD
  return isSold
    ? candidates.filter((one) => !(isBrand(one) && one.name.lead.every((word) => one.name.brand.has(word))))
    : candidates
}
