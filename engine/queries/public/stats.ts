import { z } from 'zod'
import { defineQuery, one } from '../../query.ts'

const count = z.int().min(0)

/** What the catalogue holds, as its refresh counted it. Unique products count the listings of one entity once. */
export const stats = defineQuery(import.meta, {
  group: 'public',
  name: 'stats',
  summary: 'Size and age of the catalogue',
  params: z.object({}),
  row: z.object({ categories: count, leaves: count, max_depth: count }),
  answer: z
    .object({
      products: z.object({ unique: count, listings: count }),
      categories: z.object({ total: count, leaves: count, max_depth: count }),
      retailers: z.object({ total: count }),
      brands: z.object({ total: count }),
      observations: z.object({ total: count }),
      last_updated: z.iso.datetime().nullable(),
    })
    .meta({ id: 'Stats' }),

  resolve: (_, { published_at, counts }) => ({ bindings: {}, context: { published_at, counts } }),

  shape(rows, { published_at, counts }) {
    const { categories, leaves, max_depth } = one(rows)
    const { listings = 0, retailers = 0, brands = 0, observations = 0 } = counts
    return {
      products: { unique: counts.unique_products ?? listings, listings },
      categories: { total: categories, leaves, max_depth },
      retailers: { total: retailers },
      brands: { total: brands },
      observations: { total: observations },
      last_updated: published_at,
    }
  },
})
