import { giveWay } from '../contract/turn.ts'
import type { IndexFile } from './files/index-file.ts'
import { type BytesColumn, textAt } from './files/layout.ts'
import type { WORDS } from './files/tables.ts'
import { createWordFilter } from './word-filter.ts'

/** Where the listings with a word begin in the list of all words' listings, and where they end. */
export type WordRange = { begin: number; end: number }

/** Whether the bytes [begin, end) sort before a word. Bytes of UTF-8 sort as code points do, as the file is sorted. */
const sortsBefore = (bytes: Uint8Array, begin: number, end: number, word: Uint8Array): boolean => {
  const length = Math.min(end - begin, word.length)
  for (let position = 0; position < length; position += 1) {
    const difference = bytes[begin + position]! - word[position]!
    if (difference !== 0) return difference < 0
  }
  return end - begin < word.length
}

/** The first position in [0, count) that does not sort before a word; `count` without one. */
const lowerBound = (count: number, isBefore: (position: number) => boolean): number => {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}

const firstFrom = ({ bytes, offsets }: BytesColumn, word: Uint8Array): number =>
  lowerBound(offsets.length - 1, (i) => sortsBefore(bytes, offsets[i]!, offsets[i + 1]!, word))

/** Finds a country's words. In memory are the first word of each batch and a filter of all words. */
export const openWords = async (file: IndexFile<typeof WORDS.layout>) => {
  const first_words: Buffer[] = []
  const filter = createWordFilter(file.rows)
  for await (const { word } of file.batches()) {
    const { bytes, offsets } = word
    first_words.push(Buffer.from(bytes.subarray(0, offsets[1])))
    for (let i = 0; i + 1 < offsets.length; i += 1) filter.add(bytes, offsets[i]!, offsets[i + 1]!)
    await giveWay()
  }

  /** The batch that has a word, if any has it. */
  const batchOf = (word: Buffer): number => {
    const next = lowerBound(first_words.length, (batch) => {
      const first = first_words[batch]!
      return sortsBefore(first, 0, first.length, word)
    })
    return first_words[next]?.equals(word) ? next : next - 1
  }
  return {
    /** Where the listings of a word are; null for an unknown word. */
    find(text: string): WordRange | null {
      const word = Buffer.from(text)
      if (!filter.mayHave(word)) return null
      const batch = batchOf(word)
      if (batch < 0) return null
      const { word: words, first_posting, listing_count } = file.get(batch)
      const index = firstFrom(words, word)
      if (index === listing_count.length || textAt(words, index) !== text) return null
      const begin = first_posting[index]!
      return { begin, end: begin + listing_count[index]! }
    },
    /** At most `max_count` words that begin with a prefix, sorted. */
    from(prefix: string, max_count: number): string[] {
      const word = Buffer.from(prefix)
      const completions: string[] = []
      for (let batch = Math.max(0, batchOf(word)); batch < file.batch_count; batch += 1) {
        const { word: words, listing_count } = file.get(batch)
        for (let index = firstFrom(words, word); index < listing_count.length; index += 1) {
          const next = textAt(words, index)
          if (completions.length === max_count || !next.startsWith(prefix)) return completions
          completions.push(next)
        }
      }
      return completions
    },
  }
}
