/** Whether a word sorts before another in the file: by code point, whereas `<` compares UTF-16 code units. */
const sortsBefore = (word: string, other: string): boolean => {
  let at = 0
  while (at < word.length && word[at] === other[at]) at += 1
  return at < other.length && (word.codePointAt(at) ?? -1) < other.codePointAt(at)!
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
