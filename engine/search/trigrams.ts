/** An inverted index of three-letter sequences. */
export type Trigrams<T> = {
  /** The values that may contain the text, by its rarest trigram. The text has three letters or more; the caller verifies. */
  containing(text: string): readonly T[]
  /** The values whose trigrams have at least the given Jaccard similarity to the text's. */
  similar(text: string, min_jaccard: number): readonly { value: T; jaccard: number }[]
}

const trigramsOf = (text: string): ReadonlySet<string> => {
  const trigrams = new Set<string>()
  for (let start = 0; start + 3 <= text.length; start += 1) trigrams.add(text.slice(start, start + 3))
  return trigrams
}

export const createTrigrams = <T>(values: readonly T[], spellingOf: (value: T) => string): Trigrams<T> => {
  const postings = new Map<string, number[]>()
  const sizes = values.map((value, index) => {
    const trigrams = trigramsOf(spellingOf(value))
    for (const trigram of trigrams) {
      const posting = postings.get(trigram)
      if (posting) posting.push(index)
      else postings.set(trigram, [index])
    }
    return trigrams.size
  })
  const shared = new Uint16Array(values.length)

  return {
    containing(text) {
      let rarest: readonly number[] | undefined
      for (const trigram of trigramsOf(text)) {
        const posting = postings.get(trigram) ?? []
        if (!rarest || posting.length < rarest.length) rarest = posting
      }
      return (rarest ?? []).map((index) => values[index]!)
    },
    similar(text, min_jaccard) {
      const trigrams = trigramsOf(text)
      shared.fill(0)
      for (const trigram of trigrams) for (const index of postings.get(trigram) ?? []) shared[index]! += 1
      const matches: { value: T; jaccard: number }[] = []
      shared.forEach((count, index) => {
        const jaccard = count / (trigrams.size + sizes[index]! - count)
        if (count > 0 && jaccard >= min_jaccard) matches.push({ value: values[index]!, jaccard })
      })
      return matches
    },
  }
}
