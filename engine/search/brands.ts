import { unaccented } from '../contract/text.ts'
import { countBy, type Keyword, type ParsedCandidate, type ParsedQuery, weightOf } from './parsed-query.ts'

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

/** Whether the phrase that names a candidate of a brand begins with the query, as `Mint Oreo Sandwich Cookies` with `mint oreo`. */
export const isLineOf = (
  { name: { lead, order }, listing: { brand } }: ParsedCandidate,
  { keywords }: ParsedQuery,
): boolean =>
  brand !== null &&
  keywords.length > 1 &&
  [lead, order].some((name) => keywords.every(({ words }, place) => words.has(name[place] ?? '')))

/** A possessive that begins a name or what follows a dash, without its ending. */
const POSSESSIVE = /(?:^|\s[-–—]\s+)(\S+)['’]S(?=\s)/gi

/** Whether a query begins with the possessive that begins a name, and is all in it: `titos` is `FIFTH GENERATION - TITO'S HANDMADE`. */
export const isOfMaker = (candidate: ParsedCandidate, { keywords }: ParsedQuery): boolean => {
  const makers = [...(candidate.listing.product_name ?? '').matchAll(POSSESSIVE)].map(([, maker = '']) =>
    unaccented(maker),
  )
  return makers.some((maker) => keywords[0]?.words.has(maker)) && keywords.every((one) => weightOf(candidate, one) > 0)
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
