import { z } from 'zod'
import type { Catalog } from '../../catalog/catalog.ts'
import { sources } from '../../contract/definition.ts'
import { field } from '../../contract/field.ts'
import { statement } from '../../counts/count.ts'
import { type Bindings, defineQuery } from '../query.ts'
import { gpcObject, gpcObjectOf } from './gpc-object.ts'
import { codeMiss, miss } from './miss.ts'
import { gpcCodes, pinned, publishedReference, valuesIn } from './values.ts'

const attribute = z
  .object({
    name: field.text('Title of the attribute.'),
    allowed_values: field.list(z.string(), 'Titles of the values that GPC allows.'),
    value_count: field.count('How many values that are.'),
  })
  .meta({ id: 'BrickAttribute', description: 'An attribute of a brick.' })

/** The code whose attributes are returned. */
const brickOf = ({ gpc_code, gpc }: { gpc_code: string; gpc: { code: string } | null }): string => gpc?.code ?? gpc_code

const attributesFromNames = ({ brick_codes }: Bindings, { reference }: Catalog) =>
  String(brick_codes)
    .split(',')
    .filter(Boolean)
    .map((brick_code) => ({ brick_code, attributes: reference.attributes.get(brick_code) ?? '[]' }))

/**
 * The attributes of a GPC brick, each with its allowed values.
 *
 * @example
 * const { results } = await engine.ask(brickAttributes, { gpc_code: '10001145' })
 * for (const { attributes } of results) for (const { name, value_count } of attributes) console.log(name, value_count)
 */
export const brickAttributes = defineQuery({
  group: 'reference',
  name: 'brick-attributes',
  summary: 'Attributes of GPC bricks and their allowed values',
  definition: {
    population: 'The GPC codes that were sent, in that order.',
    formula:
      'Attributes and values are in the order of the release. A class with a single brick of its own title is taken for ' +
      'that brick.',
    null_rule:
      'attributes is empty for bricks without any and for codes above a brick, which have none. gpc is null and miss has ' +
      'the reason where the release has no such code. NOT_PUBLISHED where no release is loaded.',
    sources: [sources.gpc],
  },
  params: z.object({ gpc_code: gpcCodes }),
  answer: z
    .object({
      results: field.list(
        z.object({
          gpc_code: field.text('The code that was sent.'),
          gpc: gpcObject.nullable(),
          attributes: field.list(attribute, 'Attributes of the brick; empty for codes above a brick.'),
          miss: miss.nullable(),
        }),
        'One result for each code, in the order sent.',
      ),
      ...pinned,
    })
    .meta({ id: 'BrickAttributes', description: 'Attributes of GPC bricks.' }),

  resolve({ gpc_code }, catalog) {
    const { reference, versions } = publishedReference(catalog)
    const requested = valuesIn(gpc_code).map((code) => {
      const node = reference.gpc.canonical(code)
      const gpc = node ? gpcObjectOf(node) : null
      return { gpc_code: code, gpc, miss: codeMiss(reference, code) }
    })
    const brick_codes = requested.map(brickOf)
    return { bindings: { brick_codes: brick_codes.join() }, context: { requested, brick_codes, versions } }
  },

  reads: {
    rows: statement(import.meta, z.object({ brick_code: z.string(), attributes: z.string() }), attributesFromNames),
  },

  toAnswer({ rows }, { requested, versions }) {
    const attributesOf = new Map(rows.map((row) => [row.brick_code, row.attributes]))
    const results = requested.map(({ miss, ...result }) => ({
      ...result,
      attributes: JSON.parse(attributesOf.get(brickOf(result))!) as z.output<typeof attribute>[],
      miss,
    }))
    return { results, ...versions }
  },
})
