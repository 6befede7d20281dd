import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Plan } from '../engine/index.ts'
import { createCharge } from './charge.ts'
import type { Config } from './config.ts'
import { preflightHeaders } from './headers.ts'
import { addHooks, setFreshness } from './hooks.ts'
import type { Lake } from './lake.ts'
import { createRateLimit } from './limits.ts'
import { llms } from './llms.ts'
import { answerMalformed } from './malformed.ts'
import { openapi } from './openapi.ts'
import { acceptedNetworks, networksOf } from './payment/networks.ts'
import type { Payments } from './payment/payments.ts'
import { refuse } from './refuse.ts'
import { addRoutes } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The plan of the question under way, for the log of a fault. */
    plan: Plan | null
  }
}

export type AppOptions = {
  lake: Lake
  config: Config
  /** Null where everything is free. */
  payments: Payments | null
  logger?: FastifyBaseLogger | undefined
}

const HEADER_LIMIT = 16_384
/** A question that overruns its time is withdrawn; only a fault overruns it by so much. */
const OVERRUN_MS = 2000

const serverOptions = ({ idle_ms, timeout_ms, settle_ms, proxies }: Config) => ({
  connectionTimeout: timeout_ms + 2 * settle_ms + idle_ms,
  requestTimeout: idle_ms,
  keepAliveTimeout: idle_ms,
  handlerTimeout: timeout_ms + 2 * settle_ms + OVERRUN_MS,
  bodyLimit: 1024,
  // What Node refuses by itself has no body: a request without a host is refused with the others.
  http: {
    requireHostHeader: false,
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: idle_ms,
    connectionsCheckingInterval: Math.min(1000, idle_ms),
  },
  trustProxy: proxies ?? false,
  exposeHeadRoutes: false,
  // A request that arrives while the service closes is answered like any other; its connection ends with it.
  return503OnClosing: false,
  // The routes read the query string themselves, strictly.
  routerOptions: { querystringParser: () => ({}), maxParamLength: 200 },
})

const kept = { 'cache-control': 'public, max-age=300' }

/** What describes the service: the contract document, and a guide for language models. */
const addDocuments = (app: FastifyInstance, config: Config): void => {
  const { contact } = config
  const terms = { accepted: acceptedNetworks(config), currency: networksOf(config).tempo.currency }
  const documents = {
    '/openapi.json': [
      'application/json; charset=utf-8',
      (base_url: string) => JSON.stringify(openapi({ base_url, contact, terms })),
    ],
    '/llms.txt': ['text/plain; charset=utf-8', (base_url: string) => llms(base_url, terms)],
  } as const
  for (const [path, [type, write]] of Object.entries(documents)) {
    let body: string | undefined
    app.get(path, { exposeHeadRoute: true }, (_, reply) => {
      body ??= write(config.base_url ?? app.listeningOrigin)
      return reply.headers({ ...kept, 'content-type': type }).send(body)
    })
  }
}

/** The service, not yet listening. Every operation is a GET of the list of queries, but for the documents. */
export const buildApp = ({ lake, config, payments, logger }: AppOptions): FastifyInstance => {
  const app = Fastify({
    ...serverOptions(config),
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    // A malformed address meets no hook.
    frameworkErrors: (error, request, reply) => {
      setFreshness(lake, request, reply)
      refuse(error, request, reply)
    },
    clientErrorHandler: answerMalformed,
  })
  app.decorateRequest('plan', null)
  app.setErrorHandler(refuse)
  addHooks(app, lake, config)
  const base_url = () => config.base_url ?? app.listeningOrigin
  const takeToken = createRateLimit(config, 'payer')
  addRoutes(app, lake, config, createCharge(payments?.charge({ base_url, takeToken }) ?? null))
  addDocuments(app, config)
  app.options('/*', (_, reply) => reply.headers(preflightHeaders).code(204).send())
  return app
}
