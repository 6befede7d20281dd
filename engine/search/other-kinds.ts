import { fold, singular } from '../contract/text.ts'
import { isGeneralAfter } from './general-words.ts'
import { headShareOf, MIN_OTHER_HEAD_SHARE } from './kind.ts'
import { isModifier, isPackaging, isPart } from './modifiers.ts'
import { countBy, type Keyword, type Lexicon, type ParsedCandidate, type ParsedQuery } from './parsed-query.ts'
import { isHeadFirstIn, MIN_EXCESS } from './vocabulary.ts'

/** A word that is the head of so many of its names makes another kind where it stands before another head. */
const MIN_KIND_SHARE = 0.1

/** Whether a word may make a name another kind than the query's, which lacks it. */
const isUnmatched = (word: string, query: ParsedQuery): boolean =>
  !isModifier(word) && !isPart(word) && !query.has(word)

/** The phrase of a name whose head noun the kind is, up to that noun; null without one. */
const phraseBefore = (
  { name: { lead, parts }, heads }: ParsedCandidate,
  { words }: Keyword,
): readonly string[] | null => {
  const head = heads.find((word) => words.has(word))
  if (head === undefined) return null
  const phrase = lead.includes(head) ? lead : parts.find((part) => part.includes(head))
  return phrase === undefined ? null : phrase.slice(0, phrase.indexOf(head))
}

/** Whether a number stands before a word, which then counts or measures something: `18 Sheet`, `Gr. 4`. */
const isCounted = (word: string, { name: { order }, listing }: ParsedCandidate): boolean => {
  const place = order.indexOf(word)
  const isNumber = (beside = '') => /^\d+$/.test(beside)
  if (!isNumber(order[place - 1]) && !isNumber(order[place + 1])) return false
  // The digits of a code count nothing.
  return new RegExp(`(?<!\\S)\\d+ ${word}|${word}(?:e?s)? \\d+(?!\\S)`).test(fold(listing.product_name ?? ''))
}

/** Whether a query says no more than the brand of a candidate and a kind, and so means all that the brand has of it: `campbells soup`. */
const isOfBrandAndKind = (
  { name: { brand } }: ParsedCandidate,
  kind: Keyword,
  { keywords, has }: ParsedQuery,
): boolean =>
  brand.size > 0 &&
  [...brand].every(has) &&
  keywords.every((one) => one === kind || one.isModifier || [...one.words].some((word) => brand.has(word)))

/** Whether a noun just before the words of the query, the head of at least a share of its names, makes the head another kind: peanut butter is no butter. */
const isOtherKind = (
  candidate: ParsedCandidate,
  kind: Keyword,
  query: ParsedQuery,
  { vocabulary }: Lexicon,
  min_share: number,
): boolean => {
  const words =
    vocabulary.isCompounding || isHeadFirstIn(candidate.name, vocabulary) ? null : phraseBefore(candidate, kind)
  if (words === null) return false
  // Two nouns name a kind, and what is before them a variety of it.
  if (words.length > 0 && !isModifier(words.at(-1)!) && query.has(words.at(-1)!)) return false
  if ([...kind.words].some((word) => isGeneralAfter(word, words))) return false
  const before = words.findLast((word) => isUnmatched(word, query))
  if (before === undefined || isPackaging(before) || isCounted(before, candidate)) return false
  if (isOfBrandAndKind(candidate, kind, query)) return false
  return (vocabulary.headShare(before) ?? 0) >= min_share
}

/**
 * Whether an earlier noun of the name is more often what names are of than the kind, which then is a part or flavour: a tea with
 * lemon and ginseng is no ginseng.
 */
export const isPartOfOther = (
  candidate: ParsedCandidate,
  kind: Keyword,
  query: ParsedQuery,
  lexicon: Lexicon,
): boolean => {
  const { vocabulary } = lexicon
  const before = isHeadFirstIn(candidate.name, vocabulary) ? null : phraseBefore(candidate, kind)
  if (before === null) return false
  const least = Math.max(MIN_OTHER_HEAD_SHARE, headShareOf(kind, lexicon) + MIN_EXCESS)
  // What stands between words of the query is a line of the brand: `Almond Breeze Almond Milk`.
  const first = before.findIndex(query.has)
  return before
    .slice(0, first < 0 ? before.length : first)
    .some((word) => isUnmatched(word, query) && !isPackaging(word) && (vocabulary.headShare(word) ?? 0) >= least)
}

