/** The part of JSON Schema that parameters use. */
export type ParamSchema = {
  type?: string
  format?: string
  enum?: readonly unknown[]
  anyOf?: readonly ParamSchema[]
  minimum?: number
  maximum?: number
  maxLength?: number
  examples?: readonly unknown[]
}

/** The values between the bounds of a parameter: `1 to 50`, `at least 1`; empty without bounds. */
export const rangeOf = ({ minimum, maximum }: ParamSchema): string => {
  if (minimum === undefined) return maximum === undefined ? '' : `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

const inRange = (noun: string, schema: ParamSchema): string => {
  const range = rangeOf(schema)
  return range === '' ? noun : `${noun}${range.startsWith('at ') ? ',' : ' from'} ${range}`
}

const DAY_FORMAT = 'a UTC day such as 2026-10-31'

/** What a parameter accepts, in words: `a whole number from 1 to 50`. */
export const expectationOf = (schema: ParamSchema): string => {
  const { type, format, enum: choices, anyOf, maxLength, examples = [] } = schema
  if (choices) return `one of ${choices.join(', ')}`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return inRange('a whole number', schema)
  if (type === 'number') return inRange('a number', schema)
  if (format === 'date') return DAY_FORMAT
  if (anyOf) return `${DAY_FORMAT}, or an RFC 3339 time such as 2026-10-31T12:00:00Z`
  const example = examples.length > 0 ? `, such as ${examples.join(' or ')}` : ''
  return `${maxLength === undefined ? 'text' : `text of 1 to ${maxLength} characters`}${example}`
}

const MAX_QUOTED_LENGTH = 60

/** A value as messages quote it: numbers as they are, text in quotes and truncated if it is long. */
export const quotedValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  if (typeof value !== 'string' && text.length <= MAX_QUOTED_LENGTH) return text
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return text
  if (text.length <= MAX_QUOTED_LENGTH) return JSON.stringify(text)
  return `${text.length} characters: ${JSON.stringify(`${text.slice(0, MAX_QUOTED_LENGTH)}...`)}`
}
