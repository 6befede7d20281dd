import { isPackaging } from './modifiers.ts'
import { type ParsedCandidate, type ParsedQuery, weightOf } from './parsed-query.ts'
import type { Vocabulary } from './vocabulary.ts'

/** At least this share of the candidates are its plainest. */
const MIN_PLAIN_SHARE = 0.1

/**
 * The plainest candidates: those that say least besides the words of the query, at least a tenth of all. What begins names may be a
 * brand, which says nothing of the kind; what is not in the phrase that names the product says less of it. A name without a word of the query, which
 * its shelf has, says less plainly that it is meant.
 */
export const plainest = (
  candidates: readonly ParsedCandidate[],
  query: ParsedQuery,
  { isName }: Vocabulary,
): readonly ParsedCandidate[] => {
  const costs = candidates.map((candidate) => {
    const naming = new Set(candidate.unmatched)
    const extra = new Set(candidate.name.significant.filter((word) => !query.has(word) && !isPackaging(word)))
    const lacking = query.keywords.filter((one) => !one.isNumber && weightOf(candidate, one) === 0)
    return [...extra].reduce((sum, word) => sum + (naming.has(word) && !isName(word) ? 2 : 1), 2 * lacking.length)
  })
  const most = costs.toSorted((a, b) => a - b)[Math.ceil(MIN_PLAIN_SHARE * costs.length) - 1] ?? 0
  return candidates.filter((_, index) => costs[index]! <= most)
}
