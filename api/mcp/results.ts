import type { CallToolResult } from '@modelcontextprotocol/server'
import { EngineError, readable } from '../../engine/index.ts'
import { Refusal } from '../http/problem.ts'
import { ToolError } from './client.ts'

/** Annotations of a tool that only reads the lake. */
export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** A result: the data as structured content, and in short as text for people and models of hosts without it. */
export const resultOf = (
  lines: readonly string[],
  structuredContent: Record<string, unknown>,
  meta?: Record<string, unknown> | undefined,
): CallToolResult => ({
  content: [{ type: 'text', text: readable(lines.filter(Boolean).join('\n')) }],
  structuredContent,
  ...(meta && Object.keys(meta).length > 0 ? { _meta: meta } : {}),
})

/** Messages of the engine name addresses of the service; here they are queries. */
export const inTools = (words: string): string =>
  words.replace(/(?:GET \/v1\/|the query )([\w-]+\/[\w-]+)/g, 'ask $1').replace(/; use --parquet FILE .*$/, '')

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
