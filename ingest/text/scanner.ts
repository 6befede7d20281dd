import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../engine/index.ts'
import type { Copy } from './copy.ts'
import { type Dialect, LF } from './dialect.ts'
import { fieldTexts, rewriteRecord } from './fields.ts'
import { MAX_LINE_BYTES } from './limits.ts'
import { RecordReader } from './record-reader.ts'
import { SimpleLines } from './simple-lines.ts'
import type { LineTally } from './tally.ts'
import type { RejectCode } from './types.ts'
import type { TextWindow } from './window.ts'

type ScannerParts = {
  window: TextWindow
  /** `fields` is 0 if the first non-blank line is a header, which sets it. */
  dialect: Dialect
  copy: Copy
  tally: LineTally
  name: string
  heading?: Heading | undefined
}

/** Where the names of columns stand. */
export type Heading = {
  /** Lines above the header, such as a title. */
  skip_rows: number
  /** Rows of the header, whose names are joined by column; without any the columns are `column1`, `column2` ... */
  header_rows: number
}

const ONE_ROW: Heading = { skip_rows: 0, header_rows: 1 }

/** Limits of text that is read twice: a file of unclosed quotes would take excessive time. */
const MAX_REREAD_BYTES = 64 * 1024 * 1024
const MAX_REREAD_SHARE = 16

const HEADER_FAULTS: Readonly<Record<RejectCode, string>> = {
  ROW_MALFORMED:
    'text follows a closing quote, or the line has a NUL; if the file is utf-16, add its encoding to its mapping',
  ROW_TOO_LONG: `the line is longer than ${MAX_LINE_BYTES} bytes`,
  QUOTE_UNCLOSED: 'a quote opens and does not close',
  ENCODING_INVALID: 'the line is not UTF-8; add the encoding of the file to its mapping',
}

/** The names of columns by rows of a header; a name stands for the empty columns after it, except in the last row. */
export const joinHeaders = (rows: readonly (readonly string[])[]): string[] => {
  const width = Math.max(...rows.map(({ length }) => length))
  const filled = rows.map((row, place) => {
    let last = ''
    return Array.from({ length: width }, (_, index) => {
      const name = (row[index] ?? '').trim()
      last = name === '' && place < rows.length - 1 ? last : name
      return last
    })
  })
  return Array.from({ length: width }, (_, index) =>
    [...new Set(filled.map((row) => row[index]!).filter((name) => name !== ''))].join(' '),
  )
}

/** Scans a text once: keeps the lines that the reader can read, repairs others if possible, and rejects the rest. */
export class Scanner {
  /** The header's fields; empty if there is none. */
  header: string[] = []
  readonly #window: TextWindow
  readonly #copy: Copy
  readonly #tally: LineTally
  readonly #name: string
  readonly #simple: SimpleLines
  readonly #reader: RecordReader
  #skip_rows: number
  readonly #header_rows: number
  #rows: string[][] = []
  #scanned_bytes = 0
  #reread_bytes = 0

  constructor({ window, dialect, copy, tally, name, heading = ONE_ROW }: ScannerParts) {
    this.#window = window
    this.#copy = copy
    this.#tally = tally
    this.#name = name
    this.#skip_rows = heading.skip_rows
    this.#header_rows = heading.header_rows
    this.#simple = new SimpleLines(window.bytes, window.words)
    this.#reader = new RecordReader(window.bytes, dialect)
  }

