import { z } from 'zod'
import { metaBlock, priceRowOf } from '../../answer.ts'
import { gpc, listedPrice, meta, priceRow, resolved, scopeEcho } from '../../blocks.ts'
import { gpcOf } from '../../catalog/gpc-block.ts'
import { resolveBrandScope } from '../../catalog/scope.ts'
import { EngineError } from '../../errors.ts'
import { brand, category, country, maximumAge, retailer } from '../../params.ts'
import { defineQuery, one } from '../../query.ts'

const count = z.int().min(0)
const typed = { gpc_id: z.int().nullable(), gpc_precision: z.string().nullable(), gpc_source: z.string().nullable() }

/**
 * Discounted products. Population: the current listings in stock, of a brand, at 5.00 or more, whose price lies below
 * their list price by at least min_discount_pct and at most 70 %: what is deeper is rather a wrong list price. Ranked by
 * discount depth times the logarithm of price, so that cheap things do not crowd out the rest; ties by depth, then
 * product_uid. total_deals_found counts them all, whatever the limit. NO_RESULTS for an unknown brand, and where there
 * is no deal.
 */
export const dealFinder = defineQuery(import.meta, {
  group: 'shopper',
  name: 'deal-finder',
  summary: 'In-stock products below their list price, best deals first',
  params: z.object({
    brand: brand.optional(),
    category: category.optional(),
    country,
    retailer: retailer.optional(),
    min_discount_pct: z.number().min(1).max(70).default(10).describe('Least discount off the list price, in per cent.'),
    limit: z.int().min(1).max(50).default(20).describe('Most deals to list.'),
    days: maximumAge,
  }),
  row: z.object({
    total_deals_found: count,
    observed_min: z.number().nullable(),
    observed_max: z.number().nullable(),
    deals: z.array(listedPrice.extend(typed)).nullable(),
  }),
  answer: z
    .object({
      ...scopeEcho,
      brand: z.string().nullable(),
      min_discount_pct: z.number(),
      deals: z.array(priceRow.extend({ gpc: gpc.nullable() })),
      total_deals_found: count,
      resolved: resolved.nullable(),
      meta,
    })
    .meta({ id: 'DealFinder' }),

  resolve(params, catalog) {
    const { bindings, context } = resolveBrandScope(params, catalog)
    const { min_discount_pct, limit } = params
    return { bindings: { ...bindings, min_discount_pct, limit }, context: { ...context, min_discount_pct } }
  },

  shape(rows, context, catalog) {
    const { echo, brand, min_discount_pct, resolved, newest_observed_at } = context
    const { total_deals_found, deals, observed_min, observed_max } = one(rows)
    const asked = { ...echo, brand, min_discount_pct }
    if (deals === null || observed_min === null || observed_max === null)
      throw new EngineError(
        'NO_RESULTS',
        `No product in this scope is in stock at ${min_discount_pct} % or more off; lower min_discount_pct or widen the scope.`,
        { ...asked, newest_observed_at },
      )
    return {
      ...asked,
      deals: deals.map(({ place: _, gpc_id, gpc_precision, gpc_source, ...listed }) => ({
        ...priceRowOf(listed),
        gpc: gpcOf({ gpc_id, gpc_precision, gpc_source }, catalog),
      })),
      total_deals_found,
      resolved,
      meta: metaBlock(context, { min: observed_min, max: observed_max }),
    }
  },
})
