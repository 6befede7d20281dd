import type { Table } from './table.ts'

const field = (value: unknown): string => {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as RFC 4180 has it: CRLF ends each record, the first holds the names. Null is empty; lists are JSON. */
export const csv = ({ columns, rows }: Table): string =>
  [columns.map(({ name }) => name), ...rows].map((record) => `${record.map(field).join(',')}\r\n`).join('')
