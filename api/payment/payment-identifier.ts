import { z } from 'zod'
import { invalidParam } from '../../engine/index.ts'

const NAME = 'payment-identifier'
const PATTERN = '^[a-zA-Z0-9_-]+$'
const id = z.string().min(16).max(128).regex(new RegExp(PATTERN))

/** The x402 extension by which a client names a purchase, as advertised in a 402. */
export const paymentIdentifier = {
  [NAME]: {
    info: { required: false },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        required: { type: 'boolean' },
        id: { type: 'string', minLength: 16, maxLength: 128, pattern: PATTERN },
      },
      required: ['required'],
    },
  },
}

const given = z.object({ info: z.object({ id: z.unknown() }) })

/** The id in the extensions of a payment; null without one. Throws INVALID_PARAMS if it is malformed. */
export const paymentIdOf = (extensions: Record<string, unknown> | null): string | null => {
  const sent = given.safeParse(extensions?.[NAME]).data?.info.id
  if (sent === undefined || sent === null) return null
  const { data } = id.safeParse(sent)
  if (data !== undefined) return data
  throw invalidParam(
    `extensions.${NAME}.info.id`,
    'expected 16 to 128 letters, digits, hyphens or underscores; the payment was not used.',
  )
}
