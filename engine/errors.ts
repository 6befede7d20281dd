/** Why a request is refused. `api/problem.ts` maps each code to an HTTP status; the CLI exits 1, or 2 for INVALID_PARAMS. */
export type ErrorCode =
  | 'INVALID_PARAMS'
  | 'NO_RESULTS'
  | 'RETAILER_NOT_SERVING_ELIGIBLE'
  | 'NOT_PUBLISHED'
  | 'NOT_FOUND'
  | 'NOT_READY'

/** A request the engine refuses, or a lake it cannot serve. It knows nothing of HTTP. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: ErrorCode
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}
