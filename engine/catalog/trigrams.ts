/** An inverted index of three-letter sequences. */
export type Trigrams<T> = {
  /** The values that may contain the text, by its rarest trigram. The text has three letters or more; the caller verifies. */
  containing(text: string): readonly T[]
  /** The values whose trigrams have at least the given Jaccard similarity to the text's. */
  similar(text: string, min_jaccard: number): readonly { value: T; jaccard: number }[]
}

const trigramsOf = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (let at = 0; at + 3 <= text.length; at += 1) found.add(text.slice(at, at + 3))
  return found
}

export const createTrigrams = <T>(values: readonly T[], textOf: (value: T) => string): Trigrams<T> => {
  const postings = new Map<string, number[]>()
  const sizes = values.map((value, at) => {
    const trigrams = trigramsOf(textOf(value))
    for (const trigram of trigrams) {
      const posting = postings.get(trigram)
      if (posting) posting.push(at)
      else postings.set(trigram, [at])
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
      return (rarest ?? []).map((at) => values[at]!)
    },
    similar(text, min_jaccard) {
      const trigrams = trigramsOf(text)
      shared.fill(0)
      for (const trigram of trigrams) for (const at of postings.get(trigram) ?? []) shared[at]! += 1
      const found: { value: T; jaccard: number }[] = []
      shared.forEach((count, at) => {
        const jaccard = count / (trigrams.size + sizes[at]! - count)
        if (count > 0 && jaccard >= min_jaccard) found.push({ value: values[at]!, jaccard })
      })
      return found
    },
  }
}
