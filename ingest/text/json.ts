import { StringDecoder } from 'node:string_decoder'
import { readJson } from '../../engine/index.ts'
import { Copy } from './copy.ts'
import { ArraySplitter } from './json-array.ts'
import { documentError, parseJson, readDocument } from './json-document.ts'
import { describe, type JsonPath, parseJsonPath, recordsAt, suggestPath } from './json-path.ts'
import { CHUNK_BYTES, MAX_LINE_BYTES } from './limits.ts'
import { scanJsonLines } from './scan.ts'
import { openText } from './source.ts'
import { LineTally } from './tally.ts'
import type { ScannedJson, ScannedText, TextOptions, TextSink } from './types.ts'
import { TextWindow } from './window.ts'
import { splitXml } from './xml.ts'

type SplitContext = { window: TextWindow; copy: Copy; tally: LineTally; options: TextOptions }

const MAX_NAMED = 8
const FLUSH_RECORDS = 5000

const withFileName = <T>(name: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw documentError(name, error instanceof Error ? error.message : String(error))
  }
}

/** The kind of a file by its start: an array, one object per line, another value, or nothing. */
const detect = async (window: TextWindow, max_line_bytes: number): Promise<'array' | 'lines' | 'other' | 'empty'> => {
  do await window.fill()
  while (!window.isEnd && window.size <= max_line_bytes)
  const text = window.bytes.toString('utf8', window.start, window.end).replace(/^[ \t\r\n]+/, '')
  if (text === '') return 'empty'
  if (text.startsWith('[')) return 'array'
  const lineEnd = text.search(/[\n\r]/)
  if (lineEnd < 0 || text.slice(lineEnd).trim() === '') return 'other'
  const first = readJson(text.slice(0, lineEnd))
  return typeof first === 'object' && first !== null ? 'lines' : 'other'
}

/** Describes a document that is not an array, and suggests a path to its records. */
const describeDocument = async (path: string, options: TextOptions): Promise<string> => {
  const document = await readDocument(path, options)
  if (typeof document !== 'object' || document === null)
    return `it is ${describe(document)}; expected an array of records`
  const members = Object.entries(document)
  const described = members.slice(0, MAX_NAMED).map(([name, member]) => `${name} (${describe(member)})`)
  const others = members.length > MAX_NAMED ? ` and ${members.length - MAX_NAMED} others` : ''
  return `it is one JSON object, with ${described.join(', ') || 'no members'}${others}; add the path of its records to its mapping as json_path, such as "${suggestPath(document)}"`
}

const splitByPath = async (path: string, steps: JsonPath, { copy, tally, options }: SplitContext): Promise<void> => {
  const { name, max_line_bytes = MAX_LINE_BYTES } = options
  const records = recordsAt(await readDocument(path, options), steps)
  for (;;) {
    const { value, done } = withFileName(name, () => records.next())
    if (done) return
    const line = Buffer.from(JSON.stringify(value))
    if (line.length > max_line_bytes) tally.reject('ROW_TOO_LONG', line)
    else {
      copy.put(`${line.toString('latin1')}\n`)
      tally.keep(1)
    }
    if (tally.lines % FLUSH_RECORDS === 0) await copy.flush()
  }
}

/** The records that a path leads to in a line of JSON; null if the line is malformed or does not match. */
const recordsOfLine = (line: string, steps: JsonPath): unknown[] | null => {
  try {
    return [...recordsAt(parseJson(line), steps)]
  } catch {
    return null
  }
}

