import type { Reader } from './listings.ts'
import { WORDS } from './lists.ts'
import type { TemporaryFiles } from './temporary/temporary-files.ts'
import { createWordFilter } from './word-filter.ts'
import { wordLowerBound } from './word-order.ts'

/** Words in a block: about 5 KB. */
const PER_BLOCK = 256

/** A sorted word, where the listings with it begin in the list of all words' listings, and where they end. */
export type StoredWord = { begin: number; end: number }

type WordBlock = { words: readonly string[]; counts: Int32Array }

/** A block has its number of words and the listings of each, then the words, separated by line breaks, which none has. */
const encode = (words: readonly string[], counts: readonly number[]): Uint8Array =>
  Buffer.concat([new Uint8Array(Int32Array.of(words.length, ...counts).buffer), Buffer.from(words.join('\n'))])

const decode = (block: ArrayBuffer): WordBlock => {
  const [length = 0] = new Int32Array(block, 0, 1)
  const counts = new Int32Array(block, Int32Array.BYTES_PER_ELEMENT, length)
  return {
    counts,
    words: Buffer.from(block, (length + 1) * Int32Array.BYTES_PER_ELEMENT)
      .toString()
      .split('\n'),
  }
}

/** Writes a country's words to a temporary file. In memory stay the first word of each block and a filter of all words. */
export const storeWords = async (reader: Reader, country: string, temporary: TemporaryFiles) => {
  const first_words: string[] = []
  const begins: number[] = []
  const filter = createWordFilter()
  let position = 0
  const file = await temporary.make(async (writer) => {
    let words: string[] = []
    let counts: number[] = []
    const flush = async () => {
      first_words.push(words[0]!)
      begins.push(position)
      position += counts.reduce((sum, count) => sum + count, 0)
      await writer.append(encode(words, counts))
      words = []
      counts = []
    }
    await reader.each(WORDS, { country }, async (columns, rows) => {
      const { word, listing_count } = columns as { word: string[]; listing_count: Int32Array }
      for (let row = 0; row < rows; row += 1) {
        words.push(word[row]!)
        filter.add(word[row]!)
        counts.push(listing_count[row]!)
        if (words.length === PER_BLOCK) await flush()
      }
    })
    if (words.length > 0) await flush()
  }, decode)

  const mayHave = await filter.end()

  /** The block that has a word, if any has it. */
  const blockOf = (word: string): number => {
    const next = wordLowerBound(first_words, word)
    return first_words[next] === word ? next : next - 1
  }
  return {
    /** Where the listings of a word are; null for an unknown word. */
    find(word: string): StoredWord | null {
      if (!mayHave(word)) return null
      const block = blockOf(word)
      if (block < 0) return null
      const { words, counts } = file.get(block)
      const index = wordLowerBound(words, word)
      if (words[index] !== word) return null
      let begin = begins[block]!
      for (let before = 0; before < index; before += 1) begin += counts[before]!
      return { begin, end: begin + counts[index]! }
    },
    /** At most `max_count` words that begin with a prefix, sorted. */
    from(prefix: string, max_count: number): string[] {
      const completions: string[] = []
      for (let block = Math.max(0, blockOf(prefix)); block < file.count && completions.length < max_count; block += 1) {
        const { words } = file.get(block)
        const start = wordLowerBound(words, prefix)
        const next = words.slice(start, start + max_count - completions.length)
        const matching = next.filter((word) => word.startsWith(prefix))
        completions.push(...matching)
        if (matching.length < next.length) break
      }
      return completions
    },
  }
}