  get #needsHeader(): boolean {
    return this.#reader.dialect.fields === 0
  }

  /** Scans to the end of the text. INVALID_PARAMS: no header, or ambiguous quotes. */
  async run(): Promise<void> {
    const window = this.#window
    while (!window.isEnd || window.size > 0) {
      const { start, end } = window
      const lastEnd = window.bytes.subarray(start, end).lastIndexOf(LF) + 1
      if (window.isEnd || lastEnd > 0) this.#scan(window.isEnd ? end : start + lastEnd)
      else if (window.size > this.#reader.dialect.max_line_bytes) await this.#skipLine()
      this.#scanned_bytes += window.start - start
      await this.#copy.flush()
      if (!window.isEnd) await window.fill()
    }
    if (this.#needsHeader) throw this.#refusal('the file is empty; its first line must be a header')
  }

  /** Scans the lines before `to`, except those of a record that may continue after them. */
  #scan(to: number): void {
    const window = this.#window
    const lines = window.bytes.subarray(window.start, to)
    const isValid = isUtf8(lines) && !lines.includes(0)
    const { max_line_bytes } = this.#reader.dialect
    this.#simple.reset()
    for (; this.#skip_rows > 0 && window.start < to; this.#skip_rows--) this.#skipTitle(to)
    while (window.start < to) {
      // A line after one with quotes is likely to have quotes too.
      if (isValid && !this.#needsHeader && !this.#reader.hasQuote) this.#takeSimpleLines(to)
      if (window.start >= to) break
      const isWhole = window.isEnd || window.size > max_line_bytes
      if (!this.#takeNext({ to, isValid, isWhole })) break
    }
  }

  /** Skips a line above the header, whatever it has. */
  #skipTitle(to: number): void {
    const end = this.#window.bytes.subarray(this.#window.start, to).indexOf(LF)
    this.#window.start = end < 0 ? to : this.#window.start + end + 1
    this.#copy.drop()
    this.#tally.header(1)
  }

  #takeSimpleLines(to: number): void {
    const { start } = this.#window
    const next = this.#simple.skip(start, to, this.#reader.dialect)
    this.#copy.keep(start, next)
    this.#tally.keep(this.#simple.lines)
    this.#window.start = next
  }

  /** Takes the record or line at the window's start. False if the record may continue after the text in memory. */
  #takeNext(range: { to: number; isValid: boolean; isWhole: boolean }): boolean {
    const reader = this.#reader
    const { start } = this.#window
    const kind = reader.read(start, range)
    if (kind === 'more') return false
    if (kind === 'undecidable') {
      const last = this.#tally.lines + reader.lines
      throw this.#refusal(
        `a quote opens here and closes in line ${last}, and lines between look like records; close or double the quote`,
      )
    }
    if (kind === 'record' && this.#needsHeader) this.#takeHeader()
    else if (kind === 'record') this.#keep()
    else if (kind === 'blank') {
      this.#copy.drop()
      this.#tally.blank()
    } else this.#reject(kind)
    this.#window.start = reader.next
    return true
  }

  #keep(): void {
    this.#write(this.#reader.isPlain)
    this.#tally.keep(1, this.#reader.lines - 1)
  }

  /** Takes a row of the header, which is written as one line, since the reader skips it. */
  #takeHeader(): void {
    const reader = this.#reader
    const { dialect, textEnd, lines } = reader
    const names = fieldTexts(this.#window.bytes.subarray(this.#window.start, textEnd), dialect)
    if (this.#header_rows === 1) {
      this.header = names
      reader.dialect = { ...dialect, fields: names.length }
      this.#write(reader.isPlain && lines === 1)
      this.#tally.header(lines)
      return
    }
    if (this.#header_rows === 0) {
      this.#putHeader(names.map((_, index) => `column${index + 1}`))
      this.#keep()
      return
    }
    this.#rows.push(names)
    this.#copy.drop()
    this.#tally.header(lines)
    if (this.#rows.length === this.#header_rows) this.#putHeader(joinHeaders(this.#rows))
  }

  /** Writes a header that the file does not have as a line. */
  #putHeader(names: string[]): void {
    const { dialect } = this.#reader
    const delimiter = String.fromCharCode(dialect.delimiter)
    this.header = names
    this.#reader.dialect = { ...dialect, fields: names.length }
    // The reader takes the names from the mapping, not from this line.
    this.#copy.put(`${names.map((_, index) => `c${index}`).join(delimiter)}${dialect.isCrlf ? '\r\n' : '\n'}`)
  }

  /** Writes the record, unchanged or rewritten, with the same line ending as the others. */
  #write(isPlain: boolean): void {
    const { dialect, textEnd, end, next } = this.#reader
    const { bytes, start } = this.#window
    const isLast = end === next
    const returns = end - textEnd
    if (isPlain && returns === (dialect.isCrlf && !isLast ? 1 : 0)) this.#copy.keep(start, next)
    else {
      if (isPlain) this.#copy.keep(start, textEnd)
      else this.#copy.put(rewriteRecord(bytes.subarray(start, textEnd), dialect))
      this.#copy.put(dialect.isCrlf ? '\r\n' : '\n')
    }
  }

  #reject(code: RejectCode): void {
    const { textEnd, next, searched } = this.#reader
    const { bytes, start } = this.#window
    if (this.#needsHeader) throw this.#refusal(`${HEADER_FAULTS[code]}; this line must be the header`)
    if (code === 'QUOTE_UNCLOSED') this.#reread_bytes += searched - next
    if (this.#reread_bytes > MAX_REREAD_BYTES + MAX_REREAD_SHARE * this.#scanned_bytes)
      throw this.#refusal(
        'too many quotes before this line open and do not close; check the delimiter and the quotes of the file',
      )
    this.#copy.drop()
    this.#tally.reject(code, bytes.subarray(start, textEnd))
  }

  /** Skips a line that is too long to be in memory. */
  async #skipLine(): Promise<void> {
    const window = this.#window
    if (this.#needsHeader) throw this.#refusal(`${HEADER_FAULTS.ROW_TOO_LONG}; this line must be the header`)
    this.#tally.reject('ROW_TOO_LONG', window.bytes.subarray(window.start, window.end))
    this.#copy.drop()
    for (let end = -1; end < 0; ) {
      end = window.bytes.subarray(window.start, window.end).indexOf(LF)
      window.start = end < 0 ? window.end : window.start + end + 1
      if (end >= 0 || window.isEnd) break
      await window.fill()
    }
  }

  /** Refuses the file because of the current line. */
  #refusal(reason: string): EngineError {
    const line = this.#tally.lines + 1
    return new EngineError('INVALID_PARAMS', `${this.#name}, line ${line}: ${reason}`, { file: this.#name, line })
  }
}
