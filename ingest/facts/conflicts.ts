import { z } from 'zod'
import type { CountryPrices } from '../../engine/index.ts'

export const conflictsSchema = z.object({
  listings: z.int(),
  rows: z.number(),
  /** Prices as they are stored; the lowest is kept. */
  examples: z.array(
    z.object({
      file: z.string().nullable(),
      retailer: z.string(),
      country: z.string(),
      listing_id: z.string(),
      product_name: z.string().nullable(),
      observed_at: z.string(),
      prices: z.array(z.int()),
    }),
  ),
})

type FoundConflicts = z.output<typeof conflictsSchema>

/**
 * Rows of the same listing, seller and time with different prices: often several products with one id. `decimals` are those
 * that the prices are stored with.
 */
export type Conflicts = Omit<FoundConflicts, 'examples'> & {
  examples: (FoundConflicts['examples'][number] & { decimals: number })[]
}

/** Adds the decimals that the prices of each country are stored with. */
export const withDecimals = (found: FoundConflicts, countries: ReadonlyMap<string, CountryPrices>): Conflicts => ({
  ...found,
  examples: found.examples.map((example) => ({ ...example, decimals: countries.get(example.country)!.decimals })),
})

export const NO_CONFLICTS: Conflicts = { listings: 0, rows: 0, examples: [] }
