import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { EngineError, readable } from '../../engine/index.ts'
import { Refusal } from '../http/problem.ts'
import { ToolError } from './client.ts'

const text = (words: string, audience: 'user' | 'assistant') => ({
  type: 'text' as const,
  text: words,
  annotations: { audience: [audience] },
})

/** A result: a line for people, and the structured content, with the text that models of hosts without it read. */
export const resultOf = (
  line: string,
  structuredContent: Record<string, unknown>,
  words: string = readable(JSON.stringify(structuredContent)),
  meta?: Record<string, unknown> | undefined,
): CallToolResult => ({
  content: [text(line, 'user'), text(words, 'assistant')],
  structuredContent,
  ...(meta ? { _meta: meta } : {}),
})

/** Messages of the engine name addresses of the service; here they are queries. */
export const inTools = (words: string): string => words.replace(/(?:GET \/v1\/|the query )([\w-]+\/[\w-]+)/g, 'ask $1')

const isRefusal = (error: unknown): error is EngineError | ToolError | Refusal =>
  error instanceof EngineError || error instanceof ToolError || error instanceof Refusal

/** Any thrown value as the error of a tool, with the code, message and details of a refusal. Logs what is none. */
export const errorResult = (error: unknown, log: (error: unknown) => void): CallToolResult => {
  if (!isRefusal(error)) log(error)
  const { code, details, ...refusal } = isRefusal(error)
    ? { code: error.code, details: error.details, message: error.message }
    : { code: 'INTERNAL_ERROR', details: {}, message: 'Internal error; nothing was charged.' }
  const message = inTools(refusal.message)
  const { content = { error: { code, message, details } }, meta } = error instanceof ToolError ? error.form : {}
  const words = Object.keys(details).length > 0 ? JSON.stringify(details) : ''
  return {
    isError: true,
    content: [{ type: 'text', text: readable([`${code}: ${message}`, words].filter(Boolean).join('\n')) }],
    structuredContent: content,
    ...(meta ? { _meta: meta } : {}),
  }
}
