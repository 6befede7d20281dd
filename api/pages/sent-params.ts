import type { FastifyRequest } from 'fastify'
import type { SentParams } from '../http/query-runner.ts'
import { parseQueryString } from '../http/query-string.ts'
import { queryStringOf } from '../http/routes.ts'

/** The parameters of the address that have a value. */
export const sentParams = (request: FastifyRequest): SentParams => {
  const entries = Object.entries(parseQueryString(queryStringOf(request)))
  return Object.fromEntries(entries.filter(([, value]) => typeof value !== 'string' || value.trim() !== ''))
}

/** The values as a form has them: the first of each. */
export const formValues = (sent: SentParams): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value].flat()[0] ?? '']))
