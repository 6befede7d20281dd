import { type FileFormat, formatOf } from '../../feeds/discover.ts'
import type { Sniffed } from './sniff.ts'

/** Kinds of files by their first bytes. */
const MAGIC: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel workbook; unpack it, or save it as CSV'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook; save it as CSV'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0x89, 0x50, 0x4e, 0x47], 'an image'],
  [[0xff, 0xd8, 0xff], 'an image'],
  [[0x47, 0x49, 0x46, 0x38], 'an image'],
  [[0x1f, 0x8b], 'compressed with gzip; give it a name that ends in .gz'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with Zstandard; give it a name that ends in .zst'],
  [[0x42, 0x5a, 0x68], 'compressed with bzip2; unpack it, or compress it with gzip'],
  [[0xfd, 0x37, 0x7a, 0x58], 'compressed with xz; unpack it, or compress it with gzip'],
]

const MAX_CONTROL_SHARE = 0.02
const MAX_INSPECTED = 64 * 1024

/** Whether a text is binary data: control characters other than white space are rare in text. */
const isBinary = (text: string): boolean => {
  const part = text.slice(0, MAX_INSPECTED).replace(/\s/g, '')
  return (part.match(/\p{Cc}/gu)?.length ?? 0) > MAX_CONTROL_SHARE * part.length
}

const FORMAT_NAMES: Readonly<Record<FileFormat, string>> = {
  csv: 'delimited text',
  jsonl: 'JSON lines',
  json: 'a JSON document',
  parquet: 'Parquet',
  xml: 'XML',
  xlsx: 'a workbook',
}

const EXTENSIONS: Readonly<Record<FileFormat, string>> = {
  csv: '.csv',
  jsonl: '.jsonl',
  json: '.json',
  parquet: '.parquet',
  xml: '.xml',
  xlsx: '.xlsx',
}

/** The binary format that a file's first bytes show; null if they may be text. */
export const binaryContent = (head: Uint8Array): string | null => {
  const format = MAGIC.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))
  return format ? `it is ${format[1]}` : null
}

/** Why a text cannot be read as its name says; null if it can. */
export const textProblem = (name: string, decoded: string, { format, columns, header }: Sniffed): string | null => {
  const expected = formatOf(name)!
  if (decoded.trim() === '') return 'it has only white space'
  if (isBinary(decoded)) return `expected ${FORMAT_NAMES[expected]}, got binary data`
  if (format === null) return `expected ${FORMAT_NAMES[expected]}, got something else`
  // JSON lines are read under either name.
  if (format !== expected && !(format === 'jsonl' && expected === 'json'))
    return `it is ${FORMAT_NAMES[format]}, but its name says ${FORMAT_NAMES[expected]}; rename it to end in ${EXTENSIONS[format]}`
  if (columns.length === 0)
    return format === 'csv' ? 'it has no columns' : 'it has no list of records, such as an array of objects'
  return format === 'csv' && header && columns.every(({ values }) => values.length === 0)
    ? 'it has a header and no rows'
    : null
}
