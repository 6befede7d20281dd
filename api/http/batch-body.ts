import { isObject } from '../../engine/index.ts'
import { Refusal } from './problem.ts'
import { readTarget, type Target } from './target.ts'

/** The most requests in a batch, and the most bytes of its body. */
export const MAX_REQUESTS = 100
export const MAX_BODY_BYTES = 128 * 1024

const EXPECTED = `a list of 1 to ${MAX_REQUESTS} requests such as {"path": "/v1/analyst/inflation", "params": {"category": "coffee"}}`

const invalidBody = (message: string, details: Record<string, unknown> = {}): Refusal =>
  new Refusal('INVALID_PARAMS', message, details)

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const parseBody = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidBody(`The body is not valid JSON in UTF-8; send ${EXPECTED}.`)
  }
}

/** The requests in a body, not yet read. Throws INVALID_PARAMS unless it is a list of 1 to 100, or an object with that. */
export const readBatch = (body: Buffer | undefined): readonly unknown[] => {
  if (!body?.length) throw invalidBody(`The body is empty; send ${EXPECTED}.`)
  const json = parseBody(body)
  const members = isObject(json) ? Object.keys(json) : []
  const requests = isObject(json) && members.length === 1 ? json.requests : json
  if (!Array.isArray(requests)) throw invalidBody(`The body is not a list; send ${EXPECTED}.`)
  const { length } = requests
  if (length === 0 || length > MAX_REQUESTS)
    throw invalidBody(`The batch has ${length} requests; send 1 to ${MAX_REQUESTS}.`, { maximum: MAX_REQUESTS })
  return requests
}

/** A value of a parameter as text; null counts as absent. */
const paramText = (name: string, value: unknown): string | null => {
  if (value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidBody(`${name}: expected text, a number, true or false, got ${kindOf(value)}`, { parameter: name })
}

/**
 * Reads one request of a batch: the path of a query, which may have a query string, and its parameters. Throws
 * INVALID_PARAMS, or NOT_FOUND if the path is not that of a query.
 */
export const readRequest = (request: unknown, base_url: string): Target => {
  if (!isObject(request)) throw invalidBody(`Expected an object with path and params, got ${kindOf(request)}.`)
  const { path, params = {}, ...others } = request
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw invalidBody(`${other.slice(0, 64)}: is not a member of a request; send path and params`)
  if (typeof path !== 'string')
    throw invalidBody(`path: required; send a path such as /v1/public/stats`, { parameter: 'path' })
  if (!isObject(params)) throw invalidBody(`params: expected an object, got ${kindOf(params)}`, { parameter: 'params' })
  const { query, sent } = readTarget(path, base_url)
  for (const [name, value] of Object.entries(params)) {
    const text = paramText(name.slice(0, 64), value)
    if (text === null) continue
    const before = sent[name]
    sent[name] = before === undefined ? text : [before, text].flat()
  }
  return { query, sent }
}
