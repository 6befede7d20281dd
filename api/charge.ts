import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyQuery, Plan } from '../engine/index.ts'
import type { SerializedAnswer } from './answer.ts'
import type { Deadline } from './deadline.ts'
import type { Trace } from './trace.ts'

/** A planned request that was not refused; nothing is computed yet. */
export type QueryRequest = {
  query: AnyQuery
  plan: Plan
  /** Its parameters as sent. */
  given: Record<string, string>
  request: FastifyRequest
  reply: FastifyReply
  deadline: Deadline
  trace: Trace
}

/**
 * Charges for an answer. Only this computes and returns paid answers, so that none is sent unpaid and no refusal is
 * charged.
 */
export type Charge = (queryRequest: QueryRequest, compute: () => Promise<SerializedAnswer>) => Promise<SerializedAnswer>

/** Public queries are free; the others are charged unless payments are off. */
export const createCharge =
  (paid: Charge | null): Charge =>
  (queryRequest, compute) =>
    paid === null || queryRequest.query.group === 'public' ? compute() : paid(queryRequest, compute)
