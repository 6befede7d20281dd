/** Shorter words resemble too many others to be corrected; longer ones have too many corrections to try. */
const MIN_LENGTH = 4
const MAX_LENGTH = 32
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const WORD = /^[a-z]+$/

/**
 * The words at one edit from a word: a letter inserted, deleted or replaced, or two neighbours swapped, at or after the
 * position `from`. None for a word with a digit, where another digit is another product.
 */
export const typosOf = (word: string, from = 0): ReadonlySet<string> => {
  const corrections = new Set<string>()
  if (word.length > MAX_LENGTH || !WORD.test(word)) return corrections
  for (let position = from; position <= word.length; position += 1) {
    const [before, letter, next, after] = [
      word.slice(0, position),
      word[position] ?? '',
      word[position + 1] ?? '',
      word.slice(position + 1),
    ]
    if (word.length > MIN_LENGTH) corrections.add(before + after)
    if (word.length >= MIN_LENGTH) corrections.add(before + next + letter + after.slice(1))
    for (const other of LETTERS) {
      if (word.length >= MIN_LENGTH) corrections.add(before + other + after)
      if (word.length >= MIN_LENGTH - 1) corrections.add(before + other + letter + after)
    }
  }
  corrections.delete(word)
  return corrections
}
