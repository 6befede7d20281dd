import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { giveWay } from '../../engine/index.ts'
import { headersNamed } from '../http/headers.ts'
import { DISCONNECTED } from '../http/request-log.ts'
import type { Config } from '../ops/config.ts'
import type { Lake } from '../ops/lake.ts'
import { createInjectedClient } from './injected.ts'
import { createServer } from './server.ts'

type HttpContext = {
  app: FastifyInstance
  lake: Lake
  config: Config
  request: FastifyRequest
  reply: FastifyReply
}

type HttpAnswer = { status: number; headers: Record<string, string>; text: string | null }

/** The headers that the protocol reads. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/** Answers a message of the versions before 2026-07-28, without a session and without a stream. */
const answerLegacy = async (server: McpServer, sent: Request, parsedBody: unknown): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(sent, { parsedBody })
}

/** Answers a message of 2026-07-28. */
const answerModern = (server: McpServer, sent: Request, parsedBody: unknown): Promise<Response> =>
  // Nothing here changes while a client listens.
  createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(sent, { parsedBody })

/** Answers one message of either era. Its calls are cancelled when the client disconnects. */
export const handle = async (message: unknown, context: HttpContext): Promise<HttpAnswer> => {
  const { app, request, reply } = context
  const client = await createInjectedClient(context)
  const server = createServer(client, (error) => app.log.error({ err: error }, 'fault'))
  const closed = new AbortController()
  const disconnected = new Promise<HttpAnswer>((resolve) => {
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      closed.abort()
      resolve({ status: DISCONNECTED.status, headers: {}, text: null })
    })
  })
  const answered = async (): Promise<HttpAnswer> => {
    const headers = headersNamed(request.headers, PROTOCOL_HEADERS)
    const sent = new Request('http://service/mcp', { method: 'POST', headers, signal: closed.signal })
    const isLegacy = await isLegacyRequest(sent, message)
    const response = await (isLegacy ? answerLegacy : answerModern)(server, sent, message)
    await giveWay()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: (await response.text()) || null,
    }
  }
  try {
    return await Promise.race([answered(), disconnected])
  } finally {
    // Aborts the signals of calls that still run.
    await server.close()
  }
}
