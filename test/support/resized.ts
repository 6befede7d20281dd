import fc from 'fast-check'
import type { SizeOf } from './oracle-sizes.ts'
import type { Observation } from './rows.ts'

/** Texts of sizes: some differ by at most 2 %, some more than twofold, some are of one size, some of none. */
const TEXTS = ['340 g', '340 grams', '337 g', '300 g', '250 g', '170 g', '150 g', '300 ml', '600 ml', 'tin'] as const
const AMOUNTS: Readonly<Record<string, number>> = { '340 grams': 340 }

/** What a title of such a world states. */
export const sizeOf: SizeOf = (title) => {
  const text = TEXTS.find((each) => title.endsWith(` ${each}`))
  if (text === undefined || text === 'tin') return null
  const [amount = '', unit = ''] = text.split(' ')
  return { amount: AMOUNTS[text] ?? Number(amount), unit: unit === 'ml' ? 'ml' : 'g' }
}

/** A world whose listings change their sizes: most observations repeat the text before, some have another for one time. */
export const resized = (rows: readonly Observation[], seed: number): Observation[] => {
  const draws = fc.sample(fc.record({ move: fc.nat(11), text: fc.constantFrom(...TEXTS) }), {
    seed,
    numRuns: rows.length,
  })
  const texts = new Map<string, string>()
  return rows.map((row, i) => {
    const { listing } = row
    const { move, text } = draws[i]!
    if (!listing.product_name.startsWith('Coffee ') || listing.product_name.includes('Maker')) return row
    if (move < 2 || !texts.has(listing.listing_id)) texts.set(listing.listing_id, text)
    const stated = move === 11 ? text : texts.get(listing.listing_id)!
    return { ...row, listing: { ...listing, product_name: `${listing.product_name}, beans, ${stated}` } }
  })
}
