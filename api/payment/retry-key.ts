import type { FastifyRequest } from 'fastify'
import { invalidParam } from '../../engine/index.ts'
import { Refusal } from '../http/problem.ts'
import type { Payment } from './payment.ts'

const MAX_LENGTH = 255

/** The header by which a client names a purchase. */
const headerOf = ({ raw }: FastifyRequest): string | null => {
  const [key = null, ...others] = raw.headersDistinct['idempotency-key'] ?? []
  if (others.length > 0 || (key?.length ?? 0) > MAX_LENGTH)
    throw invalidParam(
      'Idempotency-Key',
      `expected one key of at most ${MAX_LENGTH} characters; the payment was not used.`,
    )
  return key || null
}

/** The client's name for a purchase: `Idempotency-Key`, else the id in the payment. Throws INVALID_PARAMS. */
export const retryKeyOf = (request: FastifyRequest, payment: Payment): string | null =>
  headerOf(request) ?? payment.retry_key

/**
 * The refusal of a name that was used for another query: 422 for the header (its draft), 409 for the x402 extension.
 */
export const reusedKey = (request: FastifyRequest): Refusal =>
  headerOf(request) === null
    ? new Refusal(
        'PAYMENT_ID_REUSED',
        'This payment id was used for another query; the payment was not used: pay with a new id.',
        { parameter: 'extensions.payment-identifier.info.id' },
      )
    : new Refusal(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used for another query; the payment was not used: send another key.',
        { parameter: 'Idempotency-Key' },
      )
