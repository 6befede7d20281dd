import { z } from 'zod'
import { sources } from '../../contract/definition.ts'
import { invalidParam } from '../../contract/errors.ts'
import { field } from '../../contract/field.ts'
import { paging } from '../../contract/params.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const node = z
  .object({
    name: field.text('Name as people read it.'),
    path: field.text('Slug path from the root; send it as category.'),
    depth: field.count('Level in the tree; 1 is a root, also called department.'),
    parent_path: field.text('Path of the category above; null for a root.').nullable(),
    product_count: field.count('Listings of the category and of all below it.'),
  })
  .meta({ id: 'CategoryNode', description: 'A category with the number of its listings.' })

/**
 * Nodes of the category taxonomy by path, each with the listings of its subtree.
 *
 * @example
 * const { items } = await engine.ask(categories, { parent_path: 'grocery', depth: 2 })
 * for (const { path, product_count } of items) console.log(path, product_count)
 */
export const categories = defineQuery({
  group: 'public',
  name: 'categories',
  summary: 'The category tree, a level or more at a time',
  definition: {
    population: 'The category tree of the catalogue. Country and date do not narrow it.',
    formula: 'Each category counts the listings of its whole subtree; entries are in the order of their paths.',
    null_rule: 'parent_path is null for a root. INVALID_PARAMS for a parent_path that does not exist.',
    sources: [sources.catalogue],
  },
  params: z.object({
    parent_path: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('Category path whose descendants are listed; without it, the roots.'),
    depth: z
      .int()
      .min(1)
      .max(3)
      .default(1)
      .meta({ description: 'How many levels below parent_path to list.', unit: 'count' }),
    ...paging(200, 500),
  }),
  answer: pageAnswer(node).meta({ id: 'Categories', description: 'A page of categories.' }),

  resolve({ parent_path, depth, limit, offset }, catalog) {
    const parent = parent_path === undefined ? undefined : catalog.categories.byPath(parent_path)
    if (parent_path !== undefined && !parent)
      throw invalidParam('parent_path', `no such category "${parent_path}"; omit parent_path to list the roots`)
    const { category_id: first = 0, category_last: last = 2_147_483_647, depth: below = 0 } = parent ?? {}
    return { bindings: { first, last, below, depth, limit, offset }, context: { limit, offset } }
  },

  reads: { rows: statement(import.meta, pageRow(node)) },

  toAnswer: ({ rows }, context) => pageOf(rows, context),
})
