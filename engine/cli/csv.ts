import type { Table } from './table.ts'

/** Control and format characters, which drive terminals and hide text, as escapes; lines of a text stay lines. */
const escaped = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => {
    const code = letter.codePointAt(0)!
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })

/** Spreadsheets compute a text that begins so, from whatever feed it comes: an apostrophe makes it a text to them. */
const inert = (text: string): string => (/^[=+\-@\t\n\r]/.test(text) ? `'${text}` : text)

const textOf = (value: unknown): string => {
  if (value === null) return ''
  if (typeof value === 'string') return escaped(inert(value))
  return typeof value === 'object' ? escaped(JSON.stringify(value)) : String(value)
}

const field = (value: unknown): string => {
  const text = textOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Records as `csv` writes them. */
export const csvRecords = (records: readonly (readonly unknown[])[]): string =>
  records.map((record) => `${record.map(field).join(',')}\r\n`).join('')

/**
 * A table as RFC 4180 has it: CRLF ends each record, the first holds the names. Null is empty; lists are JSON. A text that a
 * spreadsheet would take for a formula begins with an apostrophe, and control characters are escapes: numbers, and texts
 * without either, are as they were.
 */
export const csv = ({ columns, rows }: Table): string => csvRecords([columns.map(({ name }) => name), ...rows])
