import type { FastifyInstance, FastifyRequest } from 'fastify'
import { headersNamed } from '../http/headers.ts'
import { InjectedRequest } from '../http/injected-request.ts'

/** A response of this service's own interface. */
export type OwnReply = { status: number; body: string; header(name: string): string | undefined }

/** Request headers with a payment, which are passed on. */
const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'authorization', 'payment-authorization', 'idempotency-key']

/** The payment headers of a request; empty if it has none. */
export const paymentHeadersOf = ({ headers }: FastifyRequest): Record<string, string> =>
  headersNamed(headers, PAYMENT_HEADERS)

/**
 * Sends a request to this service's own interface, in the name of the client of a page: the same validation, limits,
 * charge and log as for any other client.
 */
export const callOwnApi = async (
  app: FastifyInstance,
  request: FastifyRequest,
  url: string,
  headers: Record<string, string> = {},
): Promise<OwnReply> => {
  const response = await app.inject({
    method: 'GET',
    url,
    remoteAddress: request.ip,
    Request: InjectedRequest,
    headers: { host: request.headers.host ?? 'localhost', ...headers },
  })
  const header = (name: string) => {
    const value = response.headers[name]
    return value === undefined ? undefined : String(value)
  }
  return { status: response.statusCode, body: response.body, header }
}
