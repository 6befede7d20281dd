import { z } from 'zod'
import { defineQuery, one } from '../../query.ts'

const count = z.int().min(0)
const fallback_for = z
  .string()
  .nullable()
  .describe(
    'The published snapshot that is damaged, so that the newest sound one before it answers; `unknown` where its name is ' +
      'damaged too; null normally',
  )

/** What the catalogue holds, as its refresh counted it. Unique products count the listings of one entity once. */
export const stats = defineQuery(import.meta, {
  group: 'public',
  name: 'stats',
  summary: 'Size and age of the catalogue',
  params: z.object({}),
  row: z.object({ categories: count, leaves: count, max_depth: count, fallback_for }),
  answer: z
    .object({
      products: z.object({ unique: count, listings: count }),
      categories: z.object({ total: count, leaves: count, max_depth: count }),
      retailers: z.object({ total: count }),
      brands: z.object({ total: count }),
      observations: z.object({ total: count }),
      last_updated: z.iso.datetime().nullable(),
      fallback_for,
    })
    .meta({ id: 'Stats' }),

  resolve: (_, { published_at, counts, fallback_for }) => ({
    bindings: { fallback_for },
    context: { published_at, counts },
  }),

  shape(rows, { published_at, counts }) {
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
