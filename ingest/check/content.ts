import { type Format, formatOf } from '../feeds/discover.ts'
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

const MAX_CONTROLS = 0.02
const LOOKED_AT = 64 * 1024

/** Whether these bytes are no text in any encoding: control characters other than white space are rare in text. */
const isBinary = (text: string): boolean => {
  const part = text.slice(0, LOOKED_AT).replace(/\s/g, '')
  return (part.match(/\p{Cc}/gu)?.length ?? 0) > MAX_CONTROLS * part.length
}

const WORDS: Readonly<Record<Format, string>> = {
  csv: 'delimited text',
  jsonl: 'JSON lines',
  json: 'a JSON document',
  parquet: 'Parquet',
}

const EXTENSIONS: Readonly<Record<Format, string>> = {
  csv: '.csv',
  jsonl: '.jsonl',
  json: '.json',
  parquet: '.parquet',
}

/** What a file's first bytes show that is not text; null where they may be. */
export const binaryContent = (head: Uint8Array): string | null => {
  const found = MAGIC.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))
  return found ? `it is ${found[1]}` : null
}

/** Why a text cannot be read as its name says; null where it can. */
export const textProblem = (name: string, decoded: string, { format, columns, header }: Sniffed): string | null => {
  const expected = formatOf(name)!
  if (decoded.trim() === '') return 'it holds nothing but white space'
  if (/^\uFEFF?sep=.\r?\n/i.test(decoded)) return 'its first line, sep=, is for Excel alone; remove that line'
  if (isBinary(decoded)) return `it is not ${WORDS[expected]}, but binary`
  if (format === null) return `it is not ${WORDS[expected]}`
  // JSON lines are read under either name.
  if (format !== expected && !(format === 'jsonl' && expected === 'json'))
    return `it holds ${WORDS[format]}, but its name says ${WORDS[expected]}; rename it to end in ${EXTENSIONS[format]}`
  if (columns.length === 0)
    return format === 'csv' ? 'it has no columns' : 'it holds no list of records, such as an array of objects'
  return format === 'csv' && header && columns.every(({ values }) => values.length === 0)
    ? 'it has a header and no rows'
    : null
}
