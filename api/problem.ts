import { EngineError, type ErrorCode } from '../engine/index.ts'

/** Codes of refusals that only HTTP knows. */
export type HttpCode = ErrorCode | 'RATE_LIMITED' | 'METHOD_NOT_ALLOWED' | 'URI_TOO_LONG' | 'INTERNAL_ERROR'

const statuses: Record<HttpCode, number> = {
  INVALID_PARAMS: 400,
  NO_RESULTS: 404,
  RETAILER_NOT_SERVING_ELIGIBLE: 404,
  NOT_PUBLISHED: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  URI_TOO_LONG: 414,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  NOT_READY: 503,
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  402: 'Payment Required',
  404: 'Not Found',
  405: 'Method Not Allowed',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** A refusal as HTTP tells it: status, code and words that are safe to send. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: HttpCode
  readonly details: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    code: HttpCode,
    message: string,
    details: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = statuses[code]
    this.code = code
    this.details = details
    this.headers = headers
  }
}

/** Seconds after which a client may ask a service again that could not answer. */
const RETRY_SECONDS = '1'

/** What went wrong with the lake concerns its keeper: the log has it, the client learns only that it may try again. */
const notReady = () =>
  new Refusal(
    'NOT_READY',
    'The service cannot answer just now; try again shortly.',
    {},
    { 'retry-after': RETRY_SECONDS },
  )

/** Any thrown value as a refusal. An unknown one says nothing of itself. */
export const refusalOf = (thrown: unknown): Refusal => {
  if (thrown instanceof Refusal) return thrown
  if (thrown instanceof EngineError)
    return thrown.code === 'NOT_READY' ? notReady() : new Refusal(thrown.code, thrown.message, thrown.details)
  const { statusCode, code } = thrown as { statusCode?: number; code?: string }
  if (statusCode === 414 || code === 'FST_ERR_MAX_URL_LENGTH')
    return new Refusal('URI_TOO_LONG', 'The address is too long.')
  if (statusCode === 400)
    return new Refusal('INVALID_PARAMS', 'The address is malformed; percent-encode its parameters.')
  return new Refusal('INTERNAL_ERROR', 'Something went wrong on our side; nothing was charged.')
}

/** The body of a refusal: problem details (RFC 9457) with an `error` member, or that member alone on public routes. */
export const problemBody = ({ status, code, message, details }: Refusal, path: string) => {
  const error = { code, message, details }
  if (path.startsWith('/v1/public/')) return { error }
  return { type: 'about:blank', title: titles[status] ?? 'Error', status, detail: message, instance: path, error }
}
