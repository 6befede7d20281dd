import { z } from 'zod'
import { sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { paging } from '../../contract/params.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const retailer = z
  .object({
    platform: field.titled('Retailer', field.text('Key of the retailer; send it as retailer.')),
    product_count: field.count('Listings of the retailer.'),
    countries: field.list(z.string(), 'Countries that it sells in, such as us.'),
    last_observed_at: field.time('When a price of it was last observed; null where none was.').nullable(),
  })
  .meta({ id: 'Retailer', description: 'A retailer with the number of its listings.' })

/**
 * Retailers by platform key, with their listings, countries and newest observation.
 *
 * @example
 * const { items } = await engine.ask(retailers, {})
 * for (const { platform, countries } of items) console.log(platform, countries.join(' '))
 */
export const retailers = defineQuery({
  group: 'public',
  name: 'retailers',
  summary: 'Retailers and where they sell',
  definition: {
    population: 'Every retailer of the catalogue.',
    formula:
      'Listings are counted for each retailer, in every country; entries are in the order of their platform keys.',
    null_rule: 'last_observed_at is null where no price was ever observed. A page beyond the last has no items.',
    sources: [sources.catalogue],
  },
  params: z.object(paging(100, 500)),
  answer: pageAnswer(retailer).meta({ id: 'Retailers', description: 'A page of retailers.' }),
  resolve: ({ limit, offset }) => ({ bindings: { limit, offset }, context: { limit, offset } }),
  reads: { rows: statement(import.meta, pageRow(retailer)) },

  toAnswer: ({ rows }, context) => pageOf(rows, context),
})
