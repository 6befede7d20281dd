import { z } from 'zod'
import { freshnessBlock, metaBlock } from '../../answer.ts'
import type { Source } from '../../as-of.ts'
import { coverage, freshness, nullableMeta, resolvedBrand, scopeEcho } from '../../blocks.ts'
import { compareBytes } from '../../catalog/brand-counts.ts'
import { resolveBrand } from '../../catalog/brand-scope.ts'
import { currentRows, rowsBy, spanOf } from '../../catalog/current-prices.ts'
import { type Country, currencies, WHOLE_COUNTRY } from '../../catalog/scope.ts'
import { currentDays } from '../../catalog/window.ts'
import { CURRENT, sources } from '../../definition.ts'
import { count, field } from '../../field.ts'
import { brand, country, maximumAge } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { brandBreakdownOnShards } from './brand-breakdown.clickhouse.ts'

/** Fewer products than this do not represent a brand's assortment. */
const MIN_SUFFICIENT = 10

type BrandBreakdownContext = Source & {
  input: string
  brand: string
  country: Country
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
export const brandBreakdown = defineQuery(import.meta, {
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
  row: z.object({
    category_id: z.int(),
    product_count: count,
    observed_min: z.number(),
    observed_max: z.number(),
  }),
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

  fromMemory({ bindings }, catalog) {
    const prices = catalog.prices(bindings.country as Country)
    if (!prices) return null
    const shelves = rowsBy(currentRows(prices, bindings), prices.category_id)
    return [...shelves].map(([category_id, rows]) => ({
      category_id,
      product_count: rows.length,
      ...spanOf(prices, rows),
    }))
  },

  onShards: brandBreakdownOnShards,

  shape(rows, context: BrandBreakdownContext, { categories }) {
    const { brand, country, input } = context
    const departments = new Map<string, number>()
    for (const { category_id, product_count } of rows) {
      const { department } = categories.byId(category_id)!
      departments.set(department, (departments.get(department) ?? 0) + product_count)
    }
    const breakdown = [...departments].map(([category_root, product_count]) => ({ category_root, product_count }))
    const products = rows.reduce((sum, { product_count }) => sum + product_count, 0)
    const newest = Math.max(...rows.map(({ observed_max }) => observed_max))
    const observed = rows.length > 0 ? { min: Math.min(...rows.map((row) => row.observed_min)), max: newest } : null
    return {
      brand,
      country,
      currency: currencies[country],
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
