import { z } from 'zod'
import { isObserved, metaBlock, nothingObserved } from '../../catalog/answer.ts'
import { brandCounts } from '../../catalog/brand-counts.ts'
import { type CurrentScope, resolveCurrentScope } from '../../catalog/scope.ts'
import { brandShare, meta, resolved, scopeEcho } from '../../contract/blocks.ts'
import { CURRENT, EMPTY_SCOPE, sources } from '../../contract/definition.ts'
import { field, headline } from '../../contract/field.ts'
import { category, country, maximumAge, retailer } from '../../contract/params.ts'
import { orNull, percent, ratio, share } from '../../contract/round.ts'
import { count, spanOf, total } from '../../counts/count.ts'
import { herfindahl } from '../../statistics/concentration.ts'
import { defineQuery } from '../query.ts'

const brandsOnShelf = count({
  from: 'current_price',
  where: [['is', 'retailer_id', '$retailer_id']],
  by: { brand: 'brand_id' },
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})

const LARGEST_BRANDS = 4

/**
 * Share of shelf: a brand's share of the branded current listings of a category.
 *
 * @example
 * const { brands } = await engine.ask(shareOfShelf, { category: 'coffee' })
 * for (const { brand, share_pct } of brands) console.log(brand, share_pct)
 */
export const shareOfShelf = defineQuery({
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
  answer: z
    .object({
      ...scopeEcho,
      total_products: field.titled('Branded listings', field.count('Branded listings: the base of the shares.')),
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

  reads: { listings: brandsOnShelf },

  toAnswer({ listings }, context: CurrentScope, { brandsById }) {
    const observed = spanOf(listings)
    if (!observed) throw nothingObserved(context)
    const brands = brandCounts(listings.key.brand, listings.n, brandsById)
    const counts = brands.map(({ product_count }) => product_count)
    const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0)
    const branded = sum(counts)
    return {
      ...context.echo,
      total_products: branded,
      unbranded_products: total(listings) - branded,
      hhi: orNull(ratio, herfindahl(counts)),
      cr4_pct: share(sum(counts.slice(0, LARGEST_BRANDS)), branded),
      brands: brands.map(({ brand, product_count }) => ({
        brand,
        product_count,
        share_pct: percent((100 * product_count) / branded),
      })),
      resolved: context.resolved,
      meta: metaBlock(context, observed),
    }
  },
})
