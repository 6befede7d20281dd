import { turn } from '../contract/turn.ts'
import { createGrowing } from './temporary/growing.ts'

/** Bits for each word: about one in fifty absent words passes. */
const BITS = 8
/** A word sets one bit for each of these numbers. */
const SALTS = [0x2545f491, 0x1b873593, 0x5bd1e995, 0x38b34ae5]
const MAX_BITS = 2 ** 27
/** Words that are added before other work gets a turn. */
const WORDS_PER_TURN = 65_536

/** FNV-1a over UTF-16 code units. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (let position = 0; position < word.length; position += 1)
    hash = Math.imul(hash ^ word.charCodeAt(position), 0x01000193)
  return hash | 0
}

/** A bit for a hash and a salt. All numbers are integers of 32 bits: greater ones would be allocated. */
const bitOf = (hash: number, salt: number, bits: number): number =>
  (Math.imul(hash ^ salt, 0x2c1b3c6d) >>> 5) & (bits - 1)

const addAll = (filter: Uint8Array, bits: number, hashes: Int32Array): void => {
  for (const hash of hashes)
    for (const salt of SALTS) {
      const bit = bitOf(hash, salt, bits)
      filter[bit >>> 3]! |= 1 << (bit & 7)
    }
}

/** A Bloom filter: most of the misspellings that a search tries are of no listing, and need not be looked up in a file. */
export const createWordFilter = () => {
  const hashes = createGrowing((length) => new Int32Array(length))

  return {
    add: (word: string): void => hashes.push(hashOf(word)),
    /** A predicate that holds for every added word, and for few others. */
    async end(): Promise<(word: string) => boolean> {
      const added = hashes.end()
      const bits = Math.min(MAX_BITS, 2 ** Math.max(6, Math.ceil(Math.log2(BITS * added.length + 1))))
      const filter = new Uint8Array(bits / 8)
      for (let begin = 0; begin < added.length; begin += WORDS_PER_TURN) {
        addAll(filter, bits, added.subarray(begin, begin + WORDS_PER_TURN))
        await turn()
      }
      return (word) => {
        const hash = hashOf(word)
        return SALTS.every((salt) => {
          const bit = bitOf(hash, salt, bits)
          return (filter[bit >>> 3]! & (1 << (bit & 7))) !== 0
        })
      }
    },
  }
}
