import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../engine/index.ts'
import type { Copy } from './copy.ts'
import { CR, LF, QUOTE, SPACE, TAB } from './dialect.ts'
import type { LineTally } from './tally.ts'
import type { TextWindow } from './window.ts'

const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
/** The bytes of a byte order mark, which some programs write before each element. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
/** A character of a number or a literal. */
const BARE = 0

const MAX_DEPTH = 1000
const MAX_TEXT_BYTES = 2000

type SplitterParts = { window: TextWindow; copy: Copy; tally: LineTally; name: string; max_line_bytes: number }

/**
 * Splits a JSON array into one line per element, without parsing them: brackets and strings show where an element ends.
 * If these are not balanced, or a comma is missing, no element is certain, and the file is refused.
 */
export class ArraySplitter {
  readonly #window: TextWindow
  readonly #bytes: Buffer
  readonly #copy: Copy
  readonly #tally: LineTally
  readonly #name: string
  readonly #max_line_bytes: number
  readonly #open = new Uint8Array(MAX_DEPTH)
  #depth = 0
  #isDone = false
  #isInString = false
  #isEscaped = false
  /** The last character other than white space, a quote after a string; and whether white space follows it. */
  #last = BARE
  #isAfterSpace = false
  /** The start of the element, or -1. */
  #start = -1
  /** The first bytes of an element that is too long to be kept in memory. */
  #long: Buffer | null = null
  /** Whether the element has a NUL or another control character that JSON does not allow. */
  #hasControl = false
  #line = 1

  constructor({ window, copy, tally, name, max_line_bytes }: SplitterParts) {
    this.#window = window
    this.#bytes = window.bytes
    this.#copy = copy
    this.#tally = tally
    this.#name = name
    this.#max_line_bytes = max_line_bytes
  }

  /**
   * Splits the text to its end. The tally counts elements as lines. INVALID_PARAMS if the array's structure is broken.
   */
  async run(): Promise<void> {
    const window = this.#window
    let position = window.start
    for (;;) {
      this.#scan(position, window.end)
      if (this.#start >= 0 && window.end - this.#start > this.#max_line_bytes) {
        this.#long = Buffer.from(this.#bytes.subarray(this.#start, this.#start + MAX_TEXT_BYTES))
        this.#start = -1
      }
      window.start = this.#start >= 0 ? this.#start : window.end
      await this.#copy.flush()
      if (window.isEnd) break
      const { start, end } = window
      await window.fill()
      position = end - start + window.start
      if (this.#start >= 0) this.#start = window.start
    }
    if (!this.#isDone) throw this.#truncated()
  }

  #scan(from: number, to: number): void {
    for (let position = from; position < to; ) {
      if (this.#isInString) position = this.#skipString(position, to)
      else {
        const byte = this.#bytes[position]!
        if (byte === SPACE || byte === TAB || byte === LF || byte === CR || BYTE_ORDER_MARK.includes(byte))
          this.#takeSpace(byte, position)
        else this.#take(byte, position)
        position++
      }
    }
  }

  /** An element becomes one line: its line breaks are replaced in memory, before it is written. */
  #takeSpace(byte: number, position: number): void {
    this.#isAfterSpace = true
    if (byte === LF) this.#line++
    if (this.#start >= 0 && byte !== TAB) this.#bytes[position] = SPACE
  }

  #skipString(from: number, to: number): number {
    const bytes = this.#bytes
    for (let position = from; position < to; position++) {
      const byte = bytes[position]!
      if (byte < SPACE) {
        this.#isEscaped = false
        if (byte < TAB) this.#hasControl = true
        else if (byte === LF || byte === CR) this.#takeSpace(byte, position)
      } else if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) {
        this.#isInString = false
        this.#isAfterSpace = false
        this.#last = QUOTE
        return position + 1
      }
    }
    return to
  }

