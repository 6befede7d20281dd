import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyQuery, Plan } from '../engine/index.ts'
import type { Answer } from './answer.ts'
import type { Deadline } from './deadline.ts'
import type { Trace } from './trace.ts'

/** A request for an answer, planned and not refused; nothing is computed yet. */
export type QueryRequest = {
  query: AnyQuery
  plan: Plan
  /** Its parameters as they were sent. */
  given: Record<string, string>
  request: FastifyRequest
  reply: FastifyReply
  deadline: Deadline
  trace: Trace
}

/** Charges for an answer. It alone has one computed and hands it out: none leaves unpaid, and no refusal is paid. */
export type Charge = (queryRequest: QueryRequest, compute: () => Promise<Answer>) => Promise<Answer>

/** Public questions are free; others are paid, but where payments are off. */
export const createCharge =
  (paid: Charge | null): Charge =>
  (queryRequest, compute) =>
    paid === null || queryRequest.query.group === 'public' ? compute() : paid(queryRequest, compute)
