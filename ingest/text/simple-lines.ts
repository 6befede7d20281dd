import { CR, type Dialect, LF, SPACE } from './dialect.ts'

const spread = (byte: number): number => Math.imul(byte, 0x01010101)

/** Counts the simple lines of a text: records of one line, without quotes, that need no repair. */
export class SimpleLines {
  /** The number of lines found by the last call. */
  lines = 0
  readonly #bytes: Buffer
  readonly #words: Int32Array
  /** The first quote after the last position, and the first delimiter or CR. */
  #quote = -1
  #special = -1

  /** `words` are the same bytes, four at a time. */
  constructor(bytes: Buffer, words: Int32Array) {
    this.#bytes = bytes
    this.#words = words
  }

  /**
   * Returns the start of the first line that is not simple or does not end before `to`. The last line before `to` may
   * count as not simple.
   */
  skip(from: number, to: number, dialect: Dialect): number {
    // A search may go far: its result is valid until it is passed.
    if (this.#quote < from) this.#quote = this.#find(dialect.quote, from, to)
    const end = Math.min(this.#quote, to)
    if (dialect.fields > 1 || dialect.isCrlf) return this.#skipUnquoted(from, end, dialect)
    if (this.#special < from)
      this.#special = Math.min(this.#find(dialect.delimiter, from, to), this.#find(CR, from, to))
    return this.#special < end ? this.#skipUnquoted(from, end, dialect) : this.#skipWhole(from, end, dialect)
  }

  /** Must be called when the bytes or their end have changed. */
  reset(): void {
    this.#quote = this.#special = -1
  }

  /** The position of a byte, or `to` if it does not occur before. */
  #find(byte: number, from: number, to: number): number {
    const offset = this.#bytes.subarray(from, to).indexOf(byte)
    return offset < 0 ? to : from + offset
  }

  /** Finds the ends of lines of one field each, without delimiter and CR. */
  #skipWhole(from: number, to: number, { max_line_bytes }: Dialect): number {
    const bytes = this.#bytes
    let start = from
    let lines = 0
    for (let lineFeed = bytes.indexOf(LF, start); lineFeed >= 0 && lineFeed < to; lineFeed = bytes.indexOf(LF, start)) {
      // A line of a single column may be blank.
      if (bytes[start]! <= SPACE || lineFeed - start > max_line_bytes) break
      lines++
      start = lineFeed + 1
    }
    this.lines = lines
    return start
  }

  /** Examines four bytes at a time, and single bytes only where a line may end, which makes clean files cheap. */
  #skipUnquoted(from: number, to: number, { delimiter, fields, isCrlf, max_line_bytes }: Dialect): number {
    const bytes = this.#bytes
    const words = this.#words
    const delimiters4 = spread(delimiter)
    const end = to >> 2
    let start = from
    let lines = 0
    let delimiters = 0
    let index = from >> 2
    // Bytes before `from` are masked by a byte that no text has. The first byte is the lowest on all machines DuckDB
    // runs on.
    let word = words[index]! | ~(-1 << (8 * (from & 3)))
    for (; index < end; word = words[++index]!) {
      const others = word ^ delimiters4
      // The high bit is set in each byte that is a delimiter; below, in any other byte under 14, such as CR and LF.
      const marks = ~(((others & 0x7f7f7f7f) + 0x7f7f7f7f) | others | 0x7f7f7f7f)
      if (((word - 0x0e0e0e0e) & ~word & ~marks & 0x80808080) === 0) {
        delimiters += Math.imul(marks >>> 7, 0x01010101) >>> 24
        continue
      }
      for (let position = Math.max(from, 4 * index); position < 4 * index + 4; position++) {
        const byte = bytes[position]
        if (byte === delimiter) delimiters++
        else if (byte === LF) {
          const isEnded = !isCrlf || (position > start && bytes[position - 1] === CR)
          // A line of a single column may be blank.
          const isRecord = delimiters === fields - 1 && (fields > 1 || bytes[start]! > SPACE)
          if (!isEnded || !isRecord || position - start > max_line_bytes) {
            this.lines = lines
            return start
          }
          lines++
          delimiters = 0
          start = position + 1
        } else if (byte === CR && !(isCrlf && position + 1 < to && bytes[position + 1] === LF)) {
          this.lines = lines
          return start
        }
      }
    }
    this.lines = lines
    return start
  }
}
