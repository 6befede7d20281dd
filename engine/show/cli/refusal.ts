import { EngineError } from '../../contract/errors.ts'
import { readable, readableLine } from '../readable.ts'
import { ABSENT } from '../text.ts'
import { fitting, grid } from './grid.ts'
import { inCommands, type Style, wrap } from './terminal.ts'

/** The exit code of a command that Ctrl-C ended. */
export const INTERRUPTED = 130

/** 1 refused, 2 wrong usage, 3 internal failure. */
export const exitCodeOf = (error: unknown): number => {
  if (!(error instanceof EngineError)) return 3
  return error.code === 'INVALID_PARAMS' ? 2 : 1
}

/** A hint in pieces that are not broken across lines; null if there is none. */
export type Hint = readonly string[] | null

/** Why a command failed. */
export type Refused = { error: unknown; hint: Hint }

/** An error as over HTTP: code, message and details. The hint is separate, since it is about the command line. */
export const refusal = (error: unknown, hint: Hint = null) => {
  if (error instanceof EngineError) {
    const { code, message, details } = error
    return { error: { code, message, details }, ...(hint ? { hint: hint.join(' ') } : {}) }
  }
  return { error: { code: 'INTERNAL_ERROR', message: String(error), details: {} } }
}

const titleOf = (name: string): string => (name === 'alternates' ? 'did you mean' : name.replaceAll('_', ' '))

/** Lists in the details are what may be sent instead: alternates, eligible retailers, accepted options. */
const listLines = (name: string, entries: readonly unknown[], width: number, style: Style): string[] => {
  const records = entries.filter((entry) => typeof entry === 'object' && entry !== null)
  if (records.length === 0) return wrap(`${titleOf(name)}: ${entries.map(String).map(readableLine).join(', ')}`, width)
  const valuesOf = (key: string) => records.map((record) => (record as Record<string, unknown>)[key])
  // A product is chosen at all retailers, by its entity, unless one of the products has none.
  const isRedundant = (key: string) =>
    key === 'product_uid' && valuesOf('entity_uid').every((uid) => typeof uid === 'string')
  const columns = Object.keys(records[0]!).flatMap((key) => {
    const values = valuesOf(key)
    if (isRedundant(key) || values.every((value) => value === null)) return []
    const isNumeric = values.every((value) => typeof value === 'number')
    const isWhole = key.endsWith('_uid')
    return [
      { title: key, isRight: isNumeric, isWhole, cells: values.map((value) => readableLine(String(value ?? ABSENT))) },
    ]
  })
  return [
    `${titleOf(name)}:`,
    ...grid(
      fitting(columns, width, (column) => columns.indexOf(column)),
      width,
      style,
    ),
  ]
}

const paragraph = (text: string, width: number, style: Style): string[] =>
  wrap(`shelfmark: ${readableLine(inCommands(text))}`, width).map((line) => line.replace(/^shelfmark:/, style.warn))

/** A refusal as text: what is wrong, then what to send instead. An internal failure shows its stack. */
export const refusalPage = (error: unknown, width: number, style: Style, hint: Hint = null): string[] => {
  if (!(error instanceof EngineError)) {
    const { stack, message } = error instanceof Error ? error : { message: String(error) }
    return [...paragraph('internal failure', width, style), readable(stack ?? message)]
  }
  const { parameter, issues = [], ...details } = error.details
  const isOption = typeof parameter === 'string' && error.message.startsWith(`${parameter}: `)
  const [, ...furtherIssues] = issues as { parameter: string; message: string }[]
  return [
    ...paragraph(`${isOption ? '--' : ''}${error.message}`, width, style),
    ...furtherIssues.flatMap(({ parameter, message }) => wrap(readableLine(`--${parameter}: ${message}`), width)),
    ...(hint ? wrap(hint.map(readableLine), width) : []),
    ...Object.entries(details).flatMap(([name, list]) =>
      Array.isArray(list) && list.length > 0 ? listLines(name, list, width, style) : [],
    ),
  ]
}
