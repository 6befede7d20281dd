import type { RejectCode, TextSink } from './types.ts'

const MAX_TEXT = 500
// The longest characters take four bytes.
const MAX_TEXT_BYTES = 4 * MAX_TEXT

/** Counts the lines of a text by outcome, and reports rejected ones. */
export class LineTally {
  lines = 0
  header_lines = 0
  blank_lines = 0
  continuation_lines = 0
  records = 0
  rejected = 0
  readonly #sink: TextSink
  #offset = 0

  constructor(sink: TextSink) {
    this.#sink = sink
  }

  /** Records of one line each, or one record of several lines. */
  keep(records: number, continuation_lines = 0): void {
    if (records === 0) return
    if (this.lines - this.records !== this.#offset) {
      this.#offset = this.lines - this.records
      this.#sink.shifted(this.records, this.#offset)
    }
    this.records += records
    this.continuation_lines += continuation_lines
    this.lines += records + continuation_lines
  }

  blank(): void {
    this.blank_lines++
    this.lines++
  }

  header(lines: number): void {
    this.header_lines += lines
    this.lines += lines
  }

  /** A rejected line. `bytes` are at least its first 2000. */
  reject(code: RejectCode, bytes: Buffer): void {
    this.lines++
    this.rejected++
    const text = bytes.subarray(0, MAX_TEXT_BYTES).toString()
    this.#sink.rejected(this.lines, code, text.length > MAX_TEXT ? Array.from(text).slice(0, MAX_TEXT).join('') : text)
  }

  /** The counts. Throws if they do not add up. */
  counts() {
    const { lines, header_lines, blank_lines, continuation_lines, records, rejected } = this
    if (lines !== header_lines + records + rejected + continuation_lines + blank_lines)
      throw new Error(`${lines} lines are not the sum of ${JSON.stringify({ ...this, lines: undefined })}`)
    return { lines, header_lines, blank_lines, continuation_lines, records, rejected }
  }
}
