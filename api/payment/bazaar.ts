import type { Offer } from './offer.ts'

const object = (properties: Record<string, unknown>, required: string[]) => ({ type: 'object', properties, required })
const text = { type: 'string' }

/**
 * The `bazaar` extension of x402: how to ask for a resource, for catalogues of facilitators. Its example is the question
 * under way, which is known to have an answer.
 */
export const bazaar = ({ parameters }: Offer) => ({
  info: {
    input: { type: 'http', method: 'GET', queryParams: parameters },
    output: { type: 'json' },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...object(
      {
        input: object(
          {
            type: { const: 'http' },
            method: { const: 'GET' },
            queryParams: { type: 'object', additionalProperties: text },
          },
          ['type', 'method'],
        ),
        output: object({ type: text, example: { type: 'object' } }, ['type']),
      },
      ['input'],
    ),
  },
})
