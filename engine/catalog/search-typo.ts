/** The shortest words that may be mistyped, and the shortest whose first letter may be. */
const LEAST_LETTERS = 4
const LEAST_LETTERS_FOR_FIRST = 6
/** Longer words have too many neighbours to try. */
const MOST_LETTERS = 32
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const WORD = /^[a-z]+$/

/**
 * The words one typing error away from a word of letters: one letter more, fewer or another, or two neighbours swapped.
 * None for words under four letters and for anything with a digit, where another digit is another product.
 */
export const typosOf = (word: string): Set<string> => {
  const typos = new Set<string>()
  if (word.length < LEAST_LETTERS || word.length > MOST_LETTERS || !WORD.test(word)) return typos
  for (let at = word.length < LEAST_LETTERS_FOR_FIRST ? 1 : 0; at <= word.length; at += 1) {
    const [before, letter, next, after] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 1)]
    typos.add(before + after).add(before + next + letter + after.slice(1))
    for (const other of LETTERS) typos.add(before + other + after).add(before + other + letter + after)
  }
  typos.delete(word)
  return typos
}
