import { currenciesOf } from '../../feeds/currency-signs.ts'
import { type FileFormat, formatOf as formatByName, UNKNOWN_FORMAT } from '../../feeds/discover.ts'
import { defaultDelimiter } from '../../feeds/heading.ts'
import { LEGACY_ENCODINGS, type TextEncoding } from '../../text/decode.ts'
import { parseJson } from '../../text/json-document.ts'
import { isObject, type Json, type JsonObject } from '../../text/json-path.ts'
import { readData } from '../columns/kinds.ts'
import { isCell, isOfNames } from './columnar.ts'
import { parseJsonHead } from './json-head.ts'
import { type Sampled, sampleDocument } from './records.ts'
import type { FileOptions, SampledColumn, UnreadPart } from './sample.ts'
import { columnNames, guessDelimiter, parseDelimited, type TableStart, tableStart } from './table.ts'

/** What the beginning of a text shows: its format, how it is read, and its columns with their first values. */
export type Sniffed = {
  format: FileFormat | null
  encoding: TextEncoding
  options: FileOptions
  delimiter?: string | null
  start?: TableStart
  titles?: readonly string[]
  left_out?: readonly UnreadPart[]
  columns: readonly SampledColumn[]
}

/** The share of NULs at even or odd offsets: every other byte of ASCII text in UTF-16 is NUL. */
const nulShare = (bytes: Uint8Array, offset: 0 | 1): number => {
  const read = bytes.subarray(0, 4096).filter((_, position) => position % 2 === offset)
  return read.filter((byte) => byte === 0).length / Math.max(1, read.length)
}

const MAX_NULS = 0.3
const MIN_LETTERS = 4

const SHOWING_BYTES = 16 * 1024
const HEADER_LINES = 3
/** Three letters of an alphabet or two characters: shorter words occur in any wrong encoding. */
const WORD = /(?:\p{L}\p{M}*){3}|[\p{scx=Han}\p{scx=Hangul}\p{scx=Kana}\p{scx=Thai}]{2}/u

/** What bytes become that an encoding does not have. */
const NO_TEXT = /[\ufffd\x80-\x9f\p{Co}]/u

/** How many words of a text are names of columns or currencies; none if it has what no text has. */
const namedWords = (text: string): number => {
  if (NO_TEXT.test(text)) return 0
  const words = new Set(text.split(/[^\p{L}\p{M}]+/u).filter((word) => /[^\0-\x7f]/.test(word)))
  const isCurrency = (word: string) => word.length > 1 && currenciesOf(word).length > 0
  return [...words].filter((word) => isCurrency(word) || (WORD.test(word) && isOfNames(word))).length
}

/** The words of scripts whose letters other encodings make, too, of a few accents. */
const SCRIPTS: Readonly<Partial<Record<TextEncoding, RegExp>>> = {
  'euc-kr': /\p{Script=Hangul}+/gu,
  'windows-874': /\p{Script=Thai}{3,}/gu,
}
const MIN_OF_SCRIPT = 0.9
const MIN_LETTERS_OF_SCRIPT = 20

/** The encoding that makes words of its script of nearly all bytes that are not ASCII; undefined if none does. */
const encodingOfScript = (bytes: Uint8Array): TextEncoding | undefined =>
  (Object.keys(SCRIPTS) as TextEncoding[]).find((encoding) => {
    const text = new TextDecoder(encoding).decode(bytes, { stream: true })
    const letters = text.match(/[^\0-\x7f]/g)?.length ?? 0
    const ofScript = text.match(SCRIPTS[encoding]!)?.join('').length ?? 0
    // Cyrillic has letters that are none in Thai.
    return !NO_TEXT.test(text) && letters >= MIN_LETTERS_OF_SCRIPT && ofScript > MIN_OF_SCRIPT * letters
  })

