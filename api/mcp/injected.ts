import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { giveWay } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { Cancelled } from '../http/deadline.ts'
import { headersNamed } from '../http/headers.ts'
import { InjectedRequest } from '../http/injected-request.ts'
import { notReady } from '../http/problem.ts'
import type { Config } from '../ops/config.ts'
import type { Lake } from '../ops/lake.ts'
import { prices } from '../ops/prices.ts'
import type { QueryClient } from './client.ts'
import { answerOf } from './reply.ts'

/** An answer waits this long for what draws plots, and as long for its plot; then it goes without one. */
const MAX_PLOT_MS = 2000

/** Headers by which the service identifies a client. */
const FORWARDED = [
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'accept-payment',
  'idempotency-key',
]

const forwarded = ({ headers, id }: FastifyRequest): Record<string, string> => ({
  ...headersNamed(headers, FORWARDED),
  'x-request-id': id,
})

type InjectedOptions = { app: FastifyInstance; lake: Lake; config: Config; request: FastifyRequest }

/**
 * Answers by the routes of this service, as the client of a request: with its address, so that the same limits apply,
 * and with the payments in the call's `_meta`.
 */
export const createInjectedClient = async ({ app, lake, config, request }: InjectedOptions): Promise<QueryClient> => {
  const isFree = config.payments === 'off'
  const payments = isFree ? null : await import('./payment-meta.ts')
  const remoteAddress = request.raw.socket.remoteAddress

  return {
    countries: () => lake.engine()?.countries,
    priceOf: ({ group }) => (isFree ? 0 : prices[group]),
    async ask(query, params, { signal, meta = {} }) {
      const path = pathWith(apiPath(query), params)
      const sent = {
        url: path,
        headers: { ...forwarded(request), ...payments?.paymentHeaders(meta) },
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
        Request: InjectedRequest,
        signal,
      }
      const response = await app.inject(sent).catch((error) => {
        throw signal.aborted ? new Cancelled() : error
      })
      await giveWay()
      const headers = new Headers(response.headers as Record<string, string>)
      if (response.statusCode === 402 && payments) throw payments.paymentRequired(headers, response.body, path)
      return { answer: answerOf(response.statusCode, response.body), meta: payments?.receiptMeta(headers) }
    },
    async draw(query, answer) {
      const started = app.drawing.start().then(() => true)
      const isReady = await Promise.race([started, sleep(MAX_PLOT_MS, false, { ref: false })])
      return isReady ? app.drawing.draw(query, JSON.stringify(answer), MAX_PLOT_MS) : null
    },
    async findCategory(text) {
      const engine = lake.engine()
      if (!engine) throw notReady('No snapshot is open yet; retry shortly.')
      return engine.findCategory(text)
    },
  }
}
