import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readJson } from '../../engine/index.ts'
import { preflightHeaders } from '../http/headers.ts'
import { Refusal } from '../http/problem.ts'
import { refuse } from '../http/refuse.ts'
import { DISCONNECTED } from '../http/request-log.ts'
import { type Config, ConfigError } from '../ops/config.ts'
import { hostnameOf, isForOwnName, isOwnName } from '../ops/host.ts'
import type { Lake } from '../ops/lake.ts'
import { withPackages } from '../ops/packages.ts'

const PATH = '/mcp'

const MAX_BODY_BYTES = 65_536

const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700

const allow = 'POST, OPTIONS'
const headers = {
  ...preflightHeaders,
  'access-control-allow-methods': allow,
  'access-control-allow-headers': `${preflightHeaders['access-control-allow-headers']}, MCP-Protocol-Version, Mcp-Session-Id`,
}

/** A JSON-RPC error without the id of a request. */
const sendError = (reply: FastifyReply, status: number, code: number, message: string): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))

/** Whether a request comes from a page of this service or from no page, and to a name of this service. */
const isOwnOrigin = (
  { origin, host }: IncomingHttpHeaders,
  config: Pick<Config, 'base_url' | 'host' | 'proxies'>,
): boolean => (origin === undefined || isOwnName(hostnameOf(origin), config)) && isForOwnName(host, config)

type McpOptions = { app: FastifyInstance; lake: Lake; config: Config }

/**
 * Serves the Model Context Protocol at `/mcp`: streamable HTTP without sessions, one JSON answer a request. Its calls go
 * through the routes of the service, so that the same limits and charges apply.
 */
export const addMcp = (routes: FastifyInstance, { app, lake, config }: McpOptions): void => {
  let loading: Promise<typeof import('./http.ts')> | undefined

  /** Loads the SDK, which is optional, with the first request. */
  const load = async () => {
    loading ??= withPackages(PATH, () => import('./http.ts'))
    try {
      return await loading
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      app.log.warn(error.message)
      throw new Refusal('NOT_FOUND', 'This service does not offer MCP; GET /openapi.json lists all addresses.')
    }
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = readJson(request.body as string)
    if (body === undefined) return sendError(reply, 400, PARSE_ERROR, 'The body is not JSON.')
    if (Array.isArray(body)) return sendError(reply, 400, INVALID_REQUEST, 'Send one message a request, not a batch.')
    const { handle } = await load()
    const { status, headers, text } = await handle(body, { app, lake, config, request, reply })
    // Fastify notices only clients that disconnect while they send.
    if (status === DISCONNECTED.status) request.log.info({ method: request.method, route: PATH }, 'client disconnected')
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(text)
  }

  routes.removeAllContentTypeParsers()
  routes.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_, body, done) =>
    done(null, body),
  )
  routes.setErrorHandler((error: Error & { code?: string }, request, reply) =>
    error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      ? sendError(reply, 413, INVALID_REQUEST, `The body is too large; send at most ${MAX_BODY_BYTES} bytes.`)
      : refuse(error, request, reply),
  )
  // Before the body is read: pages of other origins must not use a service of this machine or network.
  routes.addHook('onRequest', async (request, reply) => {
    if (!isOwnOrigin(request.headers, config))
      return sendError(
        reply,
        403,
        INVALID_REQUEST,
        'Requests from pages of other origins or to other hosts are refused.',
      )
  })
  routes.post(PATH, { bodyLimit: MAX_BODY_BYTES }, (request, reply) => {
    const work = answer(request, reply)
    request.trace.work = work
    return work
  })
  routes.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: PATH,
    handler: (_, reply) =>
      sendError(reply.header('allow', allow), 405, INVALID_REQUEST, 'There are no sessions and no streams; send POST.'),
  })
  routes.options(PATH, (_, reply) => reply.headers(headers).code(204).send())
}
