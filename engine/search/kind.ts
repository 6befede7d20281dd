import { isContainer } from './modifiers.ts'
import {
  type Keyword,
  type Lexicon,
  type ParsedCandidate,
  type ParsedQuery,
  PURPOSE_WEIGHT,
  weightOf,
} from './parsed-query.ts'
import { MIN_EXCESS } from './vocabulary.ts'

/** A word that is the head of a smaller share of its names names no kind if another word of the query is that of more. */
const MAX_UNLIKELY_HEAD_SHARE = 0.08
export const MIN_OTHER_HEAD_SHARE = 0.3

/**
 * Whether a name is of a kind: its head noun or, before containers, the last word after a dash, even if the catalogue does not tell
 * that names are of it, since before the dash is a brand: `RECLINE RIDGE - OPTIMA ICEWINE`.
 */
export const isHeadedBy = ({ heads, name }: ParsedCandidate, { words }: Keyword): boolean =>
  heads.some((head) => words.has(head)) ||
  (name.isHeadFirst !== true && words.has(name.dashed.findLast((word) => !isContainer(word)) ?? ''))

export const headShareOf = ({ words }: Keyword, { vocabulary }: Lexicon): number =>
  Math.max(0, ...[...words].map((word) => vocabulary.headShare(word) ?? 0))

/** Whether a candidate is on or below a shelf of one kind whose name has a word. */
const isOnShelfOf = ({ shelf }: ParsedCandidate, { words }: Keyword, { shelfNames }: Lexicon): boolean =>
  shelf !== undefined && shelfNames(shelf).some((names) => names.some((name) => words.has(name)))

/** The words of a query that may name its product: no modifiers or numbers, and what is before `with` and `for`. */
const topicsOf = ({ keywords }: ParsedQuery): readonly Keyword[] => {
  const words = keywords.filter(({ isNumber }) => !isNumber)
  const nouns = words.filter((one) => !one.isModifier)
  const topics = (nouns.length > 0 ? nouns : words).filter(({ isPurpose }) => !isPurpose)
  return topics.length > 0 ? topics : words
}

/** The noun of a query that puts it first, as names never do: most names with both words of `pizza pepperoni` are pizzas. */
const nounFirst = (
  kind: Keyword,
  query: ParsedQuery,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
): Keyword | undefined => {
  const topics = topicsOf(query)
  if (topics.at(-1) !== kind) return undefined
  // Names count, however many listings have them.
  const distinct = [...new Map(candidates.map((one) => [one.name, one])).values()]
  const placeIn = ({ name: { order } }: ParsedCandidate, { words }: Keyword) =>
    order.findIndex((word) => words.has(word))
  const shares = [...kind.words].flatMap((word) => lexicon.vocabulary.headShare(word) ?? [])
  /** Whether the last word is a variety: none that is of it has the noun before it, or it is seldom what names are of. */
  const isVariety = (noun: Keyword) =>
    lexicon.vocabulary.isCompounding ||
    !distinct.some((one) => isHeadedBy(one, kind) && placeIn(one, noun) < placeIn(one, kind)) ||
    (shares.length > 0 && Math.max(...shares) < MIN_OTHER_HEAD_SHARE)
  /** Whether names are more often of the noun than of the last word: water rather than lime, chips rather than vinegar. */
  const isLikelier = (noun: Keyword) =>
    shares.length > 0 && headShareOf(noun, lexicon) >= Math.max(...shares) + MIN_EXCESS
  // What something comes with is no variety of it: a set with a stand is no stand.
  const isOfNoun = (noun: Keyword) => (one: ParsedCandidate) =>
    isHeadedBy(one, noun) && !isHeadedBy(one, kind) && weightOf(one, kind) !== PURPOSE_WEIGHT
  const isNounOfMost = (noun: Keyword) => 2 * distinct.filter(isOfNoun(noun)).length >= distinct.length
  return topics
    .slice(0, -1)
    .findLast((noun) => isNounOfMost(noun) && ((noun === topics.at(-2) && isVariety(noun)) || isLikelier(noun)))
}

/**
 * The word that names the kind of product: the last one, in some languages the first, unless it is hardly ever a head noun and
 * another is, or no candidate has it as its head and most have another.
 */
export const kindIn = (
  query: ParsedQuery,
  candidates: readonly ParsedCandidate[],
  lexicon: Lexicon,
): Keyword | undefined => {
  const topics = topicsOf(query)
  const first = lexicon.vocabulary.isHeadFirst ? topics[0] : topics.at(-1)
  if (first === undefined) return undefined
  const [likelier] = topics.toSorted((a, b) => headShareOf(b, lexicon) - headShareOf(a, lexicon))
  const isUnlikely =
    headShareOf(first, lexicon) < MAX_UNLIKELY_HEAD_SHARE && headShareOf(likelier!, lexicon) >= MIN_OTHER_HEAD_SHARE
  const kind = isUnlikely ? likelier! : first
  const headedBy = (one: Keyword) => candidates.filter((candidate) => isHeadedBy(candidate, one)).length
  if (headedBy(kind) > 0) return nounFirst(kind, query, candidates, lexicon) ?? kind
  // What something is made of or comes with names no kind, even beside another word of the query. Nor does a noun of its own where only a
  // shelf of several kinds has the kind: lentils among pasta and rice are no pasta.
  const isOfKind = (one: Keyword) => (candidate: ParsedCandidate) =>
    isHeadedBy(candidate, one) &&
    weightOf(candidate, kind) !== PURPOSE_WEIGHT &&
    (headShareOf(one, lexicon) < MIN_OTHER_HEAD_SHARE ||
      weightOf(candidate, kind) > 0 ||
      isOnShelfOf(candidate, kind, lexicon))
  const [other] = topics
    .map((one) => ({ one, count: candidates.filter(isOfKind(one)).length }))
    .filter(({ count }) => 2 * count >= candidates.length)
    .sort((a, b) => b.count - a.count)
  return other?.one ?? kind
}