  #take(byte: number, position: number): void {
    const last = this.#last
    const isFollowing = last === BARE && !this.#isAfterSpace
    this.#isAfterSpace = false
    if (this.#depth <= 1 && this.#takeOutside(byte, position, isFollowing)) return
    const startsValue = last === OPEN_OBJECT || last === OPEN_ARRAY || last === COMMA || last === COLON
    const endsValue = byte === COMMA || byte === COLON || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY
    if (last === QUOTE && !endsValue) throw this.#refusal('text follows the end of a string')
    if (byte === QUOTE) {
      if (!startsValue) throw this.#refusal('a string starts within a value')
      this.#isInString = true
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#push(byte)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#pop(byte)
    else if (byte < TAB) this.#hasControl = true
    const isMark = endsValue || byte === QUOTE || byte === OPEN_OBJECT || byte === OPEN_ARRAY
    this.#last = isMark ? byte : BARE
  }

  /** Takes a character outside of elements. False if it belongs to an element, which it may start. */
  #takeOutside(byte: number, position: number, isFollowing: boolean): boolean {
    const hasElement = this.#start >= 0 || this.#long !== null
    if (this.#depth === 0) {
      // Programs that append write one array after another.
      if (this.#isDone && byte !== OPEN_ARRAY) throw this.#refusal('text follows the end of the array')
      this.#isDone = false
      this.#push(byte)
    } else if (byte === COMMA || byte === CLOSE_ARRAY) {
      if (hasElement) this.#endElement(position)
      else if (byte === COMMA || this.#last === COMMA)
        throw this.#refusal('an element is missing before a comma or the end')
      if (byte === CLOSE_ARRAY) this.#pop(byte)
      this.#isDone = byte === CLOSE_ARRAY
    } else {
      const isBare = byte !== QUOTE && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY
      if (hasElement && !(isBare && isFollowing)) throw this.#refusal('a comma is missing between two elements')
      if (!hasElement) this.#start = position
      return false
    }
    this.#last = byte
    return true
  }

  #push(bracket: number): void {
    if (this.#depth === MAX_DEPTH) throw this.#refusal(`brackets are nested deeper than ${MAX_DEPTH}`)
    this.#open[this.#depth++] = bracket
  }

  #pop(bracket: number): void {
    const opened = bracket === CLOSE_ARRAY ? OPEN_ARRAY : OPEN_OBJECT
    if (this.#open[this.#depth - 1] !== opened)
      throw this.#refusal(`${String.fromCharCode(bracket)} does not close the bracket that is open`)
    this.#depth--
  }

  /**
   * Ends the element before the separator at `at`. A line feed replaces the character after it, which is not needed.
   */
  #endElement(position: number): void {
    const start = this.#start
    let end = position
    while (end > start && (this.#bytes[end - 1] === SPACE || this.#bytes[end - 1] === TAB)) end--
    const text = this.#long ?? this.#bytes.subarray(start, end)
    if (this.#long || end - start > this.#max_line_bytes) this.#tally.reject('ROW_TOO_LONG', text)
    else if (!isUtf8(text)) this.#tally.reject('ENCODING_INVALID', text)
    else if (this.#hasControl) this.#tally.reject('ROW_MALFORMED', text)
    else {
      this.#bytes[end] = LF
      this.#copy.keep(start, end + 1)
      this.#tally.keep(1)
    }
    this.#start = -1
    this.#long = null
    this.#hasControl = false
  }

  #truncated(): EngineError {
    const where = this.#isInString ? 'within a string' : 'here'
    return this.#refusal(`the file ends ${where}, before the ] of the array: it is truncated; fetch it again`)
  }

  #refusal(reason: string): EngineError {
    const elements = this.#tally.lines
    const where = this.#start >= 0 || this.#long ? `element ${elements + 1}` : `after element ${elements}`
    const message = `${this.#name}, line ${this.#line}, ${where} of the array: ${reason}`
    return new EngineError('INVALID_PARAMS', message, { file: this.#name, line: this.#line, elements })
  }
}
