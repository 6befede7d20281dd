import { type AnyQuery, findQuery, invalidParam, quotedValue } from '../../engine/index.ts'
import { Refusal } from './problem.ts'
import type { SentParams } from './query-runner.ts'
import { parseQueryString } from './query-string.ts'

/** A query and its parameters as sent, from an address in a request. */
export type Target = { query: AnyQuery; sent: SentParams }

/** The query at a path. Throws NOT_FOUND if that is none. */
const queryAt = (path: string): AnyQuery => {
  const [root, version, group = '', name = '', ...others] = path.split('/')
  const query = root === '' && version === 'v1' && others.length === 0 ? findQuery(group, name) : undefined
  if (query) return query
  throw new Refusal('NOT_FOUND', `path: ${quotedValue(path)} is not a query; GET /openapi.json lists all queries`, {
    parameter: 'path',
  })
}

/**
 * Reads the address of a query: its path with its query string, also with the address of the service before it. Throws
 * INVALID_PARAMS if it is malformed or of another service, and NOT_FOUND if it is not a query.
 */
export const readTarget = (text: string, base_url: string): Target => {
  const address = text.startsWith(`${base_url}/`) ? text.slice(base_url.length) : text
  if (!address.startsWith('/') || address.startsWith('//'))
    throw invalidParam(
      'path',
      `expected a path such as /v1/analyst/inflation?category=coffee, or one after ${base_url}`,
    )
  if (address.includes('#')) throw invalidParam('path', 'expected no fragment: percent-encode # as %23')
  const [path = '', queryString = ''] = address.split(/\?(.*)/s, 2)
  return { query: queryAt(path), sent: parseQueryString(queryString) }
}
