import { commandLine, type Resolved, readParams } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { prices } from '../ops/prices.ts'
import { type Answered, type CallContext, type QueryClient, ToolError } from './client.ts'
import { createPayer, type PayLimits } from './pay.ts'
import { answerOf } from './reply.ts'

type RemoteOptions = PayLimits & {
  url: string
  log: (line: string) => void
}

const NO_SERVICE = `start the service with ${commandLine('serve')}, or set its address with --url`

/** What went wrong with a request before anything was paid. */
const failureOf = (error: unknown, url: string, network: string): unknown => {
  if (error instanceof ToolError) return error
  const { message, name, cause } = error as Error & { cause?: { message?: string } }
  if (name === 'AbortError' || name === 'TimeoutError')
    return new ToolError('NOT_READY', 'The query timed out or was cancelled; nothing was paid. Retry.')
  if (message === 'fetch failed')
    return new ToolError('NOT_READY', `No answer from ${url} (${cause?.message ?? message}): ${NO_SERVICE}.`)
  return new ToolError(
    'PAYMENT_REFUSED',
    `The offer of the service cannot be paid on ${network}, and nothing was paid: ${message}`,
  )
}

type ToolReply = { result?: { isError?: boolean; structuredContent?: Record<string, unknown> } }

/** Answers that are kept, so that other fields of one can be read without paying again. */
const KEPT_ANSWERS = 20

type Kept = { etag: string; answer: Record<string, unknown> }

/** The last answers by path; a service confirms free of charge that one still holds. */
const createKept = () => {
  const kept = new Map<string, Kept>()
  return {
    get: (path: string): Kept | undefined => kept.get(path),
    set(path: string, etag: string | null, answer: Record<string, unknown>): void {
      kept.delete(path)
      if (etag !== null) kept.set(path, { etag, answer })
      const [oldest] = kept.keys()
      if (kept.size > KEPT_ANSWERS && oldest !== undefined) kept.delete(oldest)
    },
  }
}

/** Answers by a service, paying within limits. */
export const createRemoteClient = ({ url, log, ...limits }: RemoteOptions): QueryClient => {
  const payer = createPayer(limits)
  const kept = createKept()

  const ask = async (
    query: Parameters<QueryClient['ask']>[0],
    params: Record<string, string>,
    context: CallContext,
  ) => {
    readParams(query, params)
    const path = pathWith(apiPath(query), params)
    const earlier = kept.get(path)
    const headers: Record<string, string> = earlier ? { 'if-none-match': earlier.etag } : {}
    const { response, paid } = await payer.fetch(`${url}${path}`, headers, context).catch((error) => {
      throw failureOf(error, url, limits.network)
    })
    if (earlier && response.status === 304) return { answer: earlier.answer }
    try {
      const answer = answerOf(response.status, await response.text())
      kept.set(path, response.headers.get('etag'), answer)
      return { answer, paid } satisfies Answered
    } catch (error) {
      if (!paid || !(error instanceof ToolError)) throw error
      log(`${error.code}: ${error.message}`)
      throw new ToolError(error.code, error.message, { ...error.details, paid })
    }
  }

  /** Calls a tool of the service itself, for what it has no address for. */
  const callTool = async (name: string, args: object, { signal }: CallContext): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      redirect: 'error',
      signal,
    }).catch((error) => {
      throw failureOf(error, url, limits.network)
    })
    const { result } = answerOf(response.status, await response.text()) as ToolReply
    const { structuredContent: content = {}, isError } = result ?? {}
    if (!isError) return content
    const { code, message, details } = (content.error ?? {}) as { code?: string; message?: string; details?: object }
    throw new ToolError(code ?? 'SERVICE_ERROR', message ?? 'The service refused the call.', { ...details })
  }

  return {
    countries: () => undefined,
    priceOf: ({ group }) => prices[group],
    ask,
    findCategory: async ({ category: text, ...others }, context) =>
      (await callTool('find_category', { text, ...others }, context)) as Resolved,
  }
}
