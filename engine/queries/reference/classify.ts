import { z } from 'zod'
import type { Reference } from '../../catalog/reference.ts'
import { phraseKey } from '../../catalog/text.ts'
import { defineQuery } from '../../query.ts'
import { formOf, gpcForm, gpcObject, gpcObjectOf } from './gpc-object.ts'
import { miss, nodeMiss, phraseMiss } from './miss.ts'
import { pinned, publishedReference, valueList, valuesIn } from './values.ts'

const text = z.string().nullable()

export const browseNode = z
  .object({ browse_id: z.string(), name: text, path: text, in_serving_catalog: z.boolean() })
  .meta({ id: 'BrowseNode' })

const precision = z.enum(['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch']).nullable()
const source = z.enum(['self', 'inherited']).nullable()
const assurance = z.enum(['verified', 'curated', 'derived']).nullable()

/** What is known of a browse node, as a row holds it in JSON. */
const matchedNode = browseNode.extend({
  gpc_code: text,
  match_precision: precision,
  match_source: source,
  inherited_from: text,
  assurance_state: assurance,
  stop: text,
})
type MatchedNode = z.output<typeof matchedNode>

export const matchedNodeOf = (row: { node: string }): MatchedNode => JSON.parse(row.node)

const result = z.object({
  browse_id: text,
  phrase: text,
  browse_node: browseNode.nullable(),
  gpc: gpcObject.nullable(),
  match_precision: precision,
  match_source: source,
  inherited_from: text,
  assurance_state: assurance,
  attribute_count: z.int().nullable(),
  miss: miss.nullable(),
  forms: z.array(gpcForm),
})
type Result = z.output<typeof result>

const NO_MATCH = { match_precision: null, match_source: null, inherited_from: null, assurance_state: null }
const CURATED = {
  ...NO_MATCH,
  match_precision: 'exactMatch',
  match_source: 'self',
  assurance_state: 'curated',
} as const

/** What is known of a code; nothing for none. */
const described = ({ gpc }: Reference, code: string | null): Pick<Result, 'gpc' | 'attribute_count' | 'forms'> => {
  const node = gpc.node(code ?? '')
  if (!node) return { gpc: null, attribute_count: null, forms: [] }
  const forms = node.level === 'class' ? gpc.children(node).map(formOf) : []
  return { gpc: gpcObjectOf(node), attribute_count: node.attribute_count, forms }
}

const classifyPhrase = (reference: Reference, phrase: string): Result => {
  const code = reference.gpc.answering(reference.phrases.get(phraseKey(phrase))?.gpc_code ?? '')?.code ?? null
  const known = { browse_id: null, phrase, browse_node: null, ...described(reference, code) }
  return code === null
    ? { ...known, ...NO_MATCH, miss: phraseMiss(reference, phrase) }
    : { ...known, ...CURATED, miss: null }
}

const classifyNode = (reference: Reference, browse_id: string, node: MatchedNode | undefined): Result => {
  const { name = null, path = null, in_serving_catalog = false } = node ?? {}
  const { match_precision, match_source, inherited_from, assurance_state } = node ?? NO_MATCH
  const found = described(reference, node?.gpc_code ?? null)
  return {
    browse_id,
    phrase: null,
    browse_node: { browse_id, name, path, in_serving_catalog },
    ...found,
    ...{ match_precision, match_source, inherited_from, assurance_state },
    miss: found.gpc ? null : nodeMiss(browse_id, node ? (node.stop ?? '') : null),
  }
}

const onePlace = (params: { browse_id?: unknown; q?: unknown }, context: z.RefinementCtx) => {
  const hasId = params.browse_id !== undefined
  if (hasId === (params.q !== undefined))
    context.addIssue({ code: 'custom', path: [hasId ? 'q' : 'browse_id'], message: 'send browse_id or q, one of them' })
}

/**
 * GPC types of marketplace browse nodes, or of phrases that name product types; results line up with what was asked.
 * A node's match is its own or inherited from its nearest mapped ancestor, which is then the broader one; a phrase's is
 * curated or blank. Where there is none, `miss` tells why. `forms` are the bricks of a class. Source: GS1 GPC, and a
 * crosswalk in SSSOM. NOT_PUBLISHED where no release is loaded.
 */
export const classify = defineQuery(import.meta, {
  group: 'reference',
  name: 'classify',
  summary: 'GPC product types of browse nodes or phrases',
  params: z
    .object({
      browse_id: valueList(/^\d{1,20}$/, 'ids of 1 to 20 digits')
        .optional()
        .describe('Marketplace browse node ids, comma-separated, at most 100. This or q.'),
      q: valueList(/^.{1,200}$/s, 'phrases of 1 to 200 letters')
        .optional()
        .describe('Names of product types, comma-separated, at most 100. This or browse_id.')
        .meta({ examples: ['laptops'] }),
    })
    .superRefine(onePlace),
  row: z.object({ node: z.string() }),
  answer: z
    .object({
      results: z.array(result),
      ...pinned,
    })
    .meta({ id: 'Classify' }),

  resolve({ browse_id, q }, catalog) {
    const { versions } = publishedReference(catalog)
    const ids = browse_id === undefined ? null : valuesIn(browse_id)
    const phrases = q === undefined ? [] : valuesIn(q)
    return { bindings: { browse_ids: (ids ?? []).join() }, context: { ids, phrases, versions } }
  },

  recall: ({ context }, { reference }) => reference.browse.nodes(context.ids ?? []),

  shape(rows, { ids, phrases, versions }, { reference }) {
    const byId = new Map(rows.map(matchedNodeOf).map((node) => [node.browse_id, node]))
    const results = ids
      ? ids.map((id) => classifyNode(reference, id, byId.get(id)))
      : phrases.map((phrase) => classifyPhrase(reference, phrase))
    return { results, ...versions }
  },
})
