/** How a question differs from the name it is made of. */
export type Change = 'words dropped' | 'reordered' | 'typing error'
export type SearchQuestion = { change: Change; name: string; q: string }

type Random = () => number

const MOST_ALIKE = 3

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
  return words.filter((_, at) => at !== out)
}

const reordered = (words: readonly string[], random: Random): string[] =>
  words
    .map((word) => ({ word, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ word }) => word)

/** One letter less, twice, another, or swapped with the next, anywhere in a word. */
const mistyped = (word: string, random: Random): string => {
  const at = below(random, word.length - 1)
  const [before, letter, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
  const other = String.fromCharCode(97 + below(random, 26))
  const forms = [next + after, letter + letter + next + after, other + next + after, next + letter + after]
  return before + forms[below(random, forms.length)]!
}

const withTypingError = (words: readonly string[], random: Random): string[] => {
  const long = words.flatMap((word, at) => (/^[a-z]{4,}$/i.test(word) ? [at] : []))
  const wrong = long[below(random, long.length)]
  return words.map((word, at) => (at === wrong ? mistyped(word, random) : word))
}

const changes: Record<Change, { least: number; make: (words: readonly string[], random: Random) => string[] }> = {
  'words dropped': { least: 4, make: dropped },
  reordered: { least: 2, make: reordered },
  'typing error': { least: 1, make: withTypingError },
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Tells whether so few of the names have all words of a text that somebody could find one of them by it. */
const createTeller = (names: readonly string[]): ((text: string) => boolean) => {
  const having = new Map<string, Set<string>>()
  for (const name of names)
    for (const word of wordsOf(name)) having.set(word, (having.get(word) ?? new Set()).add(name))
  return (text) => {
    const [rarest, ...others] = wordsOf(text)
      .map((word) => having.get(word) ?? new Set<string>())
      .sort((a, b) => a.size - b.size)
    return [...(rarest ?? [])].filter((name) => others.every((names) => names.has(name))).length <= MOST_ALIKE
  }
}

/**
 * Seeded questions made of names, the changes in turn. Passed over are names too short for their change, and dropped
 * words without which more than three names have all the others: nobody could tell which was meant.
 */
export const questionsFrom = (names: readonly string[], count: number, random: Random): SearchQuestion[] => {
  const questions: SearchQuestion[] = []
  const kinds = Object.keys(changes) as Change[]
  const isTelling = createTeller(names)
  while (questions.length < count) {
    const change = kinds[questions.length % kinds.length]!
    const name = names[below(random, names.length)]!
    const words = name.split(/\s+/)
    if (words.length < changes[change].least) continue
    const q = changes[change].make(words, random).join(' ')
    if (change === 'words dropped' ? isTelling(q) : change === 'reordered' || q !== name)
      questions.push({ change, name, q })
  }
  return questions
}
