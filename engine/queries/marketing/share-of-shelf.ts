import { z } from 'zod'
import { metaBlock, nothingObserved } from '../../answer.ts'
import { brandShare, meta, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { percent, ratio } from '../../round.ts'

const count = z.int().min(0)
const brandCount = z.object({ brand: z.string(), product_count: count })

/**
 * Share of shelf: a brand's share of the branded current listings of a category. Spellings of a brand are merged;
 * placeholders stand in neither numerator nor denominator and are counted as unbranded_products. hhi is the
 * Herfindahl-Hirschman index of the shares as fractions (1: one brand), cr4_pct the share of the four largest.
 * NO_RESULTS where the category holds no current listing.
 */
export const shareOfShelf = defineQuery(import.meta, {
  group: 'marketing',
  name: 'share-of-shelf',
  summary: "Brands' shares of a category by number of products",
  params: z.object({ category, country, retailer: retailer.optional(), days: maximumAge }),
  row: z.object({
    listing_count: count,
    unbranded_count: count,
    observed_min: z.number().nullable(),
    observed_max: z.number().nullable(),
    brands: z.array(brandCount).nullable(),
  }),
  answer: z
    .object({
      ...scopeEcho,
      total_products: count,
      unbranded_products: count,
      hhi: z.number().nullable(),
      cr4_pct: z.number().nullable(),
      brands: z.array(brandShare),
      resolved,
      meta,
    })
    .meta({ id: 'ShareOfShelf' }),

  resolve: resolveCurrentScope,

  shape(rows, context: CurrentScope) {
    const { listing_count, unbranded_count, observed_min, observed_max, brands } = one(rows)
    if (observed_min === null || observed_max === null) throw nothingObserved(context)
    const total = listing_count - unbranded_count
    const counts = brands ?? []
    const squares = counts.reduce((sum, { product_count }) => sum + product_count ** 2, 0)
    const largest = counts.slice(0, 4).reduce((sum, { product_count }) => sum + product_count, 0)
    return {
      ...context.echo,
      total_products: total,
      unbranded_products: unbranded_count,
      hhi: total === 0 ? null : ratio(squares / total ** 2),
      cr4_pct: total === 0 ? null : percent((100 * largest) / total),
      brands: counts.map(({ brand, product_count }) => ({
        brand,
        product_count,
        share_pct: percent((100 * product_count) / total),
      })),
      resolved: context.resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
