import { z } from 'zod'
import { paging } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const retailer = z
  .object({
    platform: z.string(),
    product_count: z.int().min(0),
    countries: z.array(z.string()),
    last_observed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Retailer' })

/** Retailers by platform key, with their listings, countries and newest observation. */
export const retailers = defineQuery(import.meta, {
  group: 'public',
  name: 'retailers',
  summary: 'Retailers and where they sell',
  params: z.object(paging(100, 500)),
  row: pageRow(retailer),
  answer: pageAnswer(retailer).meta({ id: 'Retailers' }),
  resolve: ({ limit, offset }) => ({ bindings: { limit, offset }, context: { limit, offset } }),
  shape: pageOf,
})