/** The encoding in which a text has the most names of columns and currencies; Latin-1 where none shows it. */
const encodingOf = (bytes: Uint8Array): TextEncoding => {
  const start = bytes.subarray(0, SHOWING_BYTES)
  const scored = (encoding: TextEncoding, label: string = encoding) => {
    const text = new TextDecoder(label).decode(start, { stream: true })
    return { encoding, names: namedWords(text.split('\n', HEADER_LINES).join('\n')), score: namedWords(text) }
  }
  const scores = [scored('latin-1', 'windows-1252'), ...LEGACY_ENCODINGS.map((encoding) => scored(encoding))]
  // Words of the header say more than those of titles, which may be names in a wrong encoding by chance.
  const inHeader = scores.reduce((best, other) => (other.names > best.names ? other : best))
  if (inHeader.names > 0) return inHeader.encoding
  const ofScript = encodingOfScript(start)
  return ofScript ?? scores.reduce((best, other) => (other.score > best.score ? other : best)).encoding
}

/** Decodes the beginning of a file; text that is not UTF-8, but for a few bytes, or UTF-16 is in the encoding that its names show. */
export const decodeHead = (bytes: Uint8Array): { text: string; encoding: TextEncoding } => {
  // A character truncated at the end is not an error.
  const decoded = (label: string) => new TextDecoder(label).decode(bytes, { stream: true })
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  if (mark === 'fffe' || nulShare(bytes, 1) > MAX_NULS) return { text: decoded('utf-16le'), encoding: 'utf-16' }
  if (mark === 'feff' || nulShare(bytes, 0) > MAX_NULS) return { text: decoded('utf-16be'), encoding: 'utf-16' }
  const text = decoded('utf-8')
  // Of damaged UTF-8 most accents are right.
  const wrong = text.match(/\ufffd/g)?.length ?? 0
  const right = text.match(/[\u0080-\ufffc]/g)?.length ?? 0
  if (wrong === 0 || right > MIN_LETTERS * wrong) return { text, encoding: 'utf-8' }
  const encoding = encodingOf(bytes)
  return { text: decoded(encoding === 'latin-1' ? 'windows-1252' : encoding), encoding }
}

type SniffedText = Omit<Sniffed, 'encoding'>

const foundRecords = (format: FileFormat, sampled: Sampled | null, path = sampled?.path ?? ''): SniffedText => ({
  format,
  options: path === '' ? {} : { json_path: path },
  columns: sampled?.columns ?? [],
  ...(sampled && sampled.left_out.length > 0 ? { left_out: sampled.left_out } : {}),
})

/** The object of a line; none if it has another value, or is none of JSON. */
export const objectOf = (line: string): JsonObject[] => {
  try {
    // What is trimmed may be a byte order mark.
    const text = line.trimStart()
    const value = text.startsWith('{') ? (parseJson(text) as Json) : null
    return isObject(value) ? [value] : []
  } catch {
    return []
  }
}

/** JSON lines have one object per line, or records inside it; a document is an array or a single value. */
const sniffJson = (text: string, name: string): SniffedText => {
  const lines = text.trim().split('\n', 1001)
  const records = lines.flatMap(objectOf)
  const isNamed = records.length === 1 && /\.(?:jsonl|ndjson)(?:\.|$)/i.test(name)
  if (lines.length > 1 ? records.length * 2 > lines.length : isNamed) {
    const sampled = sampleDocument(records, name)
    return foundRecords('jsonl', sampled, sampled?.path.replace(/^\[\]\.?/, ''))
  }
  const document = parseJsonHead(text)
  const sampled = document === undefined ? null : sampleDocument(document, name)
  // The objects of an array at the top need no path.
  const isPlain = sampled?.path === '[]' && !sampled.columns.some(isCell)
  return foundRecords('json', sampled, isPlain ? '' : sampled?.path)
}

const sniffTable = (text: string, name: string, isWhole: boolean): SniffedText => {
  const delimiter = guessDelimiter(text, isWhole)
  const parsed = parseDelimited(text.replace(/^\uFEFF/, ''), delimiter ?? ',', isWhole)
  const start = tableStart(parsed)
  const { skip_rows, header_rows, first, names = [] } = start
  const body = parsed.rows.slice(first + header_rows)
  const titles = parsed.rows.slice(0, first).flatMap((row) => row.filter((cell) => cell.trim() !== ''))
  return {
    format: 'csv',
    options: {
      ...(delimiter === null || delimiter === defaultDelimiter(name) ? {} : { delimiter }),
      ...(skip_rows > 0 ? { skip_rows } : {}),
      ...(header_rows === 1 ? {} : { header: header_rows === 0 ? false : header_rows }),
    },
    delimiter,
    start,
    ...(titles.length > 0 ? { titles } : {}),
    columns: columnNames(parsed, start).map((column, index) => ({
      name: column,
      ...(names[index] ? { alias: names[index] } : {}),
      values: body.map((row) => row[index] ?? ''),
    })),
  }
}

