import { z } from 'zod'
import { brandNorm } from '../../catalog/brand.ts'
import { sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { paging } from '../../contract/params.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const brand = z
  .object({
    brand: field.text('Name in its most common spelling.'),
    brand_norm: field.key('Key of the brand: lower case, without punctuation; the same for all its spellings.'),
    product_count: field.count('Listings of the brand.'),
  })
  .meta({ id: 'Brand', description: 'A brand with the number of its listings.' })

/**
 * Brands, those with most listings first.
 *
 * @example
 * const { items, total } = await engine.ask(brands, { q: 'oak', limit: 10 })
 * console.log(total, items.map(({ brand }) => brand))
 */
export const brands = defineQuery({
  group: 'public',
  name: 'brands',
  summary: 'Brands by number of products',
  definition: {
    population: 'Every brand of the catalogue. Spellings are merged; placeholders such as "generic" are left out.',
    formula: 'Listings are counted for each brand, in every country; most first, ties by brand_norm.',
    null_rule: 'No field is null. A page beyond the last has no items.',
    sources: [sources.catalogue],
  },
  params: z.object({
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('First letters of the brand, in any spelling; all brands without it.'),
    ...paging(100, 500),
  }),
  answer: pageAnswer(brand).meta({ id: 'Brands', description: 'A page of brands.' }),
  resolve: ({ q, limit, offset }) => ({
    // A prefix without a letter or digit matches no key.
    bindings: { prefix: q === undefined ? '' : (brandNorm(q) ?? q), limit, offset },
    context: { limit, offset },
  }),
  reads: { rows: statement(import.meta, pageRow(brand)) },

  toAnswer: ({ rows }, context) => pageOf(rows, context),
})
