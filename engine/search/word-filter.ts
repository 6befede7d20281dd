/** Bits for each word: about one in fifty absent words passes. */
const BITS = 8
/** A word sets one bit for each of these numbers. */
const SALTS = [0x2545f491, 0x1b873593, 0x5bd1e995, 0x38b34ae5]
const MAX_BITS = 2 ** 27

/** FNV-1a over some bytes. */
const hashOf = (bytes: Uint8Array, begin: number, end: number): number => {
  let hash = 0x811c9dc5
  for (let position = begin; position < end; position += 1) hash = Math.imul(hash ^ bytes[position]!, 0x01000193)
  return hash | 0
}

/** A bit for a hash and a salt. All numbers are integers of 32 bits: greater ones would be allocated. */
const bitOf = (hash: number, salt: number, bits: number): number =>
  (Math.imul(hash ^ salt, 0x2c1b3c6d) >>> 5) & (bits - 1)

/**
 * A Bloom filter for so many words: most of the misspellings that a search tries are of no listing, and need not be looked
 * up. A word is the bytes [begin, end) in UTF-8.
 */
export const createWordFilter = (count: number) => {
  const bits = Math.min(MAX_BITS, 2 ** Math.max(6, Math.ceil(Math.log2(BITS * count + 1))))
  const filter = new Uint8Array(bits / 8)
  return {
    add(bytes: Uint8Array, begin: number, end: number): void {
      const hash = hashOf(bytes, begin, end)
      for (const salt of SALTS) {
        const bit = bitOf(hash, salt, bits)
        filter[bit >>> 3]! |= 1 << (bit & 7)
      }
    },
    /** True for every added word, and for few others. */
    mayHave(word: Uint8Array): boolean {
      const hash = hashOf(word, 0, word.length)
      for (const salt of SALTS) {
        const bit = bitOf(hash, salt, bits)
        if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
      }
      return true
    },
  }
}
