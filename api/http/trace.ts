import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The outcome of the payment in a request. */
export type PaymentOutcome = 'settled' | 'replayed' | 'refused' | 'unverified' | 'in doubt' | 'not used'

/** What a request did, for its log line and metrics. */
export type Trace = {
  /** When it arrived, by `performance.now()`. */
  start: number
  /** The query, such as `analyst/inflation`; null for other requests. */
  query: string | null
  snapshot_id: string | null
  /** The hash of its plan, which is its ETag. */
  plan: string | null
  cache: 'hit' | 'miss' | null
  /** Milliseconds by step: plan, wait, run, verify, settle. */
  timings: Timings
  payment: PaymentTrace | null
  /** Settles when the request has ended, even if its client disconnected before. */
  work: Promise<unknown> | null
}

export type Timings = Record<string, number>

export type PaymentTrace = {
  network: string
  /** A hash of the payer, so that logs distinguish payers without naming them. */
  payer: string
  outcome: PaymentOutcome
  transaction: string | null
}

export const newTrace = (): Trace => ({
  start: performance.now(),
  query: null,
  snapshot_id: null,
  plan: null,
  cache: null,
  timings: {},
  payment: null,
  work: null,
})

export const payerHash = (payer: string): string => createHash('sha256').update(payer).digest('hex').slice(0, 16)

/** Runs one step of a request and adds its milliseconds to those of the same step before. */
export const timed = async <T>(timings: Timings, step: string, work: () => Promise<T>): Promise<T> => {
  const start = performance.now()
  try {
    return await work()
  } finally {
    timings[step] = (timings[step] ?? 0) + performance.now() - start
  }
}

/** Valid request ids: no space, quote or control character may reach a log. */
const REQUEST_ID = /^[A-Za-z0-9][\w.:-]{0,127}$/

/** The id of a request: its `x-request-id` if that is valid, else a new one. */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const { 'x-request-id': sent } = headers
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID()
}
