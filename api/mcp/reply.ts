import { readJson } from '../../engine/index.ts'
import { ToolError } from './client.ts'

type Body = { error?: { code?: unknown; message?: unknown; details?: unknown }; errorReason?: unknown }

/** The answer in a response of the service; throws its refusal as ToolError. */
export const answerOf = (status: number, text: string): Record<string, unknown> => {
  const body = readJson(text)
  if (typeof body !== 'object' || body === null)
    throw new ToolError('SERVICE_ERROR', `The service answered ${status}, which is neither an answer nor a refusal.`)
  if (status === 200) return body as Record<string, unknown>
  const { error, errorReason } = body as Body
  const { code, message, details } = error ?? {}
  if (typeof code !== 'string') throw new ToolError('SERVICE_ERROR', `The service answered ${status} without a reason.`)
  throw new ToolError(code, String(message), {
    ...(typeof details === 'object' ? details : {}),
    ...(errorReason === undefined ? {} : { reason: errorReason }),
  })
}
