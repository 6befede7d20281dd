import { EngineError } from '../../engine/index.ts'
import { Copy } from './copy.ts'
import { CR, type Dialect, LF, QUOTE } from './dialect.ts'
import { CHUNK_BYTES, MAX_LINE_BYTES } from './limits.ts'
import { type Heading, Scanner } from './scanner.ts'
import { openText, type TextSource } from './source.ts'
import { LineTally } from './tally.ts'
import type { ScannedCsv, ScannedText, TextOptions, TextSink } from './types.ts'
import { TextWindow } from './window.ts'

/** Whether a file has a line feed anywhere. */
const hasLineFeed = async (path: string, options: TextOptions): Promise<boolean> => {
  const source = await openText(path, options)
  try {
    for await (const chunk of source.chunks) if (chunk.includes(LF)) return true
    return false
  } finally {
    await source.close()
  }
}

const withLineFeeds = async function* (chunks: TextSource['chunks']): TextSource['chunks'] {
  for await (const chunk of chunks) {
    const text = Buffer.from(chunk)
    for (let position = text.indexOf(CR); position >= 0; position = text.indexOf(CR, position + 1)) text[position] = LF
    yield text
  }
}

const MARKED_LINE = Buffer.from('\n\ufeff')

/** The chunks without the byte order marks at which lines begin, as in files that were joined. */
const withoutMarks = async function* (chunks: TextSource['chunks']): TextSource['chunks'] {
  const plain = (bytes: Buffer) =>
    bytes.includes(MARKED_LINE)
      ? Buffer.from(bytes.toString('latin1').replaceAll(MARKED_LINE.toString('latin1'), '\n'), 'latin1')
      : bytes
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    // What may be the first bytes of a mark waits for the others.
    const last = bytes.lastIndexOf(LF)
    const end = last >= 0 && bytes.length - last < MARKED_LINE.length ? last : bytes.length
    rest = Buffer.from(bytes.subarray(end))
    yield plain(bytes.subarray(0, end))
  }
  yield rest
}

type Opened = { source: TextSource; window: TextWindow; isCrlf: boolean }

const openWindow = async (source: TextSource, chunks: TextSource['chunks'], options: TextOptions): Promise<Opened> => {
  const { chunk_bytes = CHUNK_BYTES, max_line_bytes = MAX_LINE_BYTES } = options
  const window = new TextWindow(chunks, chunk_bytes, max_line_bytes)
  let end = -1
  for (
    ;
    end < 0 && !window.isEnd && window.size <= max_line_bytes;
    end = window.bytes.subarray(0, window.end).indexOf(LF)
  )
    await window.fill()
  return { source, window, isCrlf: end > 0 && window.bytes[end - 1] === CR }
}

/**
 * Opens a file and reads its first line. In a file without a line feed, CR ends lines and is replaced by a line feed.
 */
const openLines = async (path: string, options: TextOptions, quote: number): Promise<Opened> => {
  const source = await openText(path, options)
  // DuckDB takes a mark for a part of the first record of JSON.
  if (quote === 0 && source.mark > 0)
    return openWindow({ ...source, isPlain: false }, withoutMarks(source.chunks), options)
  const opened = await openWindow(source, source.chunks, options)
  const { bytes, end } = opened.window
  const start = bytes.subarray(0, end)
  if (start.includes(LF) || !start.includes(CR) || (await hasLineFeed(path, options))) return opened
  await source.close()
  const again = await openText(path, options)
  return openWindow({ ...again, isPlain: false }, withLineFeeds(again.chunks), options)
}

/** Characters that make DuckDB treat a path as a glob, which may match other files. */
const GLOB_CHARACTERS = /[*?[]/

const scan = async (
  path: string,
  dialect: Pick<Dialect, 'delimiter' | 'quote' | 'fields'>,
  options: TextOptions & { heading?: Heading | undefined },
  sink: TextSink,
): Promise<ScannedCsv> => {
  const { source, window, isCrlf } = await openLines(path, options, dialect.quote)
  const { folder, name, heading, max_line_bytes = MAX_LINE_BYTES } = options
  const isReadable = source.isPlain && !GLOB_CHARACTERS.test(path)
  const copy = new Copy(folder, window.bytes, isReadable ? { path, mark: source.mark } : null)
  const tally = new LineTally(sink)
  try {
    const scanner = new Scanner({ window, dialect: { ...dialect, isCrlf, max_line_bytes }, copy, tally, name, heading })
    await scanner.run()
    const file = await copy.finish()
    return {
      ...file,
      encoding: source.encoding,
      newline: isCrlf ? '\r\n' : '\n',
      ...tally.counts(),
      header: scanner.header,
    }
  } catch (error) {
    await copy.abort()
    throw error
  } finally {
    await source.close()
  }
}

/**
 * Scans a delimited file, whose header is its first non-blank line unless `heading` says otherwise. Records must have as
 * many fields.
 * INVALID_PARAMS, naming file and line: no header, a corrupt file, or ambiguous quotes.
 */
export const scanCsv = async (
  path: string,
  { delimiter, ...options }: TextOptions & { delimiter: string; heading?: Heading | undefined },
  sink: TextSink,
): Promise<ScannedCsv> => {
  if (!/^[^\0\n\r"\x80-\uffff]$/.test(delimiter)) {
    const message = `${options.name}: the delimiter must be one ASCII character other than a quote or the end of a line`
    throw new EngineError('INVALID_PARAMS', message, { file: options.name })
  }
  return scan(path, { delimiter: delimiter.charCodeAt(0), quote: QUOTE, fields: 0 }, options, sink)
}

/** A character that no line of JSON has: the delimiter for a reader that reads each line as one field. */
export const NO_DELIMITER = '\x01'

/**
 * Scans a file with one JSON object per line. Lines are not checked to be valid JSON. INVALID_PARAMS, naming the file,
 * if it is corrupt.
 */
export const scanJsonLines = async (path: string, options: TextOptions, sink: TextSink): Promise<ScannedText> => {
  const dialect = { delimiter: NO_DELIMITER.charCodeAt(0), quote: 0, fields: 1 }
  const { header: _, ...scanned } = await scan(path, dialect, options, sink)
  return scanned
}
