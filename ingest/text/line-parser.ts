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
    let position = from
    for (;;) {
      if (!isQuoted) {
        position = start
        while (position < to && (bytes[position] === space || bytes[position] === CR)) position++
        isQuoted = position < to && bytes[position] === quote
        if (isQuoted) this.hasQuote = true
        if (isQuoted && position > start) this.isPlain = false
        position = isQuoted ? position + 1 : start
      }
      position = isQuoted ? this.#closingQuote(position, to, quote) : this.#endOfText(position, to, delimiter, quote)
      if (position < 0) return 'open'
      if (isQuoted) {
        for (position++; position < to && (bytes[position] === space || bytes[position] === CR); position++) {
          if (bytes[position] === CR) this.#returns++
          else this.isPlain = false
        }
      }
      this.fields++
      if (position >= to || bytes[position] === LF) {
        this.#end(position, to)
        this.isLastEmpty = !isQuoted && this.textEnd <= start
        return 'closed'
      }
      if (bytes[position] !== delimiter) {
        this.#end(this.#lineFeed(position, to), to)
        return 'bad'
      }
      start = position + 1
      isQuoted = false
    }
  }

  /** The closing quote of the field, or -1 if the line ends first. */
  #closingQuote(from: number, to: number, quote: number): number {
    const bytes = this.#bytes
    for (let position = from; position < to; position++) {
      const byte = bytes[position]!
      if (byte === quote) {
        if (position + 1 >= to || bytes[position + 1] !== quote) return position
        position++
      } else if (byte === LF) {
        this.#end(position, to)
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
    let position = from
    for (; position < to; position++) {
      const byte = bytes[position]!
      if (byte === delimiter || byte === LF) break
      if (byte === quote) {
        this.isPlain = false
        this.hasQuote = true
      } else if (byte === CR) this.#returns++
    }
    return position
  }

  #lineFeed(from: number, to: number): number {
    let position = from
    while (position < to && this.#bytes[position] !== LF) position++
    return position
  }

  #end(position: number, to: number): void {
    let end = position
    while (end > 0 && this.#bytes[end - 1] === CR) end--
    if (this.#returns > position - end) this.isPlain = false
    this.textEnd = end
    this.end = position
    this.next = Math.min(position + 1, to)
  }
}
