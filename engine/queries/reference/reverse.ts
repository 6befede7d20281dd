import { z } from 'zod'
import { defineQuery } from '../../query.ts'
import { browseNode } from './classify.ts'
import { gpcObject, gpcObjectOf } from './gpc-object.ts'
import { codeMiss, miss } from './miss.ts'
import { gpcCodes, pinned, publishedReference, valuesIn } from './values.ts'

const count = z.int().min(0)

/**
 * Marketplace browse nodes that are matched with GPC codes, themselves or by inheritance: how many, and the first 50 of
 * each code. A code without any has an empty list. NOT_PUBLISHED where no release is loaded.
 */
export const reverse = defineQuery(import.meta, {
  group: 'reference',
  name: 'reverse',
  summary: 'Browse nodes of GPC product types',
  params: z.object({ gpc_code: gpcCodes }),
  row: z.object({
    place: z.int(),
    gpc_code: z.string(),
    browse_node_count: count,
    browse_nodes: z.array(browseNode),
    ids_per_code_cap: count,
  }),
  answer: z
    .object({
      results: z.array(
        z.object({
          gpc_code: z.string(),
          gpc: gpcObject.nullable(),
          browse_node_count: count,
          browse_ids: z.array(z.string()),
          browse_nodes: z.array(browseNode),
          miss: miss.nullable(),
        }),
      ),
      ids_per_code_cap: count,
      ...pinned,
    })
    .meta({ id: 'Reverse' }),

  resolve({ gpc_code }, catalog) {
    const { reference, versions } = publishedReference(catalog)
    const asked = valuesIn(gpc_code).map((code) => {
      const node = reference.gpc.node(code)
      return { gpc: node ? gpcObjectOf(node) : null, miss: codeMiss(reference, code) }
    })
    return { bindings: { gpc_codes: valuesIn(gpc_code).join() }, context: { asked, versions } }
  },

  shape(rows, { asked, versions }) {
    const results = rows.map(({ gpc_code, browse_node_count, browse_nodes }, at) => ({
      gpc_code,
      gpc: asked[at]?.gpc ?? null,
      browse_node_count,
      browse_ids: browse_nodes.map(({ browse_id }) => browse_id),
      browse_nodes,
      miss: asked[at]?.miss ?? null,
    }))
    return { results, ids_per_code_cap: rows[0]?.ids_per_code_cap ?? 0, ...versions }
  },
})