/** Writes the records in each line of a file to the copy. A line that does not match is rejected. */
const splitLines = async (path: string, steps: JsonPath, { copy, tally, options }: SplitContext): Promise<void> => {
  const { max_line_bytes = MAX_LINE_BYTES } = options
  for await (const line of linesOf(path, options)) {
    if (line.trim() === '') continue
    const records = line.length > max_line_bytes ? null : recordsOfLine(line, steps)
    if (records === null)
      tally.reject(line.length > max_line_bytes ? 'ROW_TOO_LONG' : 'ROW_MALFORMED', Buffer.from(line))
    for (const record of records ?? []) {
      copy.put(`${Buffer.from(JSON.stringify(record)).toString('latin1')}\n`)
      tally.keep(1)
    }
    if (tally.lines % FLUSH_RECORDS === 0) await copy.flush()
  }
}

/** The lines of a text. A line that is too long is cut. */
const linesOf = async function* (path: string, options: TextOptions): AsyncGenerator<string> {
  const { max_line_bytes = MAX_LINE_BYTES } = options
  const source = await openText(path, options)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const chunk of source.chunks) {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop()!.slice(0, max_line_bytes + 1)
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    await source.close()
  }
}

/** Writes the records of a document to the copy. False if the file is JSON lines. */
const split = async (path: string, steps: JsonPath | null, context: SplitContext): Promise<boolean> => {
  const { window, copy, tally, options } = context
  const { name, max_line_bytes = MAX_LINE_BYTES } = options
  const kind = await detect(window, max_line_bytes)
  if (steps) {
    await (kind === 'lines' ? splitLines : splitByPath)(path, steps, context)
    return true
  }
  if (kind === 'lines') return false
  if (kind === 'empty') throw documentError(name, 'the file is empty; expected an array of records')
  if (kind === 'other') throw documentError(name, await describeDocument(path, options))
  await new ArraySplitter({ window, copy, tally, name, max_line_bytes }).run()
  return true
}

/**
 * Converts a JSON document to JSON lines: the elements of an array, or the records that `json_path` leads to, such as
 * `data.items[]`, `items[].history[]`, `{sku}.price_records[].{time}` or `data.<>` (see recordsAt). Counts and the sink's lines
 * refer to records of the document. A file with one object per line is scanned as JSON lines. INVALID_PARAMS, naming
 * the file: a document that is truncated or malformed, or not an array and without a path; a path that does not match;
 * with a path, a document larger than MAX_DOCUMENT_BYTES.
 */
export const splitJson = (
  path: string,
  { json_path, ...options }: TextOptions & { json_path?: string | undefined },
  sink: TextSink,
): Promise<ScannedJson | ScannedText> => {
  const steps = json_path === undefined ? null : withFileName(options.name, () => parseJsonPath(json_path))
  return splitDocument(path, options, sink, (context) => split(path, steps, context))
}

/** Converts an XML document to JSON lines: its elements `record`, by default those that repeat most, until `max_records`. */
export const scanXml = (
  path: string,
  { record, max_records, ...options }: TextOptions & { record?: string | undefined; max_records?: number | undefined },
  sink: TextSink,
): Promise<ScannedJson | ScannedText> =>
  splitDocument(path, options, sink, async (context) => {
    await splitXml(path, { record, max_records }, context)
    return true
  })

/** Writes the records of a document as lines by `write`, which returns false if the file is JSON lines already. */
const splitDocument = async (
  path: string,
  options: TextOptions,
  sink: TextSink,
  write: (context: SplitContext) => Promise<boolean>,
): Promise<ScannedJson | ScannedText> => {
  const { folder, chunk_bytes = CHUNK_BYTES, max_line_bytes = MAX_LINE_BYTES } = options
  const source = await openText(path, options)
  const window = new TextWindow(source.chunks, chunk_bytes, max_line_bytes)
  const copy = new Copy(folder, window.bytes, null)
  const tally = new LineTally(sink)
  try {
    if (!(await write({ window, copy, tally, options }))) {
      await copy.abort()
      return await scanJsonLines(path, options, sink)
    }
    const file = await copy.finish()
    return { ...file, encoding: source.encoding, newline: '\n', ...tally.counts(), lines: null }
  } catch (error) {
    await copy.abort()
    throw error
  } finally {
    await source.close()
  }
}
