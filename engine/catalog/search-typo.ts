/** Shorter words are too much like others to be meant by mistake, and longer ones have too many neighbours to try. */
const LEAST_LETTERS = 4
const MOST_LETTERS = 32
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const WORD = /^[a-z]+$/

/**
 * The words that one typing error turns into a word: one letter more, fewer or another, or two neighbours swapped, from
 * a position on. None for anything with a digit, where another digit is another product.
 */
export const typosOf = (word: string, from = 0): ReadonlySet<string> => {
  const meant = new Set<string>()
  if (word.length > MOST_LETTERS || !WORD.test(word)) return meant
  for (let at = from; at <= word.length; at += 1) {
    const [before, letter, next, after] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 1)]
    if (word.length > LEAST_LETTERS) meant.add(before + after)
    if (word.length >= LEAST_LETTERS) meant.add(before + next + letter + after.slice(1))
    for (const other of LETTERS) {
      if (word.length >= LEAST_LETTERS) meant.add(before + other + after)
      if (word.length >= LEAST_LETTERS - 1) meant.add(before + other + letter + after)
    }
  }
  meant.delete(word)
  return meant
}
