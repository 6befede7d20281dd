import type { Group } from '../../engine/index.ts'
import { statuses } from '../http/problem.ts'
import type { Protocol } from '../ops/networks.ts'

/** The tag of operations that are not queries. */
export const SERVICE = 'service'

/** A JSON Schema, or another object of the contract document. */
export type Schema = Record<string, unknown>

const text = (description: string): Schema => ({ type: 'string', description })
const error = { $ref: '#/components/schemas/Error', description: 'The refusal for programs.' }
const object = (properties: Schema): Schema => ({ type: 'object', required: Object.keys(properties), properties })

const CODE = 'Why it is refused; what to do depends on it alone.'
const MESSAGE = 'What is wrong and what to send instead.'
const DETAILS = 'All that the message says, for programs: the parameter, what is accepted, the nearest names.'

const details = {
  type: 'object',
  description: DETAILS,
  properties: {
    newest_observed_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Of NO_RESULTS and RETAILER_NOT_SERVING_ELIGIBLE: when the resolved scope was last observed; null: never.',
    },
  },
}

/** Schemas of refusals; those of public routes have fewer members. The brief document has no list of codes. */
export const refusalSchemas = (isFull: boolean): Schema => ({
  Error: object({
    code: isFull ? { ...text(CODE), enum: Object.keys(statuses) } : text(CODE),
    message: text(MESSAGE),
    details: isFull ? details : { type: 'object', description: DETAILS },
  }),
  Problem: object({
    type: text('Always about:blank: the code says more than a type.'),
    title: text('The name of the HTTP status.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('The message of error.'),
    instance: text('The path of the request.'),
    error,
  }),
  PublicProblem: object({ error }),
})

const header = (description: string, type: string): Schema => ({ description, schema: { type } })

const headers = {
  'X-Data-Freshness-Hours': header('Age of the newest observation used by the answer, in hours', 'number'),
  'X-GPC-Release': header('The GPC release that the answer is pinned to', 'string'),
  'X-Map-Version': header('The version of the crosswalk that the answer is pinned to; none without one', 'string'),
  'X-Snapshot-Fallback': header(
    'Only while the published snapshot is damaged: its id, or unknown. The newest intact snapshot before it answers',
    'string',
  ),
  'PAYMENT-REQUIRED': header('Offers of x402 version 2: base64 of JSON', 'string'),
  'WWW-Authenticate': header('The offer of MPP: a Payment challenge', 'string'),
  'Retry-After': header('Seconds to wait before a retry', 'integer'),
  'RateLimit-Policy': header('Requests a client may make (q) in a number of seconds (w)', 'string'),
  RateLimit: header('Requests left (r) and the seconds until all are back (t)', 'string'),
}

export type HeaderName = keyof typeof headers

type Content = { type: string; schema: string; headers?: HeaderName[]; example?: unknown; others?: Schema }

/** A response of one media type by a named schema, and of others. */
export const response = (description: string, { type, schema, headers = [], example, others }: Content): Schema => ({
  description,
  ...(headers.length > 0
    ? { headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
    : {}),
  content: {
    [type]: { schema: { $ref: `#/components/schemas/${schema}` }, ...(example ? { example } : {}) },
    ...others,
  },
})

type ResponseText = [description: string, headers?: HeaderName[]]

const challenges: Record<Protocol, Required<ResponseText>> = {
  x402: ['x402 in PAYMENT-REQUIRED, x402 version 1 in the body', ['PAYMENT-REQUIRED']],
  MPP: ['MPP in WWW-Authenticate', ['WWW-Authenticate']],
}

const refusalTexts = {
  full:
    'Refused: 400 invalid parameters, 404 no results or a retailer that cannot be served, 406 no acceptable media type, 412 ' +
    'older than max_age, 422 requests of a batch, 429 too many requests; all before any payment challenge. 409 a ' +
    'payment-identifier or 422 an Idempotency-Key that was used for another query; the payment is not used. 500 internal ' +
    'error, nothing was charged; 503 busy, not ready or a settlement in doubt',
  brief:
    'Refused: 400 parameters, 404 no results, 406 Accept, 412 max_age, 422 batch, 429 rate; all before any payment ' +
    'challenge. 409, 422 a reused payment id; 500, 503 retry',
}
/** Public routes have no payment refusals. */
const publicRefusalTexts = {
  full:
    'Refused: 400 invalid parameters, 406 no acceptable media type, 412 older than max_age, 429 too many requests, 500 ' +
    'internal error, 503 busy or not ready',
  brief: 'Refused: 400 parameters, 406 Accept, 412 max_age, 429 rate; 500, 503 retry',
}

const refusalsBy = (protocols: readonly Protocol[], isFull: boolean): Record<string, ResponseText> => ({
  402: [
    `Payment required: ${protocols.map((protocol) => challenges[protocol][0]).join(', ')}`,
    [...protocols.flatMap((protocol) => challenges[protocol][1]), 'X-Data-Freshness-Hours'],
  ],
  default: [
    refusalTexts[isFull ? 'full' : 'brief'],
    ['Retry-After', 'RateLimit-Policy', 'RateLimit', 'X-Data-Freshness-Hours'],
  ],
})

const asPublic: Content = { type: 'application/json', schema: 'PublicProblem' }
const asProblem: Content = { type: 'application/problem+json', schema: 'Problem' }

const isPossible = (group: Group, status: string): boolean => group !== 'public' || status !== '402'
const nameOf = (group: Group | null, status: string): string => (group === 'public' ? `public-${status}` : status)

/**
 * The refusals of a group's operations, by status, or of an operation that is no query and free. Each operation names a
 * 4XX status, as linters require.
 */
export const refusalsOf = (group: Group | null): Schema => {
  const refer = (status: string): Schema => ({ $ref: `#/components/responses/${nameOf(group, status)}` })
  return {
    ...(group && isPossible(group, '402') ? { 402: refer('402') } : { '4XX': refer('default') }),
    default: refer('default'),
  }
}

/** Headers in the brief document. */
const essentialHeaders: readonly HeaderName[] = ['PAYMENT-REQUIRED', 'WWW-Authenticate', 'Retry-After']

/** Headers of responses, without those of protocols that are not accepted; in the brief document the essential ones. */
export const headersOf = (protocols: readonly Protocol[], isFull: boolean): Schema => {
  const others = Object.entries(challenges).filter(([protocol]) => !protocols.includes(protocol as Protocol))
  const unused = others.flatMap(([, [, names]]) => names)
  const names = (isFull ? (Object.keys(headers) as HeaderName[]) : essentialHeaders).filter(
    (name) => !unused.includes(name),
  )
  return Object.fromEntries(names.map((name) => [name, headers[name]]))
}

/** The responses that `refusalsOf` refers to, for some groups and protocols. */
export const refusalResponses = (groups: readonly Group[], protocols: readonly Protocol[], isFull: boolean): Schema => {
  const responseOf = (group: Group, [description, names = []]: ResponseText): Schema => {
    const headers = isFull ? names : names.filter((name) => essentialHeaders.includes(name))
    return group === 'public'
      ? response(publicRefusalTexts[isFull ? 'full' : 'brief'], { ...asPublic, headers })
      : response(description, { ...asProblem, headers })
  }
  return Object.fromEntries(
    groups.flatMap((group) =>
      Object.entries(refusalsBy(protocols, isFull))
        .filter(([status]) => isPossible(group, status))
        .map(([status, text]) => [nameOf(group, status), responseOf(group, text)]),
    ),
  )
}
