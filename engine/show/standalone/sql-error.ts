import { z } from 'zod'
import { EngineError } from '../../contract/errors.ts'

/** An error of DuckDB with the setting errors_as_json. */
const failure = z.object({
  exception_type: z.string(),
  exception_message: z.string(),
  /** The byte offset in the statement. */
  position: z.string().optional(),
})

/** `line 2, column 7` of an offset in a text, both from 1. */
export const positionOf = (text: string, offset: number): string => {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

const parsed = (cause: unknown) => {
  try {
    const message = cause instanceof Error ? cause.message : String(cause)
    return failure.safeParse(JSON.parse(message.slice(message.indexOf('{')))).data
  } catch {
    return undefined
  }
}

/** Whether an error is caused by the system rather than by the statement. */
const isSystemError = (type: string): boolean => /^(IO|Out of Memory|Internal|Fatal)$/i.test(type)

const HINT = 'sql only reads the files of the snapshot; use --parquet FILE to write a result'

/** Whether a statement failed because it was interrupted. */
export const isInterrupt = (cause: unknown): boolean => /^interrupt$/i.test(parsed(cause)?.exception_type ?? '')

/**
 * DuckDB's error as one line with its position in the text, or that of its statement: INVALID_PARAMS, or NOT_READY if a file
 * cannot be read or memory runs out. Any other error is returned unchanged.
 */
export const sqlError = (cause: unknown, text: string, start = 0): unknown => {
  const error = cause instanceof EngineError ? undefined : parsed(cause)
  if (!error) return cause
  const { exception_type, exception_message, position } = error
  const isPermission = exception_type === 'Permission'
  const lines = [...exception_message.split('\n'), ...(isPermission ? [HINT] : [])]
  const message = lines.map(withoutMarks).filter(Boolean).join('; ')
  const offset = start + (position === undefined ? 0 : charactersOf(text.slice(start), Number(position)))
  const code = isSystemError(exception_type) ? 'NOT_READY' : 'INVALID_PARAMS'
  return new EngineError(code, `${positionOf(text, offset)}: ${message}`, { position: offset })
}

/** A line without its bullet and its final punctuation. */
const withoutMarks = (line: string): string => line.trim().replace(/^\* |[.!]$/g, '')

const charactersOf = (text: string, bytes: number): number => Buffer.from(text).subarray(0, bytes).toString().length
