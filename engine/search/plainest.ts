import { isPackaging } from './modifiers.ts'
import type { ParsedCandidate, ParsedQuery } from './parsed-query.ts'
import type { Vocabulary } from './vocabulary.ts'

/** At least this share of the candidates are its plainest. */
const MIN_PLAIN_SHARE = 0.1

/**
 * The plainest candidates: those that say least besides the words of the query, at least a tenth of all. What begins names may be a
 * brand, which says nothing of the kind; what is not in the phrase that names the product says less of it.
 */
export const plainest = (
  candidates: readonly ParsedCandidate[],
  query: ParsedQuery,
  { isName }: Vocabulary,
): readonly ParsedCandidate[] => {
  const costs = candidates.map(({ name, unmatched }) => {
    const naming = new Set(unmatched)
    const extra = new Set(name.significant.filter((word) => !query.has(word) && !isPackaging(word)))
    return [...extra].reduce((sum, word) => sum + (naming.has(word) && !isName(word) ? 2 : 1), 0)
  })
  const most = costs.toSorted((a, b) => a - b)[Math.ceil(MIN_PLAIN_SHARE * costs.length) - 1] ?? 0
  return candidates.filter((_, index) => costs[index]! <= most)
}
