import { z } from 'zod'
import { brandNorm } from '../../catalog/brand.ts'
import { paging } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const brand = z
  .object({ brand: z.string(), brand_norm: z.string(), product_count: z.int().min(0) })
  .meta({ id: 'Brand' })

/** Brands, those with most listings first; spellings are merged and placeholders left out. */
export const brands = defineQuery(import.meta, {
  group: 'public',
  name: 'brands',
  summary: 'Brands by number of products',
  params: z.object({
    q: z.string().min(1).max(200).optional().describe('Beginning of the brand, in any spelling.'),
    ...paging(100, 500),
  }),
  row: pageRow(brand),
  answer: pageAnswer(brand).meta({ id: 'Brands' }),
  resolve: ({ q, limit, offset }) => ({
    // A beginning without letter or digit begins no key.
    bindings: { prefix: q === undefined ? '' : (brandNorm(q) ?? q), limit, offset },
    context: { limit, offset },
  }),
  shape: pageOf,
})
