import { z } from 'zod'
import { sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'
import { browseNode, matchedNodeOf } from './classify.ts'
import { gpcObject, gpcObjectOf } from './gpc-object.ts'
import { codeMiss, miss } from './miss.ts'
import { gpcCodes, nodesFromNames, pinned, publishedReference, valuesIn } from './values.ts'

const IDS_PER_CODE = 50

/**
 * Marketplace browse nodes that are matched with GPC codes, themselves or by inheritance.
 *
 * @example
 * const { results } = await engine.ask(reverse, { gpc_code: '10001145' })
 * for (const { browse_node_count, browse_nodes } of results) console.log(browse_node_count, browse_nodes[0]?.path)
 */
export const reverse = defineQuery({
  group: 'reference',
  name: 'reverse',
  summary: 'Browse nodes of GPC product types',
  definition: {
    population: 'The GPC codes that were sent, in that order, and the browse nodes that are matched with them.',
    formula:
      'browse_node_count counts all matched nodes, whether matched themselves or by inheritance; the first 50 of each ' +
      'code are listed.',
    null_rule:
      'A code without browse nodes has empty lists. gpc is null and miss has the reason where the release has no such code. ' +
      'NOT_PUBLISHED where no release is loaded.',
    sources: [sources.gpc, sources.crosswalk],
  },
  params: z.object({ gpc_code: gpcCodes }),
  answer: z
    .object({
      results: field.list(
        z.object({
          gpc_code: field.text('The code that was sent.'),
          gpc: gpcObject.nullable(),
          browse_node_count: field.count('All browse nodes that are matched with the code.'),
          browse_ids: field.list(z.string(), 'Ids of the first of them.'),
          browse_nodes: field.list(browseNode, 'The same browse nodes with their names.'),
          miss: miss.nullable(),
        }),
        'One result for each code, in the order sent.',
      ),
      ids_per_code_cap: field.page(field.count('Maximum number of browse nodes listed for a code.')),
      ...pinned,
    })
    .meta({ id: 'Reverse', description: 'Browse nodes of GPC codes.' }),

  resolve({ gpc_code }, catalog) {
    const { reference, versions } = publishedReference(catalog)
    const requested = valuesIn(gpc_code).map((code) => {
      const ids = reference.browse.idsOf(code)
      return { code, browse_node_count: ids.length, browse_ids: ids.slice(0, IDS_PER_CODE) }
    })
    const browse_ids = requested.flatMap(({ browse_ids }) => browse_ids)
    return { bindings: { browse_ids: browse_ids.join() }, context: { requested, browse_ids, versions } }
  },

  reads: { rows: statement(import.meta, z.object({ node: z.string() }), nodesFromNames) },

  toAnswer({ rows }, { requested, versions }, { reference }) {
    const byId = new Map(
      rows.map(matchedNodeOf).map(({ browse_id, name, path, in_serving_catalog }) => {
        return [browse_id, { browse_id, name, path, in_serving_catalog }]
      }),
    )
    const results = requested.map(({ code, browse_node_count, browse_ids }) => {
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
