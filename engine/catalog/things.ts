import { setImmediate } from 'node:timers/promises'
import type { Listing } from './listings.ts'
import { readName } from './name-reading.ts'

/** Listings whose names are read, and how many without a pause for others. */
const MAX_READ = 10_000
const AT_ONCE = 200
/** A word is a thing of its own where it is what at least this share of the names with it name: peanuts, not wireless. */
const MIN_SHARE = 0.1

const countWords = (counts: Map<string, number>, words: Iterable<string>): void => {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
}

/**
 * The words that are things of their own in a catalogue: before another noun such a word makes it another thing,
 * as `peanut` does to `butter` and `salted` does not.
 */
export const readThings = async (
  listingOf: (number: number) => Listing,
  listings: number,
): Promise<ReadonlySet<string>> => {
  const [nouns, all] = [new Map<string, number>(), new Map<string, number>()]
  const read = new Set<string | null>([null])
  // Evenly from all, the best known and the others.
  const step = Math.max(1, Math.ceil(listings / MAX_READ))
  for (let listing = 0; listing < listings; listing += step) {
    if ((listing / step) % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const { product_name, brand } = listingOf(listing)
    // A name of several retailers is one.
    if (product_name === null || read.has(product_name)) continue
    read.add(product_name)
    const { heads, lead } = readName(product_name, brand)
    countWords(nouns, heads)
    countWords(all, new Set([...lead, ...heads]))
  }
  return new Set([...nouns].flatMap(([word, count]) => (count >= MIN_SHARE * all.get(word)! ? [word] : [])))
}
