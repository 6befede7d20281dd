import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../answer.ts'
import { brandShare, meta, resolved, scopeEcho } from '../../blocks.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../definition.ts'
import { count, field, figure, headline } from '../../field.ts'
import { category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'
import { percent, ratio } from '../../round.ts'

const brandCount = z.object({ brand: z.string(), product_count: count })

/**
 * Share of shelf: a brand's share of the branded current listings of a category.
 *
 * @example
 * const { brands } = await engine.ask(shareOfShelf, { category: 'coffee' })
 * for (const { brand, share_pct } of brands) console.log(brand, share_pct)
 */
export const shareOfShelf = defineQuery(import.meta, {
  group: 'marketing',
  name: 'share-of-shelf',
  summary: "Brands' shares of a category by number of products",
  definition: {
    population: `${CURRENT}Spellings of a brand are merged.`,
    formula:
      'share_pct is a brand\'s listings over all branded listings; placeholders such as "generic" count in neither. hhi ' +
      'is the Herfindahl-Hirschman index of the shares as fractions: 1 is a single brand. cr4_pct is the share of the four ' +
      'largest brands.',
    null_rule: `hhi and cr4_pct are null where no listing is branded. ${EMPTY_SCOPE}`,
    sources: [sources.prices],
  },
  params: z.object({ category, country, retailer: retailer.optional(), days: maximumAge() }),
  row: z.object({
    listing_count: count,
    unbranded_count: count,
    observed_min: figure,
    observed_max: figure,
    brands: z.array(brandCount).nullable(),
  }),
  answer: z
    .object({
      ...scopeEcho,
      total_products: field.count('Branded listings: the base of the shares.'),
      unbranded_products: field.count('Listings without a brand, which the shares leave out.'),
      hhi: field.ratio('Concentration: the sum of the squared shares; 1 is a single brand.').nullable(),
      cr4_pct: field.share('Share of the four largest brands together.').nullable(),
      brands: headline(field.list(brandShare, 'Every brand with its share, largest first.')),
      resolved,
      meta,
    })
    .meta({ id: 'ShareOfShelf', description: "Brands' shares of the listings of a category." }),

  resolve: resolveCurrentScope,

  mayBeEmpty: (context) => !isObserved(context),

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
