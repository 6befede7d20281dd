import type { AnyQuery, Plot, Resolved, SqlRows } from '../../engine/index.ts'
import type { LakeCountries } from '../contract/of-lake.ts'

/** Parameters as text, as in an address. */
export type TextParams = Record<string, string>

/** What a call to a tool carries besides its arguments. */
export type CallContext = {
  /** Aborts when the call is cancelled or its connection ends. */
  signal: AbortSignal
  /** The most that this call may cost, in base units; the limit of the process applies as well. */
  max_price?: number | undefined
  /** The `_meta` of the call, in which clients send payments. */
  meta?: Readonly<Record<string, unknown>> | undefined
}

/** A payment that was made for an answer. Amounts are in dollars. */
export type Paid = {
  amount_usd: number
  network: string
  transaction: string | null
  /** All that this process has paid so far. */
  spent_usd: number
  /** What may have been paid: payments that were sent and not confirmed. */
  in_doubt_usd: number
  budget_usd: number
}

export type Answered = {
  answer: Record<string, unknown>
  paid?: Paid | undefined
  /** The `_meta` of the result: receipts. */
  meta?: Record<string, unknown> | undefined
}

/** A text to be resolved to a category. */
export type CategoryText = { category: string; department?: string | undefined; country: string }

/** Answers queries: an engine in this process, or a service. Refusals are thrown as EngineError or ToolError. */
export type QueryClient = {
  /** The countries of the lake, as far as they are known here. */
  countries(): LakeCountries | undefined
  /** The price of an answer in base units of a dollar token with 6 decimals; 0 if it is free. */
  priceOf(query: AnyQuery): number
  ask(query: AnyQuery, params: TextParams, context: CallContext): Promise<Answered>
  findCategory(text: CategoryText, context: CallContext): Promise<Resolved>
  /** Draws the plots of an answer where others wait for this thread; null if they are not drawn in time. */
  draw?(query: AnyQuery, answer: Record<string, unknown>): Promise<readonly Plot[] | null>
  /** Runs SQL over the tables of the lake; absent where there is none in this process. */
  readRows?(sql: string, context: CallContext & { limit: number }): Promise<SqlRows>
}

/** What a protocol prescribes of the result: structured content instead of the usual, and `_meta`. */
export type ResultForm = { content?: Record<string, unknown>; meta?: Record<string, unknown> }

/** A refusal as the result of a tool: code, message and details, as over HTTP. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly form: ResultForm

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}, form: ResultForm = {}) {
    super(message)
    this.code = code
    this.details = details
    this.form = form
  }
}
