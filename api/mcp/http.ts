import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version']

/** Answers one message. Its calls are cancelled when the client disconnects. */
export const handle = async (message: unknown, context: HttpContext): Promise<HttpAnswer> => {
  const { app, request, reply } = context
  const client = await createInjectedClient(context)
  const server = createServer(client, (error) => app.log.error({ err: error }, 'fault'))
  // Without a session generator the server is stateless: one server and transport a request.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const disconnected = new Promise<HttpAnswer>((resolve) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) resolve({ status: DISCONNECTED.status, headers: {}, text: null })
    })
  })
  const answered = async (): Promise<HttpAnswer> => {
    const sent = new Request('http://service/mcp', {
      method: 'POST',
      headers: headersNamed(request.headers, PROTOCOL_HEADERS),
    })
    const response = await transport.handleRequest(sent, { parsedBody: message })
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
