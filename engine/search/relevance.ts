import { inferIntent } from './intent.ts'
import { parseName } from './parsed-name.ts'
import {
  type Candidate,
  type Lexicon,
  NEUTRAL_WEIGHT,
  type ParsedCandidate,
  type ParsedQuery,
  parseCandidate,
  parseQuery,
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
  for (const word of query.all) {
    matched += weightOf(word) * (weights.get(word) ?? NEUTRAL_WEIGHT)
    all += weightOf(word)
  }
  for (const [word, positionWeight] of weights)
    if (!query.has(word) && !brand.has(word) && !HAS_DIGIT.test(word)) extra += weightOf(word) * positionWeight
  return all === 0 ? NEUTRAL_WEIGHT : Math.min(MAX_CONFIDENCE, (matched / all + matched / (all + extra)) / 2)
}

/** The kind of a candidate, such as `peanut butter`; with its aisle and size if only these differ from the intended ones. */
const kindOf = (
  { name, unmatched, aisle, size }: ParsedCandidate,
  kind: string | undefined,
  isSameKind: boolean,
): string => {
  const { heads, lead } = name
  const distinguishing = unmatched.filter((word) => lead.includes(word) && word !== heads[0])
  const parts = [
    kind !== undefined && heads.includes(kind) ? distinguishing.at(-1) : '',
    heads[0],
    ...(isSameKind ? [aisle, size?.total] : []),
  ]
  return parts.filter(Boolean).join(' ')
}

/**
 * Ranks search results by the intent of the query, whatever their prices: exact names first, then listings of the intended
 * kind, aisle and size, then by how well the name matches. Ties keep their order.
 */
export const rankByRelevance = (q: string, results: readonly Candidate[], lexicon: Lexicon): RankedListing[] => {
  const names = results.map(({ listing }) => parseName(listing.product_name ?? '', listing.brand))
  const query = parseQuery(q, names, lexicon)
  const candidates = results.map((candidate, index) => parseCandidate(candidate, names[index]!, query))
  const weightOf = createWeights(lexicon)
  const { kind, sameKind, intended } = inferIntent(query, candidates, lexicon)
  const rankOf = ({ is_exact_name }: ParsedCandidate, { is_intended }: RankedListing): number =>
    Number(is_exact_name) * 2 + Number(is_intended)
  return candidates
    .map((candidate) => {
      const ranked: RankedListing = {
        number: candidate.number,
        match_confidence: confidenceOf(candidate, query, weightOf),
        kind: kindOf(candidate, kind, sameKind.has(candidate)),
        is_intended: intended.has(candidate),
      }
      return { ranked, rank: rankOf(candidate, ranked) }
    })
    .sort((a, b) => b.rank - a.rank || b.ranked.match_confidence - a.ranked.match_confidence)
    .map(({ ranked }) => ranked)
}
