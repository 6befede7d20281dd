import { readJson } from '../../engine/index.ts'
import { Copy } from './copy.ts'
import { ArraySplitter } from './json-array.ts'
import { documentError, readDocument } from './json-document.ts'
import { describe, type JsonPath, parseJsonPath, recordsAt, suggestPath } from './json-path.ts'
import { CHUNK_BYTES, MAX_LINE_BYTES } from './limits.ts'
import { scanJsonLines } from './scan.ts'
import { openText } from './source.ts'
import { LineTally } from './tally.ts'
import type { ScannedJson, ScannedText, TextOptions, TextSink } from './types.ts'
import { TextWindow } from './window.ts'

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

/** Writes the records of a document to the copy. False if the file is JSON lines. */
const split = async (path: string, steps: JsonPath | null, context: SplitContext): Promise<boolean> => {
  const { window, copy, tally, options } = context
  const { name, max_line_bytes = MAX_LINE_BYTES } = options
  if (steps) {
    await splitByPath(path, steps, context)
    return true
  }
  const kind = await detect(window, max_line_bytes)
  if (kind === 'lines') return false
  if (kind === 'empty') throw documentError(name, 'the file is empty; expected an array of records')
  if (kind === 'other') throw documentError(name, await describeDocument(path, options))
  await new ArraySplitter({ window, copy, tally, name, max_line_bytes }).run()
  return true
}

/**
 * Converts a JSON document to JSON lines: the elements of an array, or the records that `json_path` leads to, such as
 * `data.items[]`, `items[].history[]` or `{sku}.price_records[].{time}` (see recordsAt). Counts and the sink's lines
 * refer to records of the document. A file with one object per line is scanned as JSON lines. INVALID_PARAMS, naming
 * the file: a document that is truncated or malformed, or not an array and without a path; a path that does not match;
 * with a path, a document larger than MAX_DOCUMENT_BYTES.
 */
export const splitJson = async (
  path: string,
  { json_path, ...options }: TextOptions & { json_path?: string | undefined },
  sink: TextSink,
): Promise<ScannedJson | ScannedText> => {
  const { folder, name, chunk_bytes = CHUNK_BYTES, max_line_bytes = MAX_LINE_BYTES } = options
  const steps = json_path === undefined ? null : withFileName(name, () => parseJsonPath(json_path))
  const source = await openText(path, options)
  const window = new TextWindow(source.chunks, chunk_bytes, max_line_bytes)
  const copy = new Copy(folder, window.bytes, null)
  const tally = new LineTally(sink)
  try {
    if (!(await split(path, steps, { window, copy, tally, options }))) {
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
