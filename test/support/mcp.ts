import { Client } from 'mcp-sdk-1/client/index.js'
import { StdioClientTransport } from 'mcp-sdk-1/client/stdio.js'
import { StreamableHTTPClientTransport } from 'mcp-sdk-1/client/streamableHttp.js'
import type { Transport } from 'mcp-sdk-1/shared/transport.js'
import { atEnd } from './at-end.ts'
import { compiled } from './compiled.ts'

type Content = Record<string, unknown>
/** The result of a tool. */
export type Result = {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent: Content
  _meta?: Content
}

export type Host = {
  client: Client
  /** What the server wrote to standard error so far. */
  errors(): string
  call(tool: string, args?: Content, signal?: AbortSignal): Promise<Result>
  /** Asks a query; throws unless it is answered. */
  ask(query: string, params: Content, more?: Content): Promise<Content>
  /** Asks a query that is refused, and returns the refusal. */
  refused(query: string, params: Content, more?: Content): Promise<{ code: string; message: string; details: Content }>
}

const connect = async (transport: Transport, errors: () => string): Promise<Host> => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  atEnd(() => client.close())
  const call: Host['call'] = async (name, args = {}, signal) =>
    (await client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {})) as unknown as Result
  return {
    client,
    errors,
    call,
    async ask(query, params, more = {}) {
      const { structuredContent, isError, content } = await call('ask', { query, params, ...more })
      if (isError) throw new Error(JSON.stringify(content))
      return structuredContent
    },
    async refused(query, params, more = {}) {
      const { structuredContent, isError } = await call('ask', { query, params, ...more })
      if (!isError) throw new Error(`it was answered: ${JSON.stringify(structuredContent).slice(0, 200)}`)
      return structuredContent.error as Awaited<ReturnType<Host['refused']>>
    },
  }
}

/** A host that starts `shelfmark-mcp` as a process of its own. */
export const stdioHost = async (args: readonly string[], environment: Record<string, string> = {}): Promise<Host> => {
  const { PATH = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiled('api/mcp/main.ts'), ...args],
    env: { PATH, SHELFMARK_THREADS: '1', ...environment },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  return connect(transport, () => errors)
}

/** A host that connects to a service. */
export const httpHost = (port: number): Promise<Host> => {
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`))
  // The types of the SDK are not made for exactOptionalPropertyTypes.
  return connect(transport as unknown as Transport, () => '')
}
