import { z } from 'zod'
import { EngineError } from '../../errors.ts'
import { paging } from '../../params.ts'
import { defineQuery } from '../../query.ts'
import { pageAnswer, pageOf, pageRow } from './page.ts'

const node = z
  .object({
    name: z.string(),
    path: z.string(),
    depth: z.int(),
    parent_path: z.string().nullable(),
    product_count: z.int().min(0),
  })
  .meta({ id: 'CategoryNode' })

/** Nodes of the category taxonomy by path, each with the listings of its whole subtree. */
export const categories = defineQuery(import.meta, {
  group: 'public',
  name: 'categories',
  summary: 'The category tree, a level or more at a time',
  params: z.object({
    parent_path: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('Category path whose descendants are listed; without it, the roots.'),
    depth: z.int().min(1).max(3).default(1).describe('Levels below parent_path.'),
    ...paging(200, 500),
  }),
  row: pageRow(node),
  answer: pageAnswer(node).meta({ id: 'Categories' }),

  resolve({ parent_path, depth, limit, offset }, catalog) {
    const parent = parent_path === undefined ? undefined : catalog.categories.byPath(parent_path.toLowerCase())
    if (parent_path !== undefined && !parent)
      throw new EngineError(
        'INVALID_PARAMS',
        `parent_path: there is no category "${parent_path}"; leave it out to see the roots`,
        {
          parameter: 'parent_path',
        },
      )
    const { category_id: first = 0, category_last: last = 2_147_483_647, depth: below = 0 } = parent ?? {}
    return { bindings: { first, last, below, depth, limit, offset }, context: { limit, offset } }
  },

  shape: pageOf,
})
