import { z } from 'zod'
import { defineQuery } from '../../query.ts'
import { gpcObject, gpcObjectOf } from './gpc-object.ts'
import { codeMiss, miss } from './miss.ts'
import { gpcCodes, pinned, publishedReference, valuesIn } from './values.ts'

const attribute = z
  .object({ name: z.string(), allowed_values: z.array(z.string()), value_count: z.int().min(0) })
  .meta({ id: 'BrickAttribute' })

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
  row: z.object({ place: z.int(), attributes: z.array(attribute) }),
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
      return { gpc_code: code, gpc: node ? gpcObjectOf(node) : null, miss: codeMiss(reference, code) }
    })
    const brick_codes = asked.map(({ gpc_code, gpc }) => gpc?.code ?? gpc_code).join()
    return { bindings: { brick_codes }, context: { asked, versions } }
  },

  shape(rows, { asked, versions }) {
    const results = rows.map(({ attributes }, at) => ({ ...asked[at]!, attributes }))
    return { results, ...versions }
  },
})
