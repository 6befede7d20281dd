import { z } from 'zod'
import { defineQuery } from '../../query.ts'
import { browseNode, matchedNodeOf } from './classify.ts'
import { gpcObject, gpcObjectOf } from './gpc-object.ts'
import { codeMiss, miss } from './miss.ts'
import { gpcCodes, pinned, publishedReference, valuesIn } from './values.ts'

const IDS_PER_CODE = 50
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
  row: z.object({ node: z.string() }),
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
      const ids = reference.browse.idsOf(code)
      return { code, browse_node_count: ids.length, browse_ids: ids.slice(0, IDS_PER_CODE) }
    })
    const browse_ids = asked.flatMap(({ browse_ids }) => browse_ids)
    return { bindings: { browse_ids: browse_ids.join() }, context: { asked, browse_ids, versions } }
  },

  recall: ({ context }, { reference }) => reference.browse.nodes(context.browse_ids),

  shape(rows, { asked, versions }, { reference }) {
    const byId = new Map(
      rows.map(matchedNodeOf).map(({ browse_id, name, path, in_serving_catalog }) => {
        return [browse_id, { browse_id, name, path, in_serving_catalog }]
      }),
    )
    const results = asked.map(({ code, browse_node_count, browse_ids }) => {
      const node = reference.gpc.node(code)
      return {
        gpc_code: code,
        gpc: node ? gpcObjectOf(node) : null,
        browse_node_count,
        browse_ids,
        browse_nodes: browse_ids.map((id) => byId.get(id)!),
        miss: codeMiss(reference, code),
      }
    })
    return { results, ids_per_code_cap: IDS_PER_CODE, ...versions }
  },
})
