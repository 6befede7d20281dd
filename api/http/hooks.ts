import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../ops/config.ts'
import { isForOwnName } from '../ops/host.ts'
import type { Lake } from '../ops/lake.ts'
import type { Metrics } from '../ops/metrics.ts'
import { createTurns, limitConnections } from './connections.ts'
import { setCors, setVaryingOrigin } from './cors.ts'
import { Cancelled } from './deadline.ts'
import { commonHeaders, freshnessHours, versionHeaders, versionsOf } from './headers.ts'
import { clientOf, createHold, createPace, type RateLimit } from './limits.ts'
import { notReady, Refusal } from './problem.ts'
import { notFound, pathOf } from './refuse.ts'
import { DISCONNECTED, record } from './request-log.ts'
import { newTrace } from './trace.ts'

const MAX_URL_LENGTH = 8192

/**
 * Sets the age of the snapshot's newest observation, unless the answer has set that of a narrower scope; for reference
 * answers, which use no prices, their versions. A snapshot without prices has the age of its newest post.
 */
export const setFreshness = (lake: Lake, request: FastifyRequest, reply: FastifyReply): void => {
  const engine = lake.engine()
  if (pathOf(request).startsWith('/v1/reference/')) {
    const versions = versionsOf(request.plan) ?? engine?.versions
    if (versions) reply.headers(versionHeaders(versions))
    return
  }
  if (reply.hasHeader('x-data-freshness-hours')) return
  if (!engine?.newest_observed_at) return
  const seconds = (engine.now().getTime() - Date.parse(engine.newest_observed_at)) / 1000
  reply.header('x-data-freshness-hours', freshnessHours(seconds))
}

/** RFC 9112, 3.2: HTTP/1.1 requires exactly one host. */
const hasOneHost = ({ raw: { httpVersion, headersDistinct } }: FastifyRequest): boolean => {
  const { length } = headersDistinct.host ?? []
  return length === 1 || (length === 0 && httpVersion !== '1.1')
}

/** Names the published snapshot in every response while it is damaged and an older one is served in its place. */
export const setFallback = (lake: Lake, reply: FastifyReply): void => {
  const fallback_for = lake.engine()?.fallback_for
  if (fallback_for) reply.header('x-snapshot-fallback', fallback_for)
}

type HookContext = { lake: Lake; config: Config; metrics: Metrics; takeToken: RateLimit }

/** Adds what applies to every request: limits, headers, a line in the log. */
export const addHooks = (app: FastifyInstance, { lake, config, metrics, takeToken }: HookContext): void => {
  const isOverLimit = limitConnections(app.server, config.max_connections)
  const takeTurn = createTurns()
  const hold = createHold()
  const pace = createPace()
  const takeTokenOrHold = async ({ ip, raw }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const client = clientOf(ip)
    try {
      reply.headers(takeToken(client))
    } catch (refusal) {
      await takeTurn(raw.socket, reply.raw)
      await hold(client)
      throw refusal
    }
  }
  // Refuses what the request line and headers show to be invalid, before a body would be read.
  app.addHook('onRequest', async (request, reply) => {
    request.trace = newTrace()
    reply.headers({ ...commonHeaders, 'x-request-id': request.id })
    setCors(config, request, reply)
    // Set on arrival too: the snapshot may be repaired before the answer is sent.
    setFallback(lake, reply)
    if (isOverLimit(request.raw.socket)) {
      reply.header('connection', 'close')
      throw notReady('Too many connections are open; retry shortly.')
    }
    await takeTokenOrHold(request, reply)
    if (request.url.length > MAX_URL_LENGTH)
      throw new Refusal(
        'URI_TOO_LONG',
        `The address has ${request.url.length} characters; send at most ${MAX_URL_LENGTH}.`,
      )
    if (!hasOneHost(request)) throw new Refusal('INVALID_PARAMS', 'Send exactly one Host header.')
    // Answers that nobody pays for are private to those who may ask this machine. MCP refuses in its own form.
    if (config.payments === 'off' && pathOf(request) !== '/mcp' && !isForOwnName(request.headers.host, config))
      throw new Refusal('INVALID_PARAMS', 'Host: expected a name of this service, such as localhost.')
    if (request.is404) throw notFound(app, request)
    await takeTurn(request.raw.socket, reply.raw)
    await pace(clientOf(request.ip))
    if (request.raw.socket.destroyed) throw new Cancelled()
  })
  app.addHook('onSend', async (request, reply) => {
    setFreshness(lake, request, reply)
    setFallback(lake, reply)
    setVaryingOrigin(config, reply)
  })
  app.addHook('onResponse', async (request, reply) => {
    const bytes = Number(reply.getHeader('content-length') ?? 0)
    record(request, { status: reply.statusCode, bytes }, metrics, config.slow_ms)
  })
  const recordAbort = async (request: FastifyRequest): Promise<void> => {
    // Its payment may be on its way: the outcome is clear when the work has ended.
    await Promise.allSettled([request.trace.work])
    record(request, DISCONNECTED, metrics, config.slow_ms)
  }
  app.addHook('onRequestAbort', recordAbort)
  // Fastify does not detect that the client of a request with a body disconnects after it was read.
  app.addHook('preHandler', async (request, { raw }) => {
    if (request.method === 'POST') raw.once('close', () => raw.writableFinished || void recordAbort(request))
  })
}
