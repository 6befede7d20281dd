import { z } from 'zod'
import { defineQuery } from '../../query.ts'
import { browseNode } from './classify.ts'
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
  row: browseNode.extend({ row: z.int() }),
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
    const codes = valuesIn(gpc_code)
    const rows = codes.flatMap((code) => reference.browse.byCode.get(code)?.slice(0, IDS_PER_CODE) ?? [])
    return { bindings: { rows: [...new Set(rows)].join() }, context: { codes, versions } }
  },

  shape(rows, { codes, versions }, { reference }) {
    const byRow = new Map(rows.map(({ row, ...node }) => [row, node]))
    const results = codes.map((gpc_code) => {
      const node = reference.gpc.node(gpc_code)
      const mapped = reference.browse.byCode.get(gpc_code) ?? []
      const browse_nodes = mapped.slice(0, IDS_PER_CODE).flatMap((row) => byRow.get(row) ?? [])
      return {
        gpc_code,
        gpc: node ? gpcObjectOf(node) : null,
        browse_node_count: mapped.length,
        browse_ids: browse_nodes.map(({ browse_id }) => browse_id),
        browse_nodes,
        miss: codeMiss(reference, gpc_code),
      }
    })
    return { results, ids_per_code_cap: IDS_PER_CODE, ...versions }
  },
})
