import { z } from 'zod'
import { gpcLevels } from '../../catalog/gpc.ts'
import type { Reference } from '../../catalog/reference.ts'
import { phraseKey } from '../../catalog/text.ts'
import { defineQuery } from '../../query.ts'
import { gpcForm, gpcObject, gpcObjectOf } from './gpc-object.ts'
import { type Miss, miss, nodeMiss, phraseMiss } from './miss.ts'
import { pinned, publishedReference, valueList, valuesIn } from './values.ts'

const text = z.string().nullable()

export const browseNode = z
  .object({ browse_id: z.string(), name: text, path: text, in_serving_catalog: z.boolean() })
  .meta({ id: 'BrowseNode' })

const precision = z.enum(['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch']).nullable()
const source = z.enum(['self', 'inherited']).nullable()
const assurance = z.enum(['verified', 'curated', 'derived']).nullable()

/** A phrase as it was asked, with the code it names or why it names none. */
type AskedPhrase = { phrase: string; code: string; miss: Miss | null }

const askPhrase = (reference: Reference, phrase: string): AskedPhrase => {
  const code = reference.gpc.answering(reference.phrases.get(phraseKey(phrase))?.gpc_code ?? '')?.code
  return { phrase, code: code ?? '', miss: code ? null : phraseMiss(reference, phrase) }
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
  row: z.object({
    place: z.int(),
    browse_id: text,
    name: text,
    path: text,
    in_serving_catalog: z.boolean().nullable(),
    match_precision: precision,
    match_source: source,
    inherited_from: text,
    assurance_state: assurance,
    stop: text,
    code: text,
    title: text,
    level: z.enum(gpcLevels).nullable(),
    segment: text,
    family: text,
    class: text,
    attribute_count: z.int().nullable(),
    forms: z.array(gpcForm).nullable(),
  }),
  answer: z
    .object({
      results: z.array(
        z.object({
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
        }),
      ),
      ...pinned,
    })
    .meta({ id: 'Classify' }),

  resolve({ browse_id, q }, catalog) {
    const { reference, versions } = publishedReference(catalog)
    const phrases = q === undefined ? null : valuesIn(q).map((phrase) => askPhrase(reference, phrase))
    return {
      bindings: {
        browse_ids: browse_id === undefined ? null : valuesIn(browse_id).join(),
        gpc_codes: phrases?.map(({ code }) => code).join() ?? null,
      },
      context: { phrases, versions },
    }
  },

  shape(rows, { phrases, versions }) {
    const results = rows.map((row, at) => {
      const { browse_id, name, path, stop, code, title, level, segment, family } = row
      const phrase = phrases?.[at]
      const gpc = code && title && level ? gpcObjectOf({ code, title, level, segment, family, class: row.class }) : null
      const isHit = phrase !== undefined && gpc !== null
      return {
        browse_id,
        phrase: phrase?.phrase ?? null,
        browse_node:
          browse_id === null ? null : { browse_id, name, path, in_serving_catalog: row.in_serving_catalog ?? false },
        gpc,
        match_precision: isHit ? ('exactMatch' as const) : row.match_precision,
        match_source: isHit ? ('self' as const) : row.match_source,
        inherited_from: row.inherited_from,
        assurance_state: isHit ? ('curated' as const) : row.assurance_state,
        attribute_count: row.attribute_count,
        miss: phrase ? phrase.miss : gpc ? null : nodeMiss(browse_id ?? '', stop),
        forms: level === 'class' ? (row.forms ?? []) : [],
      }
    })
    return { results, ...versions }
  },
})
