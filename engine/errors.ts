import type { z } from 'zod'
import type { alternate } from './blocks.ts'

/** Every code may carry more than is named here: what a message says is in its details too. */
type Details<Known> = Readonly<Known & { [name: string]: unknown }>

type Alternate = z.output<typeof alternate>
/** When the scope of the query was last observed, RFC 3339; null where it never was. */
type NewestObserved = { newest_observed_at: string | null }

/** What a refusal carries, by its code. */
export type ErrorDetails = {
  /** A parameter that is unknown, missing or invalid, or a category that resolves to nothing. */
  INVALID_PARAMS: Details<{
    parameter?: string
    /** Everything that is wrong, where a value was refused. */
    issues?: readonly { parameter: string; message: string }[]
    /** What would be accepted instead. */
    accepted?: readonly string[]
    input?: string
    /** The nearest categories, best first. */
    alternates?: readonly Alternate[]
    /** The department to send, where a category below it was sent. */
    category_root?: string
  }>
  /** Nothing in the catalogue matches, or nothing was observed in the scope. */
  NO_RESULTS: Details<
    NewestObserved & {
      closest_brands?: readonly string[]
      closest_categories?: readonly string[]
      alternates?: readonly Alternate[]
      /** The days that held no observation: a window, or all since a day. */
      from?: string
      to?: string
      since?: string
    }
  >
  /** The retailer is unknown, or its shelf is thin or stale. */
  RETAILER_NOT_SERVING_ELIGIBLE: Details<
    NewestObserved & {
      retailer: string
      /** Null for an unknown retailer. */
      quality_status: 'serving' | 'thin' | 'stale' | null
      serving_eligible_retailers: readonly string[]
    }
  >
  /** The snapshot lacks the feed that the query is about, or enough days of it. */
  NOT_PUBLISHED: Details<{
    /** The feeds it takes, or the days that the feeds of posts cover. */
    feeds: readonly string[] | readonly { platform: string; from: string; through: string }[]
    /** The windows that are published, by platform. */
    published_windows?: Readonly<Record<string, readonly string[]>>
  }>
  /** A snapshot or rows that a maintenance command names are not in the lake. */
  NOT_FOUND: Details<{ ids?: readonly string[] }>
  /** The lake has no snapshot, or none that is sound; or the query was cancelled. */
  NOT_READY: Details<{ file?: string; reason?: string; snapshot_id?: string | null }>
}

/** Why a request is refused. `api/problem.ts` maps each code to an HTTP status; the CLI exits 1, or 2 for INVALID_PARAMS. */
export type ErrorCode = keyof ErrorDetails

class CodedError<C extends ErrorCode> extends Error {
  override readonly name = 'EngineError'
  readonly code: C
  readonly details: ErrorDetails[C]

  constructor(code: C, message: string, details = {} as ErrorDetails[C]) {
    super(message)
    this.code = code
    this.details = details
  }
}

/**
 * A request the engine refuses, or a lake it cannot serve. It knows nothing of HTTP. `code` tells which details it has.
 *
 * @example
 * try {
 *   await engine.ask(priceDispersion, { category: 'laptops', retailer: 'nowhere' })
 * } catch (error) {
 *   if (!(error instanceof EngineError)) throw error
 *   if (error.code === 'RETAILER_NOT_SERVING_ELIGIBLE')
 *     console.log(`Ask of one of ${error.details.serving_eligible_retailers.join(', ')}`)
 *   else console.log(error.message)
 * }
 */
export type EngineError = { [C in ErrorCode]: CodedError<C> }[ErrorCode]

/** Typed so that `instanceof` narrows to the union, whose `code` narrows the details. */
export const EngineError = CodedError as {
  new <C extends ErrorCode>(
    code: C,
    message: string,
    ...details: Record<never, never> extends ErrorDetails[C] ? [details?: ErrorDetails[C]] : [details: ErrorDetails[C]]
  ): CodedError<C>
  readonly prototype: EngineError
}
