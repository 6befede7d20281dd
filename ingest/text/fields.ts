import type { Dialect } from './dialect.ts'

/** Replaces a CR within a field by a space, unless a line ends there. */
const withSpaces = (text: string): string => (text.includes('\r') ? text.replace(/\r(?!\n)/g, ' ') : text)

/** The fields of a well-formed record, a quoted one with its quotes; a character is a byte. */
const splitRecord = (record: string, delimiter: string): string[] => {
  const fields: string[] = []
  for (let position = 0; position >= 0; ) {
    let start = position
    while (record[start] === '\r' || (record[start] === ' ' && delimiter !== ' ')) start++
    const isQuoted = record[start] === '"'
    let end = start + 1
    if (isQuoted) while (record[end] !== '"' || record[end + 1] === '"') end += record[end] === '"' ? 2 : 1
    const next = record.indexOf(delimiter, isQuoted ? end : position)
    fields.push(isQuoted ? record.slice(start, end + 1) : record.slice(position, next < 0 ? record.length : next))
    position = next < 0 ? next : next + 1
  }
  return fields.map(withSpaces)
}

const isQuoted = (field: string): boolean => field.startsWith('"')

/** The texts of a record's fields. */
export const fieldTexts = (record: Buffer, { delimiter }: Dialect): string[] =>
  splitRecord(record.toString('latin1'), String.fromCharCode(delimiter))
    .map((field) => (isQuoted(field) ? field.slice(1, -1).replaceAll('""', '"') : field))
    .map((text) => Buffer.from(text, 'latin1').toString())

/**
 * A record in the form that every reader reads alike; a character is a byte. Fields beyond those of the header are
 * omitted.
 */
export const rewriteRecord = (record: Buffer, dialect: Dialect): string => {
  const whole = record.toString('latin1')
  if (dialect.quote === 0) return withSpaces(whole)
  const delimiter = String.fromCharCode(dialect.delimiter)
  const write = (field: string): string =>
    !isQuoted(field) && (field.includes('"') || field.includes(delimiter)) ? `"${field.replaceAll('"', '""')}"` : field
  const fields = splitRecord(whole, delimiter)
  return fields.slice(0, dialect.fields).map(write).join(delimiter)
}
