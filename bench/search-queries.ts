/** How a query differs from the product name it is derived from. */
export type Change = 'words dropped' | 'reordered' | 'typing error'
export type SearchQuery = { change: Change; name: string; q: string }

type Random = () => number

const MAX_MATCHES = 3

/** Numbers in [0, 1) that are the same in every run (Park and Miller's generator). */
export const seededRandom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

const below = (random: Random, count: number): number => Math.floor(random() * count)

const dropped = (words: readonly string[], random: Random): string[] => {
  const out = below(random, words.length)
  return words.filter((_, index) => index !== out)
}

const reordered = (words: readonly string[], random: Random): string[] =>
  words
    .map((word) => ({ word, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ word }) => word)

/** One letter less, twice, another, or swapped with the next, anywhere in a word. */
const mistyped = (word: string, random: Random): string => {
  const position = below(random, word.length - 1)
  const [before, letter, next, after] = [
    word.slice(0, position),
    word[position]!,
    word[position + 1]!,
    word.slice(position + 2),
  ]
  const other = String.fromCharCode(97 + below(random, 26))
  const forms = [next + after, letter + letter + next + after, other + next + after, next + letter + after]
  return before + forms[below(random, forms.length)]!
}

const withTypingError = (words: readonly string[], random: Random): string[] => {
  const long = words.flatMap((word, index) => (/^[a-z]{4,}$/i.test(word) ? [index] : []))
  const wrong = long[below(random, long.length)]
  return words.map((word, index) => (index === wrong ? mistyped(word, random) : word))
}

const changes: Record<Change, { min_words: number; make: (words: readonly string[], random: Random) => string[] }> = {
  'words dropped': { min_words: 4, make: dropped },
  reordered: { min_words: 2, make: reordered },
  'typing error': { min_words: 1, make: withTypingError },
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether a text is specific: at most `MAX_MATCHES` names have all its words. */
const createSpecificity = (names: readonly string[]): ((text: string) => boolean) => {
  const namesByWord = new Map<string, Set<string>>()
  for (const name of names)
    for (const word of wordsOf(name)) namesByWord.set(word, (namesByWord.get(word) ?? new Set()).add(name))
  return (text) => {
    const [rarest, ...others] = wordsOf(text)
      .map((word) => namesByWord.get(word) ?? new Set<string>())
      .sort((a, b) => a.size - b.size)
    return [...(rarest ?? [])].filter((name) => others.every((names) => names.has(name))).length <= MAX_MATCHES
  }
}

/**
 * Queries derived from names, with the changes in turn. Skipped are names that are too short for the change, and queries that
 * match more than three names after a word is dropped.
 */
export const deriveQueries = (names: readonly string[], count: number, random: Random): SearchQuery[] => {
  const queries: SearchQuery[] = []
  const kinds = Object.keys(changes) as Change[]
  const isSpecific = createSpecificity(names)
  while (queries.length < count) {
    const change = kinds[queries.length % kinds.length]!
    const name = names[below(random, names.length)]!
    const words = name.split(/\s+/)
    if (words.length < changes[change].min_words) continue
    const q = changes[change].make(words, random).join(' ')
    if (change === 'words dropped' ? isSpecific(q) : change === 'reordered' || q !== name)
      queries.push({ change, name, q })
  }
  return queries
}
