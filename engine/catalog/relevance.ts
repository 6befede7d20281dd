import { whatIsMeant } from './meant.ts'
import { readName } from './name-reading.ts'
import {
  type Candidate,
  type Lexicon,
  type QueryReading,
  type Read,
  readCandidate,
  readQuery,
  UNSAID,
} from './query-reading.ts'

/** A listing with what a text says of it. */
export type Ranked = {
  number: number
  /** How well the text and the name fit, 0 to 0.99. */
  match_confidence: number
  /** What kind of thing it is, where it is another than was meant. */
  kind: string
  /** Whether it is of the kind and the size that was meant. */
  is_meant: boolean
}

/** Only a verified product is certain. */
const MAX_CONFIDENCE = 0.99

const HAS_DIGIT = /\d/

/** What words weigh: rare ones more, ln(1 + listings / listings with the word). */
const createWeights = ({ listing_count, frequency }: Lexicon): ((word: string) => number) => {
  const weights = new Map<string, number>()
  return (word) => {
    const weight = weights.get(word) ?? Math.log(1 + listing_count / Math.max(1, frequency(word)))
    weights.set(word, weight)
    return weight
  }
}

/**
 * How well a name fits: the weight of the text's words, each by its place in the name, as a share of their whole weight and
 * as one of theirs and that of the words beside them; the mean of both.
 */
const confidenceOf = ({ reading }: Read, query: QueryReading, weightOf: (word: string) => number): number => {
  const { places, brand } = reading
  let [said, all, beside] = [0, 0, 0]
  for (const word of query.all) {
    said += weightOf(word) * (places.get(word) ?? UNSAID)
    all += weightOf(word)
  }
  for (const [word, place] of places)
    if (!query.has(word) && !brand.has(word) && !HAS_DIGIT.test(word)) beside += weightOf(word) * place
  return all === 0 ? UNSAID : Math.min(MAX_CONFIDENCE, (said / all + said / (all + beside)) / 2)
}

/** What makes a thing another kind: `peanut butter`, and its shelf and size if only these differ. */
const kindOf = ({ reading, foreign, aisle, size }: Read, kind: string | undefined, isAlike: boolean): string => {
  const { heads, lead } = reading
  const sort = foreign.filter((word) => lead.includes(word) && word !== heads[0])
  const parts = [
    kind !== undefined && heads.includes(kind) ? sort.at(-1) : '',
    heads[0],
    ...(isAlike ? [aisle, size?.total] : []),
  ]
  return parts.filter(Boolean).join(' ')
}

/**
 * Ranks what a text finds by what it means, before any price is looked at: by the kind of thing that the text names or most
 * candidates are, its shelf, and its size; then by how well the name fits. Equals stay in their order.
 */
export const rankByRelevance = (q: string, found: readonly Candidate[], lexicon: Lexicon): Ranked[] => {
  const names = found.map(({ listing }) => readName(listing.product_name ?? '', listing.brand))
  const query = readQuery(q, names, lexicon)
  const candidates = found.map((candidate, at) => readCandidate(candidate, names[at]!, query))
  const weightOf = createWeights(lexicon)
  const { kind, alike, meant } = whatIsMeant(query, candidates, lexicon)
  const place = ({ is_named }: Read, { is_meant }: Ranked): number => Number(is_named) * 2 + Number(is_meant)
  return candidates
    .map((candidate) => {
      const ranked: Ranked = {
        number: candidate.number,
        match_confidence: confidenceOf(candidate, query, weightOf),
        kind: kindOf(candidate, kind, alike.has(candidate)),
        is_meant: meant.has(candidate),
      }
      return { ranked, place: place(candidate, ranked) }
    })
    .sort((a, b) => b.place - a.place || b.ranked.match_confidence - a.ranked.match_confidence)
    .map(({ ranked }) => ranked)
}
