import { z } from 'zod'
import type { Reference } from '../../catalog/reference.ts'
import { sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { phraseKey } from '../../contract/text.ts'
import { statement } from '../../counts/count.ts'
import { defineQuery } from '../query.ts'
import { formOf, gpcForm, gpcObject, gpcObjectOf } from './gpc-object.ts'
import { miss, nodeMiss, phraseMiss } from './miss.ts'
import { nodesFromNames, pinned, publishedReference, valueList, valuesIn } from './values.ts'

const text = z.string().nullable()

export const browseNode = z
  .object({
    browse_id: field.key('Id of the node, 1 to 20 digits.'),
    name: field.text('Its name; null where it is not known.').nullable(),
    path: field.text('Names from the root to it; null where they are not known.').nullable(),
    in_serving_catalog: field.flag('Whether a listing of the catalogue is on the node.'),
  })
  .meta({ id: 'BrowseNode', description: 'A browse node of a marketplace.' })

const precision = field
  .choice(
    ['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch'],
    'How exactly the code fits (SKOS); null without a code.',
  )
  .nullable()
const source = field
  .choice(['self', 'inherited'], 'Whether the match is its own or that of an ancestor; null without a code.')
  .nullable()
const assurance = field
  .choice(['verified', 'curated', 'derived'], 'How the match was reviewed; null without a code.')
  .nullable()
const inheritedFrom = field.text('Id of the ancestor that the match is inherited from; null: its own.').nullable()

/** A browse node with its match, as JSON in a row. */
const matchedNode = browseNode.extend({
  gpc_code: text,
  match_precision: precision,
  match_source: source,
  inherited_from: inheritedFrom,
  assurance_state: assurance,
  stop: text,
})
type MatchedNode = z.output<typeof matchedNode>

export const matchedNodeOf = (row: { node: string }): MatchedNode => JSON.parse(row.node)

const result = z.object({
  browse_id: field.key('The browse node that was sent; null for a phrase.').nullable(),
  phrase: field.text('The phrase that was sent; null for a browse node.').nullable(),
  browse_node: browseNode.nullable(),
  gpc: gpcObject.nullable(),
  match_precision: precision,
  match_source: source,
  inherited_from: inheritedFrom,
  assurance_state: assurance,
  attribute_count: field.count('Attributes that GPC defines for the code; null without a code.').nullable(),
  miss: miss.nullable(),
  forms: field.list(gpcForm, 'The bricks of a class; empty for other levels.'),
})
type Result = z.output<typeof result>

const NO_MATCH = { match_precision: null, match_source: null, inherited_from: null, assurance_state: null }
const CURATED = {
  ...NO_MATCH,
  match_precision: 'exactMatch',
  match_source: 'self',
  assurance_state: 'curated',
} as const

/** The fields of a code; empty without one. */
const codeFields = ({ gpc }: Reference, code: string | null): Pick<Result, 'gpc' | 'attribute_count' | 'forms'> => {
  const node = gpc.node(code ?? '')
  if (!node) return { gpc: null, attribute_count: null, forms: [] }
  const forms = node.level === 'class' ? gpc.children(node).map(formOf) : []
  return { gpc: gpcObjectOf(node), attribute_count: node.attribute_count, forms }
}

const classifyPhrase = (reference: Reference, phrase: string): Result => {
  const code = reference.gpc.canonical(reference.phrases.get(phraseKey(phrase))?.gpc_code ?? '')?.code ?? null
  const common = { browse_id: null, phrase, browse_node: null, ...codeFields(reference, code) }
  return code === null
    ? { ...common, ...NO_MATCH, miss: phraseMiss(reference, phrase) }
    : { ...common, ...CURATED, miss: null }
}

const classifyNode = (reference: Reference, browse_id: string, node: MatchedNode | undefined): Result => {
  const { name = null, path = null, in_serving_catalog = false } = node ?? {}
  const { match_precision, match_source, inherited_from, assurance_state } = node ?? NO_MATCH
  const fields = codeFields(reference, node?.gpc_code ?? null)
  return {
    browse_id,
    phrase: null,
    browse_node: { browse_id, name, path, in_serving_catalog },
    ...fields,
    ...{ match_precision, match_source, inherited_from, assurance_state },
    miss: fields.gpc ? null : nodeMiss(browse_id, node ? (node.stop ?? '') : null),
  }
}

const exactlyOne = (params: { browse_id?: unknown; q?: unknown }, context: z.RefinementCtx) => {
  const hasId = params.browse_id !== undefined
  if (hasId === (params.q !== undefined))
    context.addIssue({ code: 'custom', path: [hasId ? 'q' : 'browse_id'], message: 'send either browse_id or q' })
}

/**
 * GPC types of marketplace browse nodes, or of phrases that name product types.
 *
 * @example
 * const { results } = await engine.ask(classify, { q: 'laptops' })
 * for (const { phrase, gpc } of results) console.log(phrase, gpc?.code, gpc?.title)
 */
export const classify = defineQuery({
  group: 'reference',
  name: 'classify',
  summary: 'GPC product types of browse nodes or phrases',
  definition: {
    population: 'The browse nodes or phrases that were sent, in that order.',
    formula:
      "A node's code is its own or inherited from its nearest mapped ancestor within four steps, and then broader than the " +
      "node. A phrase's code is curated: a phrase that is not in the lexicon has none, and nothing is guessed.",
    null_rule:
      'gpc is null where there is no code, and miss has the reason; otherwise miss is null. NOT_PUBLISHED where no release is ' +
      'loaded.',
    sources: [sources.gpc, sources.crosswalk],
  },
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
    .superRefine(exactlyOne),
  answer: z
    .object({
      results: field.list(result, 'One result for each value, in the order sent.'),
      ...pinned,
    })
    .meta({ id: 'Classify', description: 'GPC product types of browse nodes or phrases.' }),

  resolve({ browse_id, q }, catalog) {
    const { versions } = publishedReference(catalog)
    const ids = browse_id === undefined ? null : valuesIn(browse_id)
    const phrases = q === undefined ? [] : valuesIn(q)
    return { bindings: { browse_ids: (ids ?? []).join() }, context: { ids, phrases, versions } }
  },

  reads: { rows: statement(import.meta, z.object({ node: z.string() }), nodesFromNames) },

  toAnswer({ rows }, { ids, phrases, versions }, { reference }) {
    const byId = new Map(rows.map(matchedNodeOf).map((node) => [node.browse_id, node]))
    const results = ids
      ? ids.map((id) => classifyNode(reference, id, byId.get(id)))
      : phrases.map((phrase) => classifyPhrase(reference, phrase))
    return { results, ...versions }
  },
})
