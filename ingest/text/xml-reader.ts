import { StringDecoder } from 'node:string_decoder'
import type { EngineError } from '../../engine/index.ts'
import { documentError } from './json-document.ts'
import { openText } from './source.ts'
import type { TextOptions } from './types.ts'
import { unescaped } from './xml-text.ts'

const MAX_DEPTH = 200
/** The length of a tag or a text. */
export const MAX_TOKEN = 4 * 1024 * 1024

const DOCTYPE = /<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>/y

/** What is called for the elements of a document and the text in them, in order. */
export type XmlHandler = {
  open(name: string, attributes: string): void
  text(text: string): void
  close(name: string): void
}

const [TAB, LF, CR, SPACE, SLASH, GREATER, DOUBLE, SINGLE] = [9, 10, 13, 32, 47, 62, 34, 39]

/** Where a tag ends whose name starts at `start`: at the `>` outside quotes, or -1. */
const tagEnd = (text: string, start: number): number => {
  for (let position = start; position < text.length; position += 1) {
    const code = text.charCodeAt(position)
    if (code === GREATER) return position
    if (code !== DOUBLE && code !== SINGLE) continue
    position = text.indexOf(code === DOUBLE ? '"' : "'", position + 1)
    if (position < 0) return -1
  }
  return -1
}

const nameEnd = (text: string, start: number, end: number): number => {
  for (let position = start; position < end; position += 1) {
    const code = text.charCodeAt(position)
    if (code === SPACE || code === SLASH || code === TAB || code === LF || code === CR) return position
  }
  return end
}

/** Comments, instructions and character data: how they start and end. */
const SPANS = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
] as const

const countLines = (text: string, end: number): number => {
  let lines = 0
  for (let newline = text.indexOf('\n'); newline >= 0 && newline < end; newline = text.indexOf('\n', newline + 1))
    lines += 1
  return lines
}

/** Reads a document whose text comes in parts. */
class XmlReader {
  readonly #name: string
  readonly #handler: XmlHandler
  #rest = ''
  #line = 1
  #depth = 0

  constructor(name: string, handler: XmlHandler) {
    this.#name = name
    this.#handler = handler
  }

  /** Takes what is complete of the text. INVALID_PARAMS if it is not well-formed. */
  take(text: string): void {
    this.#rest += text
    let position = 0
    for (let next = 0; next >= 0; ) {
      position = next
      next = position < this.#rest.length ? this.#token(position) : -1
    }
    this.#line += countLines(this.#rest, position)
    this.#rest = this.#rest.slice(position)
    if (this.#rest.length > MAX_TOKEN) throw this.#refusal(`a tag or a text is longer than ${MAX_TOKEN} characters`)
  }

  end(): void {
    if (this.#rest.includes('<')) throw this.#refusal('it is not well-formed XML: a tag does not close')
    if (this.#depth !== 0) throw this.#refusal('the document ends within an element; it is truncated: fetch it again')
    if (this.#rest.trim() !== '') throw this.#refusal('it is not well-formed XML: text stands outside its elements')
  }

  #refusal(reason: string, before = 0): EngineError {
    return documentError(this.#name, `line ${this.#line + countLines(this.#rest, before)}: ${reason}`)
  }

  /** Takes the token at a position, and returns where the next one starts; -1 if it does not end in the text. */
  #token(start: number): number {
    const text = this.#rest
    if (text[start] !== '<') {
      const end = text.indexOf('<', start)
      if (end > start) this.#handler.text(unescaped(text.slice(start, end)))
      return end
    }
    const second = text[start + 1]
    return second === '!' || second === '?' ? this.#special(start) : this.#tag(start)
  }

  #special(start: number): number {
    const text = this.#rest
    const span = SPANS.find(([opening]) => text.startsWith(opening, start))
    if (span) {
      const [opening, closing] = span
      const end = text.indexOf(closing, start + opening.length)
      if (end >= 0 && opening === '<![CDATA[') this.#handler.text(text.slice(start + opening.length, end))
      return end < 0 ? -1 : end + closing.length
    }
    DOCTYPE.lastIndex = start
    return DOCTYPE.test(text) ? DOCTYPE.lastIndex : -1
  }

  #tag(start: number): number {
    const text = this.#rest
    const end = tagEnd(text, start + 1)
    if (end < 0) return -1
    const isClosing = text.charCodeAt(start + 1) === SLASH
    const first = isClosing ? start + 2 : start + 1
    const last = nameEnd(text, first, end)
    if (last === first) throw this.#refusal('it is not well-formed XML: a tag has no name', start)
    const name = text.slice(first, last)
    if (isClosing) {
      this.#handler.close(name)
      this.#depth -= 1
    } else {
      const isEmpty = text.charCodeAt(end - 1) === SLASH
      this.#handler.open(name, text.slice(last, isEmpty ? end - 1 : end))
      if (this.#depth >= MAX_DEPTH) throw this.#refusal(`elements are nested deeper than ${MAX_DEPTH}`, start)
      if (isEmpty) this.#handler.close(name)
      else this.#depth += 1
    }
    return end + 1
  }
}

/**
 * Calls a handler for what a document has, and `next` after each part of it, until that is false. INVALID_PARAMS if it
 * is not well-formed.
 */
export const readXml = async (
  path: string,
  options: TextOptions,
  handler: XmlHandler,
  next: () => Promise<boolean>,
): Promise<void> => {
  const source = await openText(path, options)
  const decoder = new StringDecoder('utf8')
  const reader = new XmlReader(options.name, handler)
  try {
    for await (const chunk of source.chunks) {
      reader.take(decoder.write(chunk))
      if (!(await next())) return
    }
    reader.end()
    await next()
  } finally {
    await source.close()
  }
}
