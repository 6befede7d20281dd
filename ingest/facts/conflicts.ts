import { z } from 'zod'

export const conflictsSchema = z.object({
  listings: z.int(),
  rows: z.number(),
  /** Prices are cents; the lowest is kept. */
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

/** Rows of the same listing, seller and time with different prices: often several products with one id. */
export type Conflicts = z.output<typeof conflictsSchema>

export const NO_CONFLICTS: Conflicts = { listings: 0, rows: 0, examples: [] }
