import { z } from 'zod'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Reference } from '../../catalog/reference.ts'
import { EngineError } from '../../contract/errors.ts'
import { quotedValue } from '../../contract/expectation.ts'
import { field } from '../../contract/field.ts'
import type { Bindings } from '../query.ts'

const MAX_VALUES = 100

/** The values of a comma-separated param, in their order. */
export const valuesIn = (text: string): string[] => text.split(',').map((value) => value.trim())

/** The rows of matched_node_of (sql/reference.sql) from the nodes in memory. */
export const nodesFromNames = ({ browse_ids }: Bindings, { reference }: Catalog) =>
  reference.browse.nodes(String(browse_ids).split(','))

/** A param of up to a hundred comma-separated values, each matching a pattern. */
export const valueList = (pattern: RegExp, expected: string) =>
  z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const values = valuesIn(text)
      const wrong = values.find((value) => !pattern.test(value))
      if (values.length > MAX_VALUES)
        context.addIssue({ code: 'custom', message: `has ${values.length} values; send at most ${MAX_VALUES}` })
      else if (wrong !== undefined)
        context.addIssue({
          code: 'custom',
          message: `expected ${expected}, comma-separated, got ${quotedValue(wrong)}`,
        })
    })

/** GPC codes, of any level. */
export const gpcCodes = valueList(/^\d{8}$/, 'GPC codes of 8 digits')
  .describe('GS1 GPC codes, comma-separated, at most 100.')
  .meta({ examples: ['10001145'] })

/** The versions an answer is pinned to. */
export const pinned = {
  gpc_release: field.text('The GPC release that the answer is of.'),
  map_version: field.text('The version of the mapping of browse nodes; null without one.').nullable(),
  schema_version: field.page(z.literal('1.0').describe('Version of the layout of this answer.')),
}
export type Pinned = z.output<z.ZodObject<typeof pinned>>

/** The reference of a snapshot and its versions. NOT_PUBLISHED where no GPC release is loaded. */
export const publishedReference = ({ reference }: Catalog): { reference: Reference; versions: Pinned } => {
  const { gpc, map_version } = reference
  if (gpc.release === null)
    throw new EngineError(
      'NOT_PUBLISHED',
      'This lake has no GPC release; refresh it with a gpc_release feed (and browse_node_gpc_map, lexicon).',
      { feeds: ['gpc_release', 'browse_nodes', 'browse_node_gpc_map', 'lexicon'] },
    )
  return { reference, versions: { gpc_release: gpc.release, map_version, schema_version: '1.0' } }
}
