import { readContents } from './contents.ts'
import { aisleOf, foreignWords, whatIsMeant } from './meant.ts'
import { readName } from './name-reading.ts'
import { type Candidate, type Lexicon, type QueryReading, type Read, readQuery, UNSAID } from './query-reading.ts'

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
/**
 * How well a name fits: the weight of the text's words, each by its place in the name, as a share of their whole weight and
 * as one of theirs and that of the words beside them; the mean of both. Rare words weigh more: ln(1 + listings / listings
 * with the word).
 */
const confidenceOf = ({ reading }: Read, query: QueryReading, lexicon: Lexicon): number => {
  const weight = (word: string) => Math.log(1 + lexicon.listing_count / Math.max(1, lexicon.frequency(word)))
  const sum = (words: readonly string[], by: (word: string) => number) =>
    words.reduce((total, word) => total + by(word), 0)
  const place = (word: string) => reading.places.get(word) ?? UNSAID
  const beside = [...reading.places.keys()].filter(
    (word) => !query.has(word) && !reading.brand.has(word) && !/\d/.test(word),
  )
  const said = sum(query.all, (word) => weight(word) * place(word))
  const all = sum(query.all, weight)
  const both = all + sum(beside, (word) => weight(word) * place(word))
  return all === 0 ? UNSAID : Math.min(MAX_CONFIDENCE, (said / all + said / both) / 2)
}

/** What makes a thing another kind: `peanut butter`, and where it stands and its size if only these differ. */
const kindOf = (candidate: Read, query: QueryReading, kind: string | undefined, isAlike: boolean): string => {
  const { heads, lead } = candidate.reading
  const sort = foreignWords(candidate, query).filter((word) => lead.includes(word) && word !== heads[0])
  const parts = [
    kind !== undefined && heads.includes(kind) ? sort.at(-1) : '',
    heads[0],
    ...(isAlike ? [aisleOf(candidate), candidate.size?.total] : []),
  ]
  return parts.filter(Boolean).join(' ')
}

/**
 * Ranks what a text finds by what it means, before any price is looked at: by the kind of thing that the text names or most
 * candidates are, where it stands, and its size; then by the share of the name that was asked for. Equals stay in their order.
 */
export const rankByRelevance = (q: string, found: readonly Candidate[], lexicon: Lexicon): Ranked[] => {
  const isSized = readContents(q) !== null
  const candidates = found.map((candidate) => {
    const { product_name, brand } = candidate.known
    const name = product_name ?? ''
    return { ...candidate, reading: readName(name, brand), size: isSized ? readContents(name) : null }
  })
  const query = readQuery(q, candidates, lexicon)
  const { kind, alike, meant } = whatIsMeant(query, candidates, lexicon)
  return candidates
    .map((candidate) => ({
      number: candidate.number,
      match_confidence: confidenceOf(candidate, query, lexicon),
      kind: kindOf(candidate, query, kind, alike.has(candidate)),
      is_meant: meant.has(candidate),
      is_named: candidate.is_named,
    }))
    .sort(
      (a, b) =>
        Number(b.is_named) - Number(a.is_named) ||
        Number(b.is_meant) - Number(a.is_meant) ||
        b.match_confidence - a.match_confidence,
    )
    .map(({ is_named: _, ...ranked }) => ranked)
}
