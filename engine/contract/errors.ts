import type { z } from 'zod'
import type { alternate } from './blocks.ts'

/** Codes may have further details: everything that a message says is also in the details. */
type ExtensibleDetails<Named> = Readonly<Named & { [name: string]: unknown }>

type Alternate = z.output<typeof alternate>
/** A product that a text may mean, in the details of a refusal. */
export type ProductAlternate = {
  /** Of its listing that fits best; send it as product_uid to choose that listing. */
  product_uid: string
  /** Send it as entity_uid to choose the product at all retailers; null where it is not known. */
  entity_uid: string | null
  name: string | null
  brand: string | null
  /** The contents as the title states them, such as `6 x 355 ml`; null where it states none. */
  size: string | null
  retailer_count: number
  /** The lowest price of its listings, and when it was observed; null where none was before as_of. */
  price: number | null
  observed_at: string | null
}
/** When the scope of a query was last observed before as_of, RFC 3339; null if never. */
export type NewestObserved = { newest_observed_at: string | null }

/** A product close to the query. */
export type NearProduct = ProductAlternate & {
  /** The words of the query that it is found without; none if it has them all, but is of another kind. */
  left_out: readonly string[]
}

/** The details of a refusal by its code. */
export type ErrorDetails = {
  /** A parameter is unknown, missing or invalid, or a category cannot be resolved. */
  INVALID_PARAMS: ExtensibleDetails<{
    parameter?: string
    /** All invalid parameters. */
    issues?: readonly { parameter: string; message: string }[]
    /** What would be accepted instead. */
    accepted?: readonly string[]
    input?: string
    /** The nearest categories or, where q matches several products and none is clearly meant, products; best first. */
    alternates?: readonly Alternate[] | readonly ProductAlternate[]
    /** How many products q matches. */
    products_matched?: number
    /** The department to send, where a category below it was sent. */
    category_root?: string
  }>
  /** Nothing in the catalogue matches, or nothing was observed in the scope. */
  NO_RESULTS: ExtensibleDetails<
    NewestObserved & {
      /** The words of the query that no listing and no shelf has. */
      unknown_words?: readonly string[]
      /** What there is in place of the product. */
      nearest?: readonly NearProduct[]
      closest_brands?: readonly string[]
      closest_categories?: readonly string[]
      alternates?: readonly Alternate[]
      /** The days without observations: a window, or all days since one. */
      from?: string
      to?: string
      since?: string
      /** The smallest `days` with which there are results. */
      days?: number
    }
  >
  /** The retailer is unknown, or its shelf is thin or stale. */
  RETAILER_NOT_SERVING_ELIGIBLE: ExtensibleDetails<
    NewestObserved & {
      retailer: string
      /** Null for an unknown retailer. */
      quality_status: 'serving' | 'thin' | 'stale' | null
      serving_eligible_retailers: readonly string[]
    }
  >
  /** The snapshot lacks the feed that the query is about, or enough days of it. */
  NOT_PUBLISHED: ExtensibleDetails<{
    /** The feeds that are needed, or the days that the feeds of posts cover. */
    feeds: readonly string[] | readonly { platform: string; from: string; through: string }[]
    /** The windows that are published, by platform. */
    published_windows?: Readonly<Record<string, readonly string[]>>
  }>
  /** The newest observation of the answer is older than max_age. */
  DATA_TOO_OLD: ExtensibleDetails<NewestObserved & { parameter: 'max_age'; freshness_hours: number; max_age: number }>
  /** The snapshot or the rows named in a maintenance command are not in the lake. */
  NOT_FOUND: ExtensibleDetails<{ ids?: readonly string[] }>
  /** The lake has no snapshot or no sound one, or the query was cancelled. */
  NOT_READY: ExtensibleDetails<{ file?: string; reason?: string; snapshot_id?: string | null }>
}

/** Why a request is refused. `api/http/problem.ts` maps each code to an HTTP status; the CLI exits 1, or 2 for INVALID_PARAMS. */
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
 * A request the engine refuses, or a lake it cannot serve. Independent of HTTP. The type of `details` depends on `code`.
 *
 * @example
 * try {
 *   await engine.ask(priceDispersion, { category: 'laptops', retailer: 'nowhere' })
 * } catch (error) {
 *   if (!(error instanceof EngineError)) throw error
 *   if (error.code === 'RETAILER_NOT_SERVING_ELIGIBLE')
 *     console.log(`Choose one of ${error.details.serving_eligible_retailers.join(', ')}`)
 *   else console.log(error.message)
 * }
 */
export type EngineError = { [C in ErrorCode]: CodedError<C> }[ErrorCode]

/** Typed so that `instanceof` narrows to the union and `code` narrows the details. */
export const EngineError = CodedError as {
  new <C extends ErrorCode>(
    code: C,
    message: string,
    ...details: Record<never, never> extends ErrorDetails[C] ? [details?: ErrorDetails[C]] : [details: ErrorDetails[C]]
  ): CodedError<C>
  readonly prototype: EngineError
}

/** The refusal of a parameter: what is wrong with it and what to send instead. */
export const invalidParam = (
  parameter: string,
  reason: string,
  details: Omit<ErrorDetails['INVALID_PARAMS'], 'parameter'> = {},
): EngineError => new EngineError('INVALID_PARAMS', `${parameter}: ${reason}`, { parameter, ...details })
