import { createGrowing } from '../temporary/growing.ts'

/** Bits for each word, and how many of them it sets: one in fifty absent words passes. */
const BITS = 8
const PROBES = 4

/** FNV-1a over UTF-16 code units. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** A Bloom filter: most of the misspellings that a search tries are of no listing, and need not be looked up in a file. */
export const createWordFilter = () => {
  const hashes = createGrowing((length) => new Uint32Array(length))

  return {
    add: (word: string): void => hashes.push(hashOf(word)),
    /** A predicate that holds for every added word, and for few others. */
    end(): (word: string) => boolean {
      const added = hashes.end()
      const bits = 2 ** Math.max(6, Math.ceil(Math.log2(BITS * added.length + 1)))
      const filter = new Uint8Array(bits / 8)
      const positionOf = (hash: number, probe: number): number => {
        const step = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1
        return (hash + Math.imul(probe, step)) & (bits - 1)
      }
      for (const hash of added)
        for (let probe = 0; probe < PROBES; probe += 1) {
          const at = positionOf(hash, probe)
          filter[at >>> 3]! |= 1 << (at & 7)
        }
      return (word) => {
        const hash = hashOf(word)
        for (let probe = 0; probe < PROBES; probe += 1) {
          const at = positionOf(hash, probe)
          if (!(filter[at >>> 3]! & (1 << (at & 7)))) return false
        }
        return true
      }
    },
  }
}
