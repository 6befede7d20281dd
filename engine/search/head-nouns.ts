import { setImmediate } from 'node:timers/promises'
import type { Listing } from './listings.ts'
import { parseName } from './parsed-name.ts'

/** At most this many names are parsed, and so many before other work gets a turn. */
const MAX_NAMES = 10_000
const NAMES_PER_TURN = 200
/** A word is a head noun if it is the head of at least this share of the names with it: peanuts are, wireless is not. */
const MIN_SHARE = 0.1

const countWords = (counts: Map<string, number>, words: Iterable<string>): void => {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
}

/**
 * The head nouns of a catalogue: words that name products by themselves. Before another noun such a word makes it another
 * kind of product, as `peanut` does to `butter` and `salted` does not.
 */
export const collectHeadNouns = async (
  listingOf: (number: number) => Listing,
  listing_count: number,
): Promise<ReadonlySet<string>> => {
  const [nouns, all] = [new Map<string, number>(), new Map<string, number>()]
  const names = new Set<string | null>([null])
  // A systematic sample, since listings are ordered by popularity.
  const step = Math.max(1, Math.ceil(listing_count / MAX_NAMES))
  for (let number = 0; number < listing_count; number += step) {
    if ((number / step) % NAMES_PER_TURN === NAMES_PER_TURN - 1) await setImmediate()
    const { product_name, brand } = listingOf(number)
    // The same name at several retailers counts once.
    if (product_name === null || names.has(product_name)) continue
    names.add(product_name)
    const { heads, lead } = parseName(product_name, brand)
    countWords(nouns, heads)
    countWords(all, new Set([...lead, ...heads]))
  }
  return new Set([...nouns].flatMap(([word, count]) => (count >= MIN_SHARE * all.get(word)! ? [word] : [])))
}
