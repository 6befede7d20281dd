import { z } from 'zod'
import { sources } from '../../contract/definition.ts'
import { count, field } from '../../contract/field.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery, one } from '../query.ts'

const fallback_for = z
  .string()
  .nullable()
  .describe(
    'The published snapshot, where it is damaged and the newest sound one before it answers; unknown where its name is ' +
      'damaged too. Null otherwise.',
  )

/**
 * The size of the catalogue, as counted by its refresh.
 *
 * @example
 * const { products, observations, last_updated } = await engine.ask(stats, {})
 * console.log(products.listings, observations.total, last_updated)
 */
export const stats = defineQuery({
  group: 'public',
  name: 'stats',
  summary: 'Size and age of the catalogue',
  definition: {
    population: 'The whole catalogue of the published snapshot.',
    formula: 'Plain counts. products.unique counts the listings of one physical product once.',
    null_rule: 'fallback_for is null unless the published snapshot is damaged.',
    sources: [sources.catalogue],
  },
  params: z.object({}),
  answer: z
    .object({
      products: z
        .object({
          unique: field.count('Physical products: the listings of one product count once.'),
          listings: field.count('Listings: one product at one retailer in one country.'),
        })
        .describe('Products of the catalogue.'),
      categories: z
        .object({
          total: field.count('All categories.'),
          leaves: field.count('Categories with none below them.'),
          max_depth: field.count('Levels of the tree.'),
        })
        .describe('The category tree.'),
      retailers: z.object({ total: field.count('All retailers.') }).describe('Retailers of the catalogue.'),
      brands: z
        .object({ total: field.count('All brands, their spellings merged.') })
        .describe('Brands of the catalogue.'),
      observations: z
        .object({ total: field.count('All observations: one a listing and UTC day.') })
        .describe('Observed prices.'),
      last_updated: field.time('When the snapshot was published; null where it is not known.').nullable(),
      fallback_for,
    })
    .meta({ id: 'Stats', description: 'Size and age of the catalogue.' }),

  resolve: (_, { published_at, counts, fallback_for }) => ({
    bindings: { fallback_for },
    context: { published_at, counts },
  }),

  reads: {
    rows: statement(import.meta, z.object({ categories: count, leaves: count, max_depth: count, fallback_for })),
  },

  toAnswer({ rows }, { published_at, counts }) {
    const { categories, leaves, max_depth, fallback_for } = one(rows)
    const { listings = 0, retailers = 0, brands = 0, observations = 0 } = counts
    return {
      products: { unique: counts.unique_products ?? listings, listings },
      categories: { total: categories, leaves, max_depth },
      retailers: { total: retailers },
      brands: { total: brands },
      observations: { total: observations },
      last_updated: published_at,
      fallback_for,
    }
  },
})
