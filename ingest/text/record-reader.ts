import { isUtf8 } from 'node:buffer'
import { type Dialect, SPACE, TAB } from './dialect.ts'
import { LineParser } from './line-parser.ts'
import type { RejectCode } from './types.ts'

/**
 * What starts at a position: a record, a blank line, a line to reject, or (`more`) a record that may continue after the
 * text in memory. `undecidable` is a record of several lines, one of which looks like a separate record.
 */
export type RecordKind = 'record' | 'blank' | 'more' | 'undecidable' | RejectCode

/**
 * A range of text up to `to`, where a line ends. Valid: it is UTF-8 without a NUL. Whole: a record that starts at the
 * current position does not continue after it.
 */
export type TextRange = { to: number; isValid: boolean; isWhole: boolean }

/** Reads a text record by record. A rejected line is always a single line. */
export class RecordReader {
  /** `fields` is 0 for the header, which may have any number. */
  dialect: Dialect
  /** The end of the record's text, its line feed, and the start of the next one. CRs may precede the line feed. */
  textEnd = 0
  end = 0
  next = 0
  lines = 1
  /** Whether all readers read the record alike. If not, it has to be rewritten. */
  isPlain = true
  /** The end of the search for a closing quote. */
  searched = 0
  readonly #bytes: Buffer
  readonly #parser: LineParser

  constructor(bytes: Buffer, dialect: Dialect) {
    this.#bytes = bytes
    this.#parser = new LineParser(bytes)
    this.dialect = dialect
  }

  /** Whether the last line has a quote. */
  get hasQuote(): boolean {
    return this.#parser.hasQuote
  }

  /** Reads the record or line that starts at `at`. */
  read(start: number, range: TextRange): RecordKind {
    const parser = this.#parser
    const ending = parser.read(start, range.to, false, this.dialect)
    this.#take(1, parser.isPlain)
    if (parser.end - start > this.dialect.max_line_bytes) return 'ROW_TOO_LONG'
    const fault = range.isValid ? null : this.#fault(start)
    if (fault) return fault
    if (ending === 'open') return this.#readContinuation(start, range)
    if (ending === 'bad') return 'ROW_MALFORMED'
    if (this.#isBlank(start)) return 'blank'
    return this.#accept(parser.fields, 1, parser.isPlain) ? 'record' : 'ROW_MALFORMED'
  }

  /** Reads the rest of a record whose first line ends within quotes. */
  #readContinuation(first: number, { to, isValid, isWhole }: TextRange): RecordKind {
    const parser = this.#parser
    const { fields, max_line_bytes } = this.dialect
    const second = parser.next
    let { next: start, fields: count, isPlain } = parser
    for (let lines = 2; ; lines++, start = parser.next) {
      this.searched = start
      if (start >= to) return isWhole ? 'QUOTE_UNCLOSED' : 'more'
      const ending = parser.read(start, to, true, this.dialect)
      count += parser.fields
      isPlain &&= parser.isPlain
      const isTooLarge = parser.end - first > max_line_bytes || (fields > 0 && count > fields + 1)
      if (ending === 'bad' || isTooLarge || (!isValid && this.#fault(start))) return 'QUOTE_UNCLOSED'
      if (ending === 'open') continue
      if (!this.#accept(count, lines, isPlain)) return 'QUOTE_UNCLOSED'
      const isDoubtful = fields > 0 ? this.#hasRecord(second, start, fields) : this.#isDoubtfulHeader(second, count)
      return isDoubtful ? 'undecidable' : 'record'
    }
  }

  /** Accepts the last parsed lines as a record, if they have as many fields as the header. */
  #accept(count: number, lines: number, isPlain: boolean): boolean {
    const { fields, quote } = this.dialect
    // Some programs write a delimiter after the last field too.
    const hasExtra = fields > 0 && count === fields + 1 && this.#parser.isLastEmpty && quote !== 0
    if (fields > 0 && count !== fields && !hasExtra) return false
    this.#take(lines, isPlain && !hasExtra)
    return true
  }

  #take(lines: number, isPlain: boolean): void {
    this.textEnd = this.#parser.textEnd
    this.end = this.#parser.end
    this.next = this.#parser.next
    this.lines = lines
    this.isPlain = isPlain
  }

  /** Whether one of these lines is a record by itself. With a single field that would prove nothing. */
  #hasRecord(from: number, to: number, fields: number): boolean {
    if (fields < 2) return false
    for (let position = from; position < to; position = this.#parser.next)
      if (this.#parser.read(position, to, false, this.dialect) === 'closed' && this.#parser.fields === fields)
        return true
    return false
  }

  /** A header of several lines is rare, and a stray quote in it would silently swallow records. */
  #isDoubtfulHeader(second: number, fields: number): boolean {
    return fields < 2 || this.#hasRecord(second, this.next, fields)
  }

  /** The fault in the bytes of the last parsed line. */
  #fault(start: number): RejectCode | null {
    const line = this.#bytes.subarray(start, this.#parser.end)
    if (!isUtf8(line)) return 'ENCODING_INVALID'
    return line.includes(0) ? 'ROW_MALFORMED' : null
  }

  #isBlank(start: number): boolean {
    const { delimiter } = this.dialect
    let position = start
    for (; position < this.textEnd; position++) {
      const byte = this.#bytes[position]
      if (byte === delimiter || (byte !== SPACE && byte !== TAB)) return false
    }
    return true
  }
}
