import { constants, gunzipSync } from 'node:zlib'
import type { TextEncoding } from '../../text/decode.ts'
import type { Json } from '../../text/json-path.ts'
import { sampleDocument, type UnreadList } from './json-histories.ts'
import { parseJsonHead } from './json-records.ts'
import type { SampledColumn, SampledFile } from './sample.ts'
import { guessDelimiter, parseDelimited, type TableStart, tableOf, tableStart } from './text-tables.ts'

/** What the beginning of a file shows. */
export type Sniffed = {
  format: SampledFile['format'] | null
  compression: 'gzip' | 'zstd' | null
  encoding: TextEncoding | null
  delimiter: string | null
  header: boolean | null
  start: TableStart | null
  json_path: string | null
  left_out: readonly UnreadList[]
  /** The columns of text and JSON files, with the first values; empty for Parquet, whose metadata is at its end. */
  columns: readonly SampledColumn[]
}

const NOTHING: Sniffed = {
  format: null,
  compression: null,
  encoding: null,
  delimiter: null,
  header: null,
  start: null,
  json_path: null,
  left_out: [],
  columns: [],
}

const startsWith = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

const compressionOf = (bytes: Uint8Array): Sniffed['compression'] => {
  if (startsWith(bytes, 0x1f, 0x8b)) return 'gzip'
  return startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : null
}

/** Decompresses as much of a truncated gzip file as possible. */
const inflated = (bytes: Uint8Array): Uint8Array => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })

/** The share of NULs at even or odd offsets: every other byte of ASCII text in UTF-16 is NUL. */
const nulShare = (bytes: Uint8Array, offset: 0 | 1): number => {
  const read = Math.min(bytes.length, 4096)
  let nuls = 0
  for (let position = offset; position < read; position += 2) if (bytes[position] === 0) nuls += 1
  return read < 2 ? 0 : nuls / Math.floor(read / 2)
}

const MAX_NULS = 0.3

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    // A character truncated at the end is not an error.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const MIN_LETTERS = 4

/**
 * Whether text in UTF-8 has a few wrong bytes, rather than being in another encoding: most of its accents are right.
 */
const isDamagedUtf8 = (text: string): boolean => {
  const wrong = text.match(/\ufffd/g)?.length ?? 0
  const right = text.match(/[\u0080-\ufffc]/g)?.length ?? 0
  return right > MIN_LETTERS * wrong
}

/** Decodes the beginning of a file; text that is not UTF-8, but for a few bytes, or UTF-16 is taken for Latin-1. */
export const decodeHead = (bytes: Uint8Array): { text: string; encoding: TextEncoding } => {
  const little = startsWith(bytes, 0xff, 0xfe) || nulShare(bytes, 1) > MAX_NULS
  if (little) return { text: new TextDecoder('utf-16le').decode(bytes, { stream: true }), encoding: 'utf-16' }
  const big = startsWith(bytes, 0xfe, 0xff) || nulShare(bytes, 0) > MAX_NULS
  if (big) return { text: new TextDecoder('utf-16be').decode(bytes, { stream: true }), encoding: 'utf-16' }
  const text = new TextDecoder().decode(bytes, { stream: true })
  if (isUtf8(bytes) || isDamagedUtf8(text)) return { text, encoding: 'utf-8' }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'latin-1' }
}

const isJsonObject = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

const documentIn = (text: string): Partial<Sniffed> => {
  const document = parseJsonHead(text)
  const sampled = document === undefined ? null : sampleDocument(document)
  // The elements of an array at the top need no path.
  return {
    format: 'json',
    json_path: sampled === null || sampled.path === '[]' ? null : sampled.path,
    columns: sampled?.columns ?? [],
    left_out: sampled?.left_out ?? [],
  }
}

/** Records in lines, or records inside them, such as the variants of a product. */
const recordLines = (records: readonly Json[]): Partial<Sniffed> => {
  const sampled = sampleDocument(records)
  const path = sampled?.path.replace(/^\[\]\.?/, '') ?? ''
  return { format: 'jsonl', json_path: path === '' ? null : path, columns: sampled?.columns ?? [] }
}

/** JSON lines have one object per line; a document is an array or a single value. */
const sniffJson = (text: string, name: string): Partial<Sniffed> => {
  const lines = text.trim().split('\n', 1001)
  const records = lines.flatMap((line) =>
    line.trimStart().startsWith('{') && isJsonObject(line) ? [JSON.parse(line)] : [],
  )
  const isNamed = records.length === 1 && /\.(?:jsonl|ndjson)(?:\.|$)/i.test(name)
  const isOfLines = lines.length > 1 ? records.length * 2 > lines.length : isNamed
  return isOfLines ? recordLines(records) : documentIn(text)
}

const sniffDelimited = (text: string, isWhole: boolean): Partial<Sniffed> => {
  const delimiter = guessDelimiter(text, isWhole)
  const parsed = parseDelimited(text.replace(/^\uFEFF/, ''), delimiter ?? ',', isWhole)
  const start = tableStart(parsed)
  const { names, body } = tableOf(parsed, start)
  return {
    format: 'csv',
    delimiter,
    header: start.header_rows > 0,
    start,
    columns: names.map((name, index) => ({ name, values: body.map((line) => line[index] ?? '') })),
  }
}

/**
 * Guesses format, compression, encoding, delimiter and header from a file's name and first bytes. Gzip is decompressed
 * here; zstd must be decompressed by the caller. `isWhole` means that the bytes are the whole file.
 */
export const sniff = (name: string, head: Uint8Array, isWhole = false): Sniffed => {
  const compression = compressionOf(head)
  if (compression === 'zstd') return { ...NOTHING, compression }
  const bytes = compression === 'gzip' ? inflated(head) : head
  if (startsWith(bytes, 0x50, 0x41, 0x52, 0x31)) return { ...NOTHING, compression, format: 'parquet' }
  const { text, encoding } = decodeHead(bytes)
  const beginning = text.replace(/^\uFEFF/, '').trimStart()
  if (beginning === '') return { ...NOTHING, compression, encoding }
  const sniffed = /^[{[]/.test(beginning) ? sniffJson(beginning, name) : sniffDelimited(text, isWhole)
  return { ...NOTHING, compression, encoding, ...sniffed }
}
