import { z } from 'zod'
import { defineQuery, one } from '../../query.ts'

const count = z.int().min(0)

/** What the catalogue holds. Unique products count the listings of one entity once. */
export const stats = defineQuery(import.meta, {
  group: 'public',
  name: 'stats',
  summary: 'Size and age of the catalogue',
  params: z.object({}),
  row: z.object({
    listings: count,
    observations: count,
    retailers: count,
    brands: count,
    categories: count,
    leaves: count,
    max_depth: count,
  }),
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

  resolve: (_, { published_at, unique_products }) => ({ bindings: {}, context: { published_at, unique_products } }),

  shape(rows, { published_at, unique_products }) {
    const row = one(rows)
    return {
      products: { unique: unique_products ?? row.listings, listings: row.listings },
      categories: { total: row.categories, leaves: row.leaves, max_depth: row.max_depth },
      retailers: { total: row.retailers },
      brands: { total: row.brands },
      observations: { total: row.observations },
      last_updated: published_at,
    }
  },
})
