import { giveWay } from '../../contract/turn.ts'
import type { Table } from '../cli/table.ts'

/** Escapes control and format characters, which could control a terminal or hide text; line breaks are kept. */
const escaped = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => {
    const code = letter.codePointAt(0)!
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })

/** Prefixes text that a spreadsheet would evaluate as a formula with an apostrophe. */
const withoutFormula = (text: string): string => (/^[=+\-@\t\n\r]/.test(text) ? `'${text}` : text)

const cellText = (value: unknown): string => {
  if (value === null) return ''
  if (typeof value === 'string') return escaped(withoutFormula(value))
  return typeof value === 'object' ? escaped(JSON.stringify(value)) : String(value)
}

const field = (value: unknown): string => {
  const text = cellText(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Records as CSV lines, formatted like those of `csv`. */
export const csvRecords = (records: readonly (readonly unknown[])[]): string =>
  records.map((record) => `${record.map(field).join(',')}\r\n`).join('')

/**
 * A table as CSV (RFC 4180): records end with CRLF, and the first one has the column names. Null is empty; lists are JSON.
 * Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, and control characters are escaped.
 * Numbers and all other text are unchanged.
 */
export const csv = async ({ columns, rows }: Table): Promise<string> => {
  const lines = [csvRecords([columns.map(({ name }) => name)])]
  for (const row of rows) {
    lines.push(csvRecords([row]))
    await giveWay()
  }
  return lines.join('')
}