/** Guesses from a text's name and first bytes how it is read. `isWhole` means that the bytes are the whole file. */
export const sniff = (name: string, head: Uint8Array, isWhole = false): Sniffed => {
  const { text, encoding } = decodeHead(head)
  const beginning = text.replace(/^\uFEFF/, '').trimStart()
  if (beginning === '') return { format: null, encoding, options: {}, columns: [] }
  const sniffed = /^[{[]/.test(beginning) ? sniffJson(beginning, name) : sniffTable(text, name, isWhole)
  const options = encoding === 'utf-8' ? sniffed.options : { encoding, ...sniffed.options }
  return { encoding, ...sniffed, options }
}

/** What files contain by their first bytes, in hexadecimal, by a text near their start or by their endings, and the names of formats. */
const CONTENTS = readData<{
  starts: Record<string, string>
  texts: Record<string, string>
  endings: Record<string, string>
  names: Record<FileFormat, string>
}>('../read/contents.json')

const MAX_CONTROL_SHARE = 0.02
const MAX_INSPECTED = 64 * 1024

/** Whether a text is binary data: control characters other than white space are rare in text. */
const isBinary = (text: string): boolean => {
  const part = text.slice(0, MAX_INSPECTED).replace(/\s/g, '')
  return (part.match(/\p{Cc}/gu)?.length ?? 0) > MAX_CONTROL_SHARE * part.length
}

const MAX_MARKUP = 1024

/** What a file is that no reader reads, by its first bytes, else by its name; undefined for others. */
export const unreadKind = (name: string, head: Buffer): string | undefined => {
  const bytes = head.toString('hex', 0, 4)
  const start = Object.keys(CONTENTS.starts).find((other) => bytes.startsWith(other))
  if (start) return CONTENTS.starts[start]
  const text = head.toString('latin1', 0, MAX_MARKUP).toLowerCase()
  const part = Object.keys(CONTENTS.texts).find((other) => text.includes(other))
  if (part && /^[^a-z0-9]*</.test(text)) return CONTENTS.texts[part]
  const ending = Object.keys(CONTENTS.endings).find((other) => name.toLowerCase().endsWith(`.${other}`))
  return ending && CONTENTS.endings[ending]
}

/** Why a file is not read whose name says no format: what its content shows. */
export const unnamedProblem = (name: string, head: Buffer): string => {
  const { format, columns } = sniff(name, head)
  if (format === null || columns.length < 2 || isBinary(decodeHead(head).text)) return UNKNOWN_FORMAT
  return `it is ${CONTENTS.names[format]}, which its name does not say; rename it to end in .${format}`
}

/** Why a file cannot be read as its name says, by its first bytes and what they show; null if it can. */
export const textProblem = (
  name: string,
  head: Buffer,
  { format, columns, start, encoding }: Sniffed,
): string | null => {
  const kind = unreadKind(name, head)
  if (kind) return `it is ${kind}`
  if (encoding === 'utf-16' && head[0] === 0)
    return 'it is big-endian UTF-16 without a byte order mark; convert it to UTF-8'
  const expected = formatByName(name)!
  if (format === null) return 'it has only white space'
  if (isBinary(decodeHead(head).text)) return `expected ${CONTENTS.names[expected]}, got binary data`
  // JSON lines are read under either name.
  if (format !== expected && !(format === 'jsonl' && expected === 'json'))
    return `it is ${CONTENTS.names[format]}, but its name says ${CONTENTS.names[expected]}; rename it to end in .${format}`
  if (columns.length === 0)
    return format === 'csv' ? 'it has no columns' : 'it has no list of records, such as an array of objects'
  const isEmpty = start && start.header_rows > 0 && columns.every(({ values }) => values.length === 0)
  return isEmpty ? 'it has a header and no rows' : null
}
