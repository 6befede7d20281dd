import { giveWay } from '../contract/turn.ts'
import { inferIntent } from './intent.ts'
import {
  type Candidate,
  type Lexicon,
  NEUTRAL_WEIGHT,
  type ParsedCandidate,
  type ParsedQuery,
  parseCandidate,
  parseQuery,
  type SearchedText,
} from './parsed-query.ts'

/** A listing with its relevance to a query. */
export type RankedListing = {
  number: number
  /** How well the name matches the query, 0 to 0.99. */
  match_confidence: number
  /** Its kind of product, by which listings that were not intended are grouped. */
  kind: string
  /** Whether it is of the kind, in the aisle and of the size that the query asks for. */
  is_intended: boolean
  /** Whether it is intended and its name says nothing else that would make it another thing. */
  is_plain: boolean
}

/** Only a verified product is certain. */
const MAX_CONFIDENCE = 0.99

const HAS_DIGIT = /\d/

/** The weight of a word, its inverse document frequency: ln(1 + listings / listings with the word). */
const createWeights = ({ listing_count, frequency }: Lexicon): ((word: string) => number) => {
  const weights = new Map<string, number>()
  return (word) => {
    const weight = weights.get(word) ?? Math.log(1 + listing_count / Math.max(1, frequency(word)))
    weights.set(word, weight)
    return weight
  }
}

/**
 * How well a name matches: the weight of the query's words, each scaled by its position in the name, as a share of the
 * query's total weight and of that plus the weight of the name's extra words; the mean of both shares.
 */
const confidenceOf = ({ name }: ParsedCandidate, query: ParsedQuery, weightOf: (word: string) => number): number => {
  const { weights, brand } = name
  let [matched, all, extra] = [0, 0, 0]
  for (const { word, words } of query.keywords) {
    const place = Math.max(-1, ...[...words].map((each) => weights.get(each) ?? -1))
    matched += weightOf(word) * (place < 0 ? NEUTRAL_WEIGHT : place)
    all += weightOf(word)
  }
  for (const [word, positionWeight] of weights)
    if (!query.has(word) && !brand.has(word) && !HAS_DIGIT.test(word)) extra += weightOf(word) * positionWeight
  return all === 0 ? NEUTRAL_WEIGHT : Math.min(MAX_CONFIDENCE, (matched / all + matched / (all + extra)) / 2)
}

/** The kind of a candidate, such as `peanut butter`; with its aisle and size if only these differ from the intended ones. */
const kindOf = (
  { heads, unmatched, aisle, size }: ParsedCandidate,
  kind: string | undefined,
  isSameKind: boolean,
): string => {
  const distinguishing = unmatched.filter((word) => word !== heads[0])
  const parts = [
    kind !== undefined && heads.includes(kind) ? distinguishing.at(-1) : '',
    heads[0],
    ...(isSameKind ? [aisle, size?.total] : []),
  ]
  return parts.filter(Boolean).join(' ')
}

/**
 * Ranks search results by the intent of the query, whatever their prices: exact names first, then listings of the intended
 * kind, aisle and size, the plainest of them before others, then by how well the name matches. Ties keep their order.
 */
export const rankByRelevance = async (
  q: string,
  searched: SearchedText,
  results: readonly Candidate[],
  lexicon: Lexicon,
): Promise<RankedListing[]> => {
  const query = parseQuery(q, searched)
  const candidates: ParsedCandidate[] = []
  for (const candidate of results) {
    candidates.push(parseCandidate(candidate, query, lexicon))
    await giveWay()
  }
  await giveWay()
  const weightOf = createWeights(lexicon)
  const { kind, sameKind, intended, plain } = inferIntent(query, candidates, lexicon)
  const rankOf = ({ is_exact_name }: ParsedCandidate, { is_intended, is_plain }: RankedListing): number =>
    Number(is_exact_name) * 4 + Number(is_intended) * 2 + Number(is_plain)
  return candidates
    .map((candidate) => {
      const ranked: RankedListing = {
        number: candidate.number,
        match_confidence: confidenceOf(candidate, query, weightOf),
        kind: kindOf(candidate, kind, sameKind.has(candidate)),
        is_intended: intended.has(candidate),
        is_plain: plain.has(candidate),
      }
      return { ranked, rank: rankOf(candidate, ranked) }
    })
    .sort((a, b) => b.rank - a.rank || b.ranked.match_confidence - a.ranked.match_confidence)
    .map(({ ranked }) => ranked)
}
