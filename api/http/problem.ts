import { STATUS_CODES } from 'node:http'
import { EngineError, type ErrorCode } from '../../engine/index.ts'
import { inRequests } from './address.ts'

/** Codes of refusals: those of the engine, and those of HTTP only. */
export type HttpCode =
  | ErrorCode
  | 'PAYMENT_REQUIRED'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ACCEPTABLE'
  | 'REQUEST_TIMEOUT'
  | 'GONE'
  | 'PAYMENT_ID_REUSED'
  | 'BODY_TOO_LARGE'
  | 'URI_TOO_LONG'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'BATCH_REFUSED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'

export const statuses: Record<HttpCode, number> = {
  INVALID_PARAMS: 400,
  PAYMENT_REQUIRED: 402,
  NO_RESULTS: 404,
  RETAILER_NOT_SERVING_ELIGIBLE: 404,
  NOT_PUBLISHED: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  GONE: 410,
  DATA_TOO_OLD: 412,
  PAYMENT_ID_REUSED: 409,
  BODY_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BATCH_REFUSED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NOT_READY: 503,
}

type Details = Record<string, unknown>
type ResponseHeaders = Record<string, string>

/** A refusal as an HTTP response: status, code and a message that is safe to send. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: HttpCode
  readonly details: Details
  readonly headers: ResponseHeaders
  /** Further members of its problem details. */
  readonly members: Details

  constructor(
    code: HttpCode,
    message: string,
    details: Details = {},
    headers: ResponseHeaders = {},
    members: Details = {},
  ) {
    super(message)
    this.status = statuses[code]
    this.code = code
    this.details = details
    this.headers = headers
    this.members = members
  }
}

/** The service cannot answer now; the client should retry after a number of seconds. */
export const notReady = (message: string, seconds = 1): Refusal =>
  new Refusal('NOT_READY', message, {}, { 'retry-after': String(seconds) })

const UNAVAILABLE = 'The service cannot answer at the moment; retry shortly.'

const malformedBody = () => new Refusal('INVALID_PARAMS', 'The body is malformed, or ended before its end.')

/** Refusals of Fastify itself, by its code. */
const framework: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('BODY_TOO_LARGE', 'The body is too large; send at most 128 KiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Content-Type: expected application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Refusal('INVALID_PARAMS', 'Content-Length: expected the number of bytes of the body'),
  FST_ERR_BAD_URL: () => new Refusal('INVALID_PARAMS', 'The address is malformed; percent-encode it as UTF-8.'),
  FST_ERR_HANDLER_TIMEOUT: () => notReady(UNAVAILABLE),
}

/**
 * Converts any thrown value to a refusal, without details of unexpected errors. What is wrong with a lake is for its
 * operator: it is logged, and the response only says to retry.
 */
export const refusalOf = (thrown: unknown): Refusal => {
  if (thrown instanceof Refusal) return thrown
  if (thrown instanceof EngineError)
    return thrown.code === 'NOT_READY'
      ? notReady(UNAVAILABLE)
      : new Refusal(thrown.code, inRequests(thrown.message), thrown.details)
  const { code = '', statusCode } = (thrown ?? {}) as { code?: string; statusCode?: number }
  // What a client sends it can only have caused itself; Fastify says so by the status.
  if (code === 'ECONNRESET' && statusCode === 400) return malformedBody()
  return framework[code]?.() ?? new Refusal('INTERNAL_ERROR', 'Internal error; nothing was charged.')
}

const isPublic = (path: string): boolean => path.startsWith('/v1/public/')

/** The media type of a refusal at a path. */
export const problemType = (path: string): string => (isPublic(path) ? 'application/json' : 'application/problem+json')

/** The body of a refusal: problem details (RFC 9457) with an `error` member, or that member alone on public routes. */
export const problemBody = ({ status, code, message, details, members }: Refusal, path: string): string => {
  const error = { code, message, details }
  const form = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, instance: path, error }
  return JSON.stringify(isPublic(path) ? { error } : { ...form, ...members })
}
