import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { commonHeaders, freshnessHours, versionHeaders, versionsOf } from './headers.ts'
import type { Lake } from './lake.ts'
import { clientOf, createRateLimit } from './limits.ts'
import { Refusal } from './problem.ts'
import { nothingAt, pathOf } from './refuse.ts'

const URL_LIMIT = 8192

/**
 * Sets the age of the snapshot's newest observation, unless the answer has set that of a narrower scope; for reference,
 * which rests on no prices, its versions. A snapshot without a price has the age of its newest post.
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

/** RFC 9112, 3.2: HTTP/1.1 demands a host. */
const isWithoutHost = ({ raw: { httpVersion }, headers }: FastifyRequest): boolean =>
  httpVersion === '1.1' && headers.host === undefined

/** Tells in every response that another snapshot stands in for the published one, which is damaged, and for which. */
export const setFallback = (lake: Lake, reply: FastifyReply): void => {
  const fallback_for = lake.engine()?.fallback_for
  if (fallback_for) reply.header('x-snapshot-fallback', fallback_for)
}

/** What every request meets: limits, headers, a line in the log. */
export const addHooks = (app: FastifyInstance, lake: Lake, config: Config): void => {
  const takeToken = createRateLimit(config)
  // Whatever can be refused by its first line is refused here, before a body would be read.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders)
    // An answer may be sent when what was asked is repaired already.
    setFallback(lake, reply)
    reply.headers(takeToken(clientOf(request.ip)))
    if (request.url.length > URL_LIMIT) throw new Refusal('URI_TOO_LONG', 'The address is too long.')
    if (isWithoutHost(request)) throw new Refusal('INVALID_PARAMS', 'Send a Host header.')
    if (request.is404) throw nothingAt(app, request)
  })
  app.addHook('onSend', async (request, reply) => {
    setFreshness(lake, request, reply)
    setFallback(lake, reply)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const ms = Number(reply.elapsedTime.toFixed(2))
    request.log.info({ method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered')
  })
  app.addHook('onRequestAbort', async ({ method, routeOptions, log }) => {
    log.info({ method, route: routeOptions.url }, 'client left')
  })
}
