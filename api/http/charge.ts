import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, queryId, type ResolvedProduct } from '../../engine/index.ts'
import { prices } from '../ops/prices.ts'
import { apiPath, pathWith } from './address.ts'
import type { SerializedAnswer } from './answer.ts'
import type { Deadline } from './deadline.ts'
import type { Trace } from './trace.ts'

/** What is sold: the answer to a query, or those of a batch. */
export type Sale = {
  /** The group and name of the query, or `batch`. */
  name: string
  description: string
  /** In base units of a dollar token with 6 decimals; 0 if it is free. */
  amount: number
  /** Its path, with the parameters of a query in canonical order. */
  path: string
  /** Those parameters; null for a batch. */
  parameters: Record<string, string> | null
  /** What a payment is bound to: method and path, and the hash of a batch. */
  question: string
}

/** A planned request that was not refused, and what it buys; that is not computed yet. */
export type ChargedRequest = {
  sale: Sale
  /** The product that the answer is about; null where it is about no single one, and for a batch. */
  resolved_product: ResolvedProduct | null
  request: FastifyRequest
  reply: FastifyReply
  deadline: Deadline
  trace: Trace
}

/** Closes a session of payments, or adds to its deposit, by the headers of a request; returns its receipt as headers. */
export type ManageSession = (request: FastifyRequest) => Promise<Record<string, string>>

/**
 * Charges for an answer. Only this computes and returns paid answers, so that none is sent unpaid and no refusal is
 * charged. Null if the payment wants none: it closes a session.
 */
export type Charge = (
  charged: ChargedRequest,
  compute: () => Promise<SerializedAnswer>,
) => Promise<SerializedAnswer | null>

/** Charges for what has a price, unless payments are off. */
export const createCharge =
  (paid: Charge | null): Charge =>
  (charged, compute) =>
    paid === null || charged.sale.amount === 0 ? compute() : paid(charged, compute)

/** The sale of one answer, by the parameters as sent. */
export const saleOf = (query: AnyQuery, given: Record<string, string>): Sale => {
  const parameters = new URLSearchParams(given)
  parameters.sort()
  const path = pathWith(apiPath(query), parameters)
  return {
    name: queryId(query),
    description: query.summary,
    amount: prices[query.group],
    path,
    parameters: Object.fromEntries(parameters),
    question: `GET ${path}`,
  }
}
