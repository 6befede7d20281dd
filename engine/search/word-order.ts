/** Whether a word sorts before another in the file: by code point, whereas `<` compares UTF-16 code units. */
const sortsBefore = (word: string, other: string): boolean => {
  let position = 0
  while (position < word.length && word[position] === other[position]) position += 1
  return position < other.length && (word.codePointAt(position) ?? -1) < other.codePointAt(position)!
}

/** The index of the first word that does not sort before another. */
export const wordLowerBound = (words: readonly string[], other: string): number => {
  let [from, to] = [0, words.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sortsBefore(words[middle]!, other)) from = middle + 1
    else to = middle
  }
  return from
}
