import { z } from 'zod'
import { COVERAGE_DAYS } from '../../catalog/catalog.ts'
import { currentDays } from '../../catalog/window.ts'
import { paging, retailer } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const count = z.int().min(0)
const status = z.enum(['serving', 'thin', 'stale'])

const cell = z
  .object({
    platform: z.string(),
    country: z.enum(['us', 'ca']),
    category_root: z.string(),
    priced_product_count: count,
    recent_priced_product_count: count,
    known_brand_product_count: count,
    quality_status: status,
    is_serving_eligible: z.boolean(),
    last_observed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CoverageCell' })

/**
 * Coverage cells: a retailer's shelf in one department and country. Stale when under a quarter of its priced products
 * were observed in the last 90 days, else thin when fewer were than the snapshot's thin_below (25), else serving; only serving cells may be asked.
 */
export const coverage = defineQuery(import.meta, {
  group: 'public',
  name: 'coverage',
  summary: 'Which shelves are served, thin or stale',
  params: z.object({
    country: z.enum(['us', 'ca']).optional().describe('Country of the shelves; both without it.'),
    platform: retailer.optional(),
    category_root: z.string().min(1).max(200).toLowerCase().optional().describe('Path of a department.'),
    quality_status: status.optional().describe('Shelves of this status only.'),
    ...paging(200, 1000),
  }),
  row: pageRow(cell),
  answer: pageAnswer(cell).meta({ id: 'CoverageCells' }),
  resolve: (
    { country = null, platform = null, category_root = null, quality_status = null, limit, offset },
    { as_of },
  ) => ({
    bindings: { country, platform, category_root, quality_status, limit, offset, ...currentDays(as_of, COVERAGE_DAYS) },
    context: { limit, offset },
  }),

  recall({ bindings, context: { limit, offset } }, { coverage }) {
    const filters = ['country', 'platform', 'category_root', 'quality_status'] as const
    const given = filters.filter((name) => bindings[name] !== null)
    const asked = coverage().filter((cell) => given.every((name) => cell[name] === bindings[name]))
    return [{ total: asked.length, items: asked.slice(offset, offset + limit) }]
  },

  shape: pageOf,
})
