import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { DrawingThread, type Plan } from '../engine/index.ts'
import { addDocuments, addMarkdownPages } from './documents.ts'
import { createAdmission } from './http/admission.ts'
import { addBatch } from './http/batch.ts'
import { createCache } from './http/cache.ts'
import { createCharge } from './http/charge.ts'
import { addCompression } from './http/compression.ts'
import { setCors } from './http/cors.ts'
import { preflightHeaders } from './http/headers.ts'
import { addHooks, setFreshness } from './http/hooks.ts'
import { createRateLimit } from './http/limits.ts'
import { answerMalformed } from './http/malformed.ts'
import { createQueryRunner } from './http/query-runner.ts'
import { addQuote } from './http/quote.ts'
import { refuse } from './http/refuse.ts'
import { addRoutes } from './http/routes.ts'
import { requestIdOf, type Trace } from './http/trace.ts'
import { addMcp } from './mcp/route.ts'
import { type Config, connectionsOf } from './ops/config.ts'
import type { Lake } from './ops/lake.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { createPages } from './pages/routes.ts'
import type { Payments } from './payment/payments.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The plan of the request, for the log of an internal error. */
    plan: Plan | null
    trace: Trace
  }
  interface FastifyInstance {
    drawing: DrawingThread
    /** Computes the examples of all pages; resolves with that of the first page, which a new visitor opens. */
    warmPages(): Promise<void>
  }
}

export type AppOptions = {
  lake: Lake
  config: Config
  /** Null if everything is free. */
  payments: Payments | null
  logger?: FastifyBaseLogger | undefined
  metrics?: Metrics
}

const MAX_HEADER_BYTES = 16_384
/** A request is cancelled at its deadline; only a bug makes it run this much longer. */
const HANDLER_GRACE_MS = 2000

const serverOptions = ({ idle_ms, timeout_ms, settle_ms, proxies }: Config) => ({
  connectionTimeout: timeout_ms + 4 * settle_ms + idle_ms,
  requestTimeout: idle_ms,
  keepAliveTimeout: idle_ms,
  handlerTimeout: timeout_ms + 4 * settle_ms + HANDLER_GRACE_MS,
  bodyLimit: 1024,
  // Refusals of Node itself have no body, so a missing host is refused by a hook.
  http: {
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: idle_ms,
    // Node compares the two when it creates the server, which is before Fastify sets its own.
    requestTimeout: idle_ms,
    connectionsCheckingInterval: Math.min(1000, idle_ms),
  },
  trustProxy: proxies ?? false,
  exposeHeadRoutes: false,
  // A request that arrives while the service stops is answered; its connection closes afterwards.
  return503OnClosing: false,
  // The routes read the query string themselves, strictly.
  routerOptions: { querystringParser: () => ({}), maxParamLength: 200 },
})

/** The service, not yet listening. Its routes are the queries and the documents. */
export const buildApp = (options: AppOptions): FastifyInstance => {
  const { lake, config, payments, logger, metrics = createMetrics() } = options
  const app = Fastify({
    ...serverOptions(config),
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    // Hooks do not run for a malformed address.
    frameworkErrors: (error, request, reply) => {
      setCors(config, request, reply)
      setFreshness(lake, request, reply)
      refuse(error, request, reply)
    },
    clientErrorHandler: answerMalformed,
  })
  const cache = createCache(config.cache_mib * 1024 * 1024)
  const admission = createAdmission({ ...config, connections: connectionsOf(config) })
  metrics.addQueueAndCache(admission, cache)
  if (payments) metrics.addSettlements(payments)
  for (const metric of payments?.metrics ?? []) metrics.registry.registerMetric(metric)
  app.decorateRequest('plan', null)
  app.decorateRequest('trace')
  const drawing = new DrawingThread((error) => logger?.error({ err: error }, 'fault'))
  app.addHook('onClose', () => drawing.close())
  const pages = createPages({ lake, config, admission, payments, drawing })
  app.decorate('drawing', drawing)
  app.decorate('warmPages', pages.warm)
  app.setErrorHandler(pages.refuse)
  addCompression(app)
  const takeToken = createRateLimit(config)
  addHooks(app, { lake, config, metrics, takeToken })
  addMarkdownPages(app, config, lake)
  const base_url = () => config.base_url ?? app.listeningOrigin
  const limits = { takeToken: createRateLimit(config, 'payer'), takeClientToken: takeToken }
  const charge = createCharge(payments?.charge({ base_url, ...limits }) ?? null)
  const runner = createQueryRunner({ lake, cache, admission })
  app.register(async (routes) => {
    const manage = payments?.manage ?? null
    addRoutes(routes, { runner, config, admission, charge, manage })
    addQuote(routes, { runner, config, base_url })
    addBatch(routes, { runner, config, admission, charge, base_url, takeToken, manage })
    addDocuments(routes, config, lake)
  })
  app.register(async (routes) => addMcp(routes, { app, lake, config }))
  app.register(async (routes) => pages.add(routes))
  app.options('/*', (_, reply) => reply.headers(preflightHeaders).code(204).send())
  return app
}
