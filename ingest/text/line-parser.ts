import { CR, type Dialect, LF, SPACE } from './dialect.ts'

/** How a line ends: after a field, within quotes, or bad: text follows a closing quote. */
export type LineEnd = 'closed' | 'open' | 'bad'

/**
 * Splits lines into fields, one line after the other. A field is quoted where a quote is its first character or follows
 * spaces alone; it ends with the next quote that is not doubled, and spaces may follow that. A quote elsewhere is text.
 * A CR that ends no line counts as a space.
 */
export class LineParser {
  /** Fields that end on the line. */
  fields = 0
  /** Whether the last of them is empty and not quoted. */
  isLastEmpty = false
  /** The end of the line's text, its line feed, and the start of the next line. CRs may precede the line feed. */
  textEnd = 0
  end = 0
  next = 0
  /** Whether all readers read the fields alike. */
  isPlain = true
  /** Whether the line has a quote, or starts within quotes. */
  hasQuote = false
  readonly #bytes: Buffer
  #returns = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Reads the line that starts at `from` and ends at `to` at the latest. `isOpen`: it starts within quotes. */
  read(from: number, to: number, isOpen: boolean, { delimiter, quote }: Dialect): LineEnd {
    const bytes = this.#bytes
    this.fields = 0
    this.isPlain = true
    this.hasQuote = isOpen
    this.#returns = 0
    const space = delimiter === SPACE ? CR : SPACE
    let start = from
    let isQuoted = isOpen
    let at = from
    for (;;) {
      if (!isQuoted) {
        at = start
        while (at < to && (bytes[at] === space || bytes[at] === CR)) at++
        isQuoted = at < to && bytes[at] === quote
        if (isQuoted) this.hasQuote = true
        if (isQuoted && at > start) this.isPlain = false
        at = isQuoted ? at + 1 : start
      }
      at = isQuoted ? this.#closingQuote(at, to, quote) : this.#endOfText(at, to, delimiter, quote)
      if (at < 0) return 'open'
      if (isQuoted) {
        for (at++; at < to && (bytes[at] === space || bytes[at] === CR); at++) {
          if (bytes[at] === CR) this.#returns++
          else this.isPlain = false
        }
      }
      this.fields++
      if (at >= to || bytes[at] === LF) {
        this.#end(at, to)
        this.isLastEmpty = !isQuoted && this.textEnd <= start
        return 'closed'
      }
      if (bytes[at] !== delimiter) {
        this.#end(this.#lineFeed(at, to), to)
        return 'bad'
      }
      start = at + 1
      isQuoted = false
    }
  }

  /** The closing quote of the field, or -1 if the line ends first. */
  #closingQuote(from: number, to: number, quote: number): number {
    const bytes = this.#bytes
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!
      if (byte === quote) {
        if (at + 1 >= to || bytes[at + 1] !== quote) return at
        at++
      } else if (byte === LF) {
        this.#end(at, to)
        if (this.end - this.textEnd > 1) this.isPlain = false
        return -1
      } else if (byte === CR) this.#returns++
    }
    this.#end(to, to)
    return -1
  }

  /** The end of a field without quotes. */
  #endOfText(from: number, to: number, delimiter: number, quote: number): number {
    const bytes = this.#bytes
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at]!
      if (byte === delimiter || byte === LF) break
      if (byte === quote) {
        this.isPlain = false
        this.hasQuote = true
      } else if (byte === CR) this.#returns++
    }
    return at
  }

  #lineFeed(from: number, to: number): number {
    let at = from
    while (at < to && this.#bytes[at] !== LF) at++
    return at
  }

  #end(at: number, to: number): void {
    let end = at
    while (end > 0 && this.#bytes[end - 1] === CR) end--
    if (this.#returns > at - end) this.isPlain = false
    this.textEnd = end
    this.end = at
    this.next = Math.min(at + 1, to)
  }
}
