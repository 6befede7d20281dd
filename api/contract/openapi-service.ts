import { z } from 'zod'
import { MAX_REQUESTS } from '../http/batch-body.ts'
import { quoteSchema } from '../http/quote-schema.ts'
import { refusalsOf, response, type Schema, SERVICE } from './openapi-parts.ts'
import { batchPaymentInfo, type Terms } from './openapi-payment.ts'
import type { Detail } from './openapi-schemas.ts'

const tags = [SERVICE]

/** The tag of operations that are not queries. */
export const serviceTag: Schema = {
  name: SERVICE,
  description: 'What a query costs, and many queries in one request.',
}

const EXAMPLE = '/v1/analyst/category-summary'

/** A quote as an example: invented, like those of answers. */
const quoteExample: z.input<typeof quoteSchema> = {
  path: `${EXAMPLE}?category=coffee`,
  query: 'analyst/category-summary',
  free: false,
  price: '0.02',
  currency: 'USD',
  networks: ['base', 'solana', 'tempo'],
  resolved_product: null,
  snapshot_id: '000001-00000000',
  as_of: '2026-11-01T00:00:00.000Z',
  newest_observed_at: '2026-10-31T22:00:00Z',
  freshness_hours: 2,
  may_be_refused: false,
  cached: false,
  rows: 2000,
  size: 'small',
}

const quote = (detail: Detail): Schema => ({
  operationId: 'quote',
  tags,
  summary: 'Quote',
  description: 'Price, age and size of the answer to a query, without payment. Refused like the query itself.',
  security: [],
  parameters: [
    {
      name: 'path',
      in: 'query',
      required: true,
      description: 'Path of the query with its query string, percent-encoded.',
      schema: { type: 'string', example: quoteExample.path },
    },
  ],
  responses: {
    200: response('Quote', {
      type: 'application/json',
      schema: String(z.globalRegistry.get(quoteSchema)?.id),
      ...(detail === 'full' ? { example: quoteExample } : {}),
    }),
    ...refusalsOf(null),
  },
})

const requests = (detail: Detail): Schema => ({
  type: 'array',
  maxItems: MAX_REQUESTS,
  ...(detail === 'full' ? { minItems: 1 } : {}),
  items: {
    type: 'object',
    description: 'One query.',
    required: ['path'],
    properties: {
      path: { type: 'string', description: 'Path of the query, which may have a query string.' },
      params: {
        type: 'object',
        description: 'Its parameters by name: text, numbers, true or false; those of the path as well.',
      },
    },
  },
})

const batch = (detail: Detail, terms: Terms): Schema => {
  const body = { schema: requests(detail), example: [{ path: EXAMPLE, params: { category: 'coffee' } }] }
  const answers = {
    schema: { type: 'array', items: { type: 'object', description: 'The answer of the query in this place.' } },
  }
  return {
    operationId: 'batch',
    tags,
    summary: 'Batch',
    description: `The answers to up to ${MAX_REQUESTS} queries in order, for one payment of their sum; if one is refused, nothing is charged.`,
    security: [],
    ...batchPaymentInfo(MAX_REQUESTS, terms),
    requestBody: { required: true, content: { 'application/json': body } },
    responses: {
      200: {
        description: 'Answers',
        content: { 'application/json': detail === 'full' ? { ...answers, example: [{}] } : answers },
      },
      ...refusalsOf('analyst'),
    },
  }
}

/** The operations that are not queries, by path. */
export const servicePaths = (detail: Detail, terms: Terms): Schema => ({
  '/v1/quote': { get: quote(detail) },
  '/v1/batch': { post: batch(detail, terms) },
})
