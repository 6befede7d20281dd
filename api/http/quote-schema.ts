import { z } from 'zod'
import { resolvedProduct } from '../../engine/index.ts'
import { networkNames } from '../ops/networks.ts'

/** The answer of GET /v1/quote. */
export const quoteSchema = z
  .object({
    path: z.string().describe('The request that the quote is of, its parameters in canonical order.'),
    query: z.string().describe('Group and name of the query.'),
    free: z.boolean().describe('Whether it is answered without payment.'),
    price: z.string().describe('Price of the answer in dollars; 0.00 if it is free.'),
    currency: z.literal('USD').describe('Currency of the price.'),
    networks: z.array(z.enum(networkNames)).describe('Networks on which it can be paid; none if it is free.'),
    resolved_product: resolvedProduct
      .nullable()
      .describe('The product that the answer would be about; null where it is about no single one.'),
    snapshot_id: z.string().describe('The published version of the data.'),
    as_of: z.iso.datetime().describe('The moment that the answer would describe.'),
    newest_observed_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'Newest observation in the scope, of a cached answer in the answer itself; null: only computing shows it.',
      ),
    freshness_hours: z
      .number()
      .nullable()
      .meta({ description: 'Age of that observation at as_of; null without it.', unit: 'hours' }),
    may_be_refused: z
      .boolean()
      .describe(
        'Whether only computing shows if the answer has results or meets max_age; then it may be refused, free of charge.',
      ),
    cached: z.boolean().describe('Whether the answer is cached, so that nothing is read.'),
    rows: z.int().min(0).meta({
      description: 'Rows in the files that are read for the answer, at most: fewer if they are in memory or cached.',
      unit: 'count',
    }),
    size: z
      .enum(['small', 'medium', 'large'])
      .describe('The same as a class: small up to 100,000 rows, medium up to 10,000,000, large above.'),
  })
  .meta({ id: 'Quote', description: 'What a request costs and reads, without payment.' })

export type Quote = z.output<typeof quoteSchema>
