import { z } from 'zod'
import { freshnessBlock, metaBlock } from '../../catalog/answer.ts'
import { compareBytes } from '../../catalog/brand-counts.ts'
import { resolveBrand } from '../../catalog/brand-scope.ts'
import { currencyOf } from '../../catalog/countries.ts'
import { WHOLE_COUNTRY } from '../../catalog/scope.ts'
import type { Source } from '../../contract/as-of.ts'
import { coverage, freshness, nullableMeta, resolvedBrand, scopeEcho } from '../../contract/blocks.ts'
import { CURRENT, sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { brand, country, maximumAge } from '../../contract/params.ts'
import { currentDays } from '../../contract/window.ts'
import { count, groupsOf, spanOf, total } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'

const listingsByCategory = count({
  from: 'current_price',
  where: [['=', 'brand_id', '$brand_id']],
  by: { category: 'category_id' },
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})

/** Fewer products than this do not represent a brand's assortment. */
const MIN_SUFFICIENT = 10

type BrandBreakdownContext = Source & {
  input: string
  brand: string
  country: string
  newest_observed_at: string | null
}

const note = (products: number, { brand, country, newest_observed_at }: BrandBreakdownContext): string => {
  const newest = newest_observed_at === null ? '' : `; its newest price is from ${newest_observed_at.slice(0, 10)}`
  if (products === 0) return `${brand} has listings but no current price in country ${country}${newest}.`
  if (products < MIN_SUFFICIENT) return `Only ${products} products: too few to read as the brand's assortment.`
  return `${products} products with a current price.`
}

/**
 * The number of a brand's products in each department.
 *
 * @example
 * const { breakdown } = await engine.ask(brandBreakdown, { brand: 'oakverly' })
 * for (const { category_root, product_count } of breakdown) console.log(category_root, product_count)
 */
export const brandBreakdown = defineQuery({
  group: 'marketing',
  name: 'brand-breakdown',
  summary: "A brand's priced products by department",
  definition: {
    population: `${CURRENT}The scope is the brand in the country.`,
    formula: 'Listings of the brand, whatever its spelling, are counted by department; most first, then by name.',
    null_rule:
      'A known brand without a current price has an empty breakdown, which is an answer; ages are then null. NO_RESULTS, ' +
      'free of charge, for an unknown brand.',
    sources: [sources.prices],
  },
  params: z.object({ brand, country, days: maximumAge() }),
  answer: z
    .object({
      brand: field.text('Name of the brand, in its most common spelling.'),
      country: scopeEcho.country,
      currency: scopeEcho.currency,
      breakdown: field.list(
        z.object({
          category_root: field.text('Path of the department.'),
          product_count: field.count('Listings of the brand with a current price.'),
        }),
        'Departments that the brand is sold in, largest first.',
      ),
      coverage,
      freshness,
      resolved: resolvedBrand,
      meta: nullableMeta,
    })
    .meta({ id: 'BrandBreakdown', description: "A brand's priced listings by department." }),

  async resolve(params, catalog) {
    const { country } = params
    const { brand, brand_id } = await resolveBrand(params.brand, { country }, catalog)
    const newest_observed_at = await catalog.newestObserved({ country, brand_id })
    return {
      bindings: { country, ...WHOLE_COUNTRY, brand_id, ...currentDays(catalog.as_of, params.days) },
      context: { input: params.brand, brand, country, newest_observed_at },
    }
  },

  reads: { listings: listingsByCategory },

  toAnswer({ listings }, context: BrandBreakdownContext, catalog) {
    const { brand, country, input } = context
    const departments = new Map<string, number>()
    for (const group of groupsOf(listings)) {
      const { department } = catalog.categories.byId(listings.key.category[group]!)!
      departments.set(department, (departments.get(department) ?? 0) + listings.n[group]!)
    }
    const breakdown = [...departments].map(([category_root, product_count]) => ({ category_root, product_count }))
    const products = total(listings)
    const observed = spanOf(listings)
    return {
      brand,
      country,
      currency: currencyOf(country, catalog),
      breakdown: breakdown.sort(
        (a, b) => b.product_count - a.product_count || compareBytes(a.category_root, b.category_root),
      ),
      coverage: {
        products,
        sufficient: products >= MIN_SUFFICIENT,
        note: note(products, context),
        unpublished_note: 'Products whose price is older than the maximum age (days) are not counted.',
        sku_note: 'Each listing of a retailer counts once: a product at two retailers counts twice.',
        rank_note: 'Departments are ranked by number of products, then by name.',
      },
      freshness: freshnessBlock(context, observed),
      resolved: {
        input,
        category_path: null,
        department: null,
        match_source: 'brand' as const,
        match_confidence: 1,
        alternates: [],
      },
      meta: metaBlock(context, observed),
    }
  },
})