const AND = /^(?:&|\+|and|und)$/

/** Whether a name has the kind after another noun and `and`, as one of two flavours or things: `Whisky & Maple Syrup`. */
export const isJoinedToOther = (
  { name, listing }: ParsedCandidate,
  { words }: Keyword,
  query: ParsedQuery,
): boolean => {
  const terms = (listing.product_name ?? '').toLowerCase().split(/[\s,]+/)
  if (!terms.some((term) => AND.test(term))) return false
  const inOrder = terms.map((term) => (AND.test(term) ? term : singular(fold(term))))
  const at = inOrder.findIndex((term) => words.has(term))
  const before = inOrder.slice(0, Math.max(0, at)).toReversed()
  const joint = before.findIndex((term) => !query.has(term) && !isModifier(term))
  const other = before[joint + 1] ?? ''
  return AND.test(before[joint] ?? '') && other !== '' && isUnmatched(other, query) && !name.brand.has(other)
}

const HAS_DIGIT = /\d/

/**
 * Whether a thing only comes with another: the query names the shelf, too, hardly anything there is of the kind, and its noun stands
 * after a model or measure, as the bag does in `Nikon D5300 18-105mm Camera Bag` among cameras.
 */
const comesWithOther = (
  { name: { order }, shelf, aisle }: ParsedCandidate,
  { words }: Keyword,
  { keywords, has }: ParsedQuery,
  { shelfNames, isRareOn }: Lexicon,
): boolean => {
  if (shelf === undefined || aisle === '' || shelf.category_id !== shelf.category_last) return false
  if (keywords.some(({ isNumber }) => isNumber)) return false
  const [own = []] = shelfNames(shelf)
  const place = order.findLastIndex((word) => words.has(word))
  return (
    own.some((word) => has(word) || has(word.replace(/s$/, ''))) &&
    !own.some((word) => words.has(word)) &&
    order.slice(0, Math.max(0, place)).some((word) => HAS_DIGIT.test(word)) &&
    isRareOn(shelf, words)
  )
}

/** The candidates without those whose noun only comes with them. */
export const withoutBundles = (
  headed: readonly ParsedCandidate[],
  kind: Keyword | undefined,
  query: ParsedQuery,
  lexicon: Lexicon,
): readonly ParsedCandidate[] =>
  kind === undefined ? headed : headed.filter((one) => !comesWithOther(one, kind, query, lexicon))

/** The candidates of a kind: those that no other noun makes another kind, and varieties of them. */
type OfKind = { same: readonly ParsedCandidate[]; varieties: readonly ParsedCandidate[] }

/**
 * The candidates that no other noun makes another kind. Varieties have a noun before the kind that is the head of few names, as
 * `sandwich bread`, and are on shelves where at least as many have none.
 */
export const withoutOtherKinds = (
  headed: readonly ParsedCandidate[],
  kind: Keyword | undefined,
  query: ParsedQuery,
  lexicon: Lexicon,
): OfKind => {
  if (kind === undefined) return { same: headed, varieties: [] }
  const same = headed.filter((one) => !isOtherKind(one, kind, query, lexicon, MIN_KIND_SHARE))
  const isSame = new Set(same)
  const others = headed.filter(
    (one) => !isSame.has(one) && !isOtherKind(one, kind, query, lexicon, MIN_OTHER_HEAD_SHARE),
  )
  const shelfOf = ({ listing }: ParsedCandidate) => listing.category_id
  const [counts, otherCounts] = [countBy(same.map(shelfOf)), countBy(others.map(shelfOf))]
  return {
    same,
    varieties: others.filter((one) => (counts.get(shelfOf(one)) ?? 0) >= otherCounts.get(shelfOf(one))!),
  }
}
