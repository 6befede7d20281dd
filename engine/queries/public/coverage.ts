import { z } from 'zod'
import type { Catalog } from '../../catalog/catalog.ts'
import { COVERAGE_DAYS } from '../../catalog/catalog.ts'
import { sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { paging, retailer } from '../../contract/params.ts'
import { currentDays } from '../../contract/window.ts'
import { statement } from '../../counts/count.ts'
import { type Bindings, defineQuery } from '../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const statuses = ['serving', 'thin', 'stale'] as const
/** Statuses that the interface accepts as filters although no shelf has them. */
const unused = ['unmanaged', 'empty'] as const

const cell = z
  .object({
    platform: field.titled('Retailer', field.text('Platform key of the retailer.')),
    country: field.country('Country of the shelf.'),
    category_root: field.text('Path of the department.'),
    priced_product_count: field.count('Listings that ever had a price.'),
    recent_priced_product_count: field.count('Listings priced in the last 90 days.'),
    known_brand_product_count: field.count('Priced listings whose brand is known.'),
    quality_status: field.choice(statuses, 'serving: enough fresh listings; thin: too few; stale: most are old.'),
    is_serving_eligible: field.flag(
      'Whether the retailer can be queried in this department: quality_status is serving.',
    ),
    last_observed_at: field.time('When a price of the shelf was last observed; null where none was.').nullable(),
  })
  .meta({ id: 'CoverageCell', description: "A retailer's shelf in one department and country." })

const FILTERS = ['country', 'platform', 'category_root', 'quality_status'] as const

const pageFromNames = async (bindings: Bindings, { coverage }: Catalog) => {
  const applied = FILTERS.filter((name) => bindings[name] !== null)
  const matching = (await coverage()).filter((shelf) => applied.every((name) => shelf[name] === bindings[name]))
  const offset = Number(bindings.offset)
  return [{ total: matching.length, items: matching.slice(offset, offset + Number(bindings.limit)) }]
}

/**
 * Coverage cells: a retailer's shelf in one department and country; only serving ones can be queried.
 *
 * @example
 * const { items } = await engine.ask(coverage, { country: 'us', quality_status: 'serving' })
 * for (const { platform, category_root } of items) console.log(platform, category_root)
 */
export const coverage = defineQuery({
  group: 'public',
  name: 'coverage',
  summary: 'Which shelves are served, thin or stale',
  definition: {
    population: 'Cells of one retailer, country and department, each with the listings that ever had a price.',
    formula:
      'stale: fewer than a quarter of the priced listings were observed in the last 90 days. thin: otherwise, if fewer ' +
      'listings than a limit of the snapshot (25 by default) were. serving: the rest. Only serving cells can be queried ' +
      'by retailer.',
    null_rule: 'last_observed_at is null where nothing was observed. Filters that match no cell return no items.',
    sources: [sources.prices],
  },
  params: z.object({
    country: field.country('Country of the shelves; both without it.').optional(),
    platform: retailer.optional(),
    category_root: z.string().min(1).max(200).optional().describe('Slug path of a department; all without it.'),
    quality_status: field
      .choice([...statuses, ...unused], 'Status of the shelves (unmanaged, empty: none); all without it.')
      .optional(),
    ...paging(200, 1000),
  }),
  answer: pageAnswer(cell).meta({ id: 'CoverageCells', description: 'A page of shelves.' }),
  resolve({ country = null, platform = null, quality_status = null, limit, offset, ...params }, { as_of, categories }) {
    const { category_root: root } = params
    const category_root = root === undefined ? null : (categories.byPath(root)?.path ?? root)
    const filters = { country, platform, category_root, quality_status }
    return { bindings: { ...filters, limit, offset, ...currentDays(as_of, COVERAGE_DAYS) }, context: { limit, offset } }
  },

  reads: { rows: statement(import.meta, pageRow(cell), pageFromNames) },

  toAnswer: ({ rows }, context) => pageOf(rows, context),
})
