import { z } from 'zod'
import { defineQuery } from '../../query.ts'
import { gpcObject, gpcObjectOf } from './gpc-object.ts'
import { codeMiss, miss } from './miss.ts'
import { gpcCodes, pinned, publishedReference, valuesIn } from './values.ts'

const attribute = z
  .object({ name: z.string(), allowed_values: z.array(z.string()), value_count: z.int().min(0) })
  .meta({ id: 'BrickAttribute' })

/** The code whose attributes are given. */
const brickOf = ({ gpc_code, gpc }: { gpc_code: string; gpc: { code: string } | null }): string => gpc?.code ?? gpc_code

/**
 * The attributes that GPC gives a brick, each with its allowed values, in the order of the release. Empty for a brick
 * without any and for coarser codes, which have none; a class with a single brick of its own title stands for that
 * brick. NOT_PUBLISHED where no release is loaded.
 */
export const brickAttributes = defineQuery(import.meta, {
  group: 'reference',
  name: 'brick-attributes',
  summary: 'Attributes of GPC bricks and their allowed values',
  params: z.object({ gpc_code: gpcCodes }),
  row: z.object({ brick_code: z.string(), attributes: z.string() }),
  answer: z
    .object({
      results: z.array(
        z.object({
          gpc_code: z.string(),
          gpc: gpcObject.nullable(),
          attributes: z.array(attribute),
          miss: miss.nullable(),
        }),
      ),
      ...pinned,
    })
    .meta({ id: 'BrickAttributes' }),

  resolve({ gpc_code }, catalog) {
    const { reference, versions } = publishedReference(catalog)
    const asked = valuesIn(gpc_code).map((code) => {
      const node = reference.gpc.answering(code)
      const gpc = node ? gpcObjectOf(node) : null
      return { gpc_code: code, gpc, miss: codeMiss(reference, code) }
    })
    const brick_codes = asked.map(brickOf)
    return { bindings: { brick_codes: brick_codes.join() }, context: { asked, brick_codes, versions } }
  },

  recall: ({ context }, { reference }) =>
    context.brick_codes.map((brick_code) => ({
      brick_code,
      attributes: reference.attributes.get(brick_code) ?? '[]',
    })),

  shape(rows, { asked, versions }) {
    const attributesOf = new Map(rows.map((row) => [row.brick_code, row.attributes]))
    const results = asked.map(({ miss, ...known }) => ({
      ...known,
      attributes: JSON.parse(attributesOf.get(brickOf(known))!) as z.output<typeof attribute>[],
      miss,
    }))
    return { results, ...versions }
  },
})
