import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Plan } from '../engine/index.ts'
import type { Config } from './config.ts'
import { crossOrigin, freshnessHours, preflight } from './headers.ts'
import type { ServedLake } from './lake.ts'
import { createRateLimit } from './limits.ts'
import { openapiBody } from './openapi.ts'
import { problemBody, Refusal, refusalOf } from './problem.ts'
import { addRoutes } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The plan of the question under way, for the log of a fault. */
    plan: Plan | null
  }
}

const URL_LIMIT = 8192
const HEADER_LIMIT = 16_384
const CONNECTION_TIMEOUT_MS = 15_000

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url

/** Hours since the newest observation of the snapshot, for answers that rest on no narrower scope. */
const catalogFreshness = (lake: ServedLake): string | undefined => {
  if (!lake.isReady()) return undefined
  const { manifest } = lake.engine()
  const now = lake.engine().now().getTime()
  return manifest.observed_to === null ? undefined : freshnessHours((now - Date.parse(manifest.observed_to)) / 1000)
}

const addHooks = (app: FastifyInstance, lake: ServedLake, config: Config): void => {
  const takeToken = createRateLimit({ perMinute: config.rate_per_minute, burst: config.burst })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(crossOrigin)
    if (request.raw.url && request.raw.url.length > URL_LIMIT)
      throw new Refusal('URI_TOO_LONG', 'The address is too long.')
    reply.headers(takeToken(request.ip))
  })
  app.addHook('onSend', async (request, reply) => {
    if (reply.hasHeader('x-data-freshness-hours') || pathOf(request).startsWith('/v1/reference/')) return
    const hours = catalogFreshness(lake)
    if (hours) reply.header('x-data-freshness-hours', hours)
  })
}

const addRefusals = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    if (refusal.code === 'INTERNAL_ERROR') request.log.error({ error, plan: request.plan }, 'fault')
    const path = pathOf(request)
    return reply
      .code(refusal.status)
      .headers({ ...refusal.headers, 'cache-control': 'no-store' })
      .removeHeader('etag')
      .type(
        path.startsWith('/v1/public/') ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8',
      )
      .send(JSON.stringify(problemBody(refusal, path)))
  })
  app.setNotFoundHandler((request) => {
    const path = pathOf(request)
    if (request.method !== 'GET' && app.hasRoute({ method: 'GET', url: path }))
      throw new Refusal(
        'METHOD_NOT_ALLOWED',
        `${path} answers GET only.`,
        { allow: ['GET', 'OPTIONS'] },
        { allow: 'GET, OPTIONS' },
      )
    throw new Refusal('NOT_FOUND', `There is nothing at ${path.slice(0, 200)}. GET /openapi.json lists every address.`)
  })
}

/** The service, not yet listening. Every operation is a GET of the list of queries, but for the contract document. */
export const buildApp = (lake: ServedLake, config: Config, logger: FastifyBaseLogger): FastifyInstance => {
  const app = Fastify({
    loggerInstance: logger,
    exposeHeadRoutes: false,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: CONNECTION_TIMEOUT_MS,
    handlerTimeout: config.timeout_ms + CONNECTION_TIMEOUT_MS,
    bodyLimit: 1024,
    forceCloseConnections: 'idle',
    // The routes read the query string themselves, strictly.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 200 },
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const refusal = refusalOf(error)
      reply
        .code(refusal.status)
        .type('application/problem+json; charset=utf-8')
        .send(JSON.stringify(problemBody(refusal, pathOf(request))))
    },
    http: { maxHeaderSize: HEADER_LIMIT },
  })
  app.decorateRequest('plan', null)
  addHooks(app, lake, config)
  addRefusals(app)
  addRoutes(app, lake, config)
  app.get('/openapi.json', (_, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=300', 'content-type': 'application/json; charset=utf-8' })
      .send(openapiBody(config)),
  )
  app.options('/*', (_, reply) => reply.headers(preflight).code(204).send())
  return app
}
