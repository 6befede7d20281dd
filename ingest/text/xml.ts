import { StringDecoder } from 'node:string_decoder'
import type { Copy } from './copy.ts'
import { documentError } from './json-document.ts'
import { MAX_LINE_BYTES } from './limits.ts'
import { openText } from './source.ts'
import type { LineTally } from './tally.ts'
import type { TextOptions } from './types.ts'
import { unescaped } from './xml-text.ts'

const MAX_DEPTH = 200
const MAX_TOKEN = 4 * 1024 * 1024
/** Elements of different paths, and members of one: more are data in names. */
const MAX_NAMES = 100_000

/** A token from its start: a comment, character data, an instruction, a document type with its subset, a tag. */
const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>|<(\/?)([^\s/>!?]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|[^<]+/y
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** What happens in a document, in order: an element opens, text stands in it, it closes. */
type XmlEvent = { open: string; attributes: string } | { text: string } | { close: string }

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

/** The events of a document, read chunk by chunk. INVALID_PARAMS if it is not well-formed. */
const eventsOf = async function* (path: string, options: TextOptions): AsyncGenerator<XmlEvent[]> {
  const source = await openText(path, options)
  const decoder = new StringDecoder('utf8')
  let [rest, line, depth] = ['', 1, 0]
  const refuse = (reason: string) => documentError(options.name, `line ${line}: ${reason}`)
  const take = (isEnd: boolean): XmlEvent[] => {
    const events: XmlEvent[] = []
    let position = 0
    for (;;) {
      TOKEN.lastIndex = position
      const match = TOKEN.exec(rest)
      if (!match) break
      const [token, data, closing, name, attributes = '', empty] = match
      // Text may continue in the next chunk.
      if (!isEnd && !token.startsWith('<') && TOKEN.lastIndex === rest.length) break
      position = TOKEN.lastIndex
      line += token.split('\n').length - 1
      if (data !== undefined) events.push({ text: data })
      else if (!token.startsWith('<')) events.push({ text: unescaped(token) })
      else if (name === undefined) continue
      else if (closing) {
        events.push({ close: name })
        depth -= 1
      } else {
        events.push({ open: name, attributes })
        depth += 1
        if (empty) events.push({ close: name })
        if (empty) depth -= 1
        if (depth > MAX_DEPTH) throw refuse(`elements are nested deeper than ${MAX_DEPTH}`)
      }
    }
    rest = rest.slice(position)
    if (rest.length > MAX_TOKEN) throw refuse(`a tag or a text is longer than ${MAX_TOKEN} characters`)
    return events
  }
  try {
    for await (const chunk of source.chunks) {
      rest += decoder.write(chunk)
      yield take(false)
    }
    yield take(true)
    if (rest.trim() !== '') throw refuse('it is not well-formed XML: a tag does not close')
    if (depth !== 0) throw refuse('the document ends within an element; it is truncated: fetch it again')
  } finally {
    await source.close()
  }
}

type ElementValues = Map<string, string | string[]>

const add = (values: ElementValues, name: string, value: string): void => {
  const before = values.get(name)
  if (before === undefined) values.set(name, value)
  else if (typeof before === 'string') values.set(name, [before, value])
  else before.push(value)
}

const tooLong = (name: string, element: string) =>
  documentError(name, `the text of ${element} is longer than ${MAX_TOKEN} characters`)

type Frame = { name: string; path: string; text: string; hasChildren: boolean; values: ElementValues }

const attributesOf = (text: string): [string, string][] =>
  [...text.matchAll(ATTRIBUTE)].flatMap(([, name = '', double, single]): [string, string][] =>
    name.startsWith('xmlns') ? [] : [[localName(name), unescaped(double ?? single ?? '')]],
  )

const isRecord = ({ name, path }: Frame, record: string): boolean => record === name || record === path

/** Follows the elements of a document, and calls `onRecord` with the values of each record and of what is around it. */
class RecordBuilder {
  readonly #record: string
  readonly #name: string
  readonly #stack: Frame[] = []
  /** The depth of the record that is open, or -1. */
  #depth = -1

  constructor(record: string, name: string) {
    this.#record = record
    this.#name = name
  }

  /** The record that an event completes. */
  take(event: XmlEvent): Record<string, string | string[]> | null {
    if ('open' in event) this.#open(event.open, event.attributes)
    else if ('text' in event) {
      const frame = this.#stack.at(-1)
      // The space between the elements of a long document is no text of what is around them.
      if (!frame || (frame.hasChildren && event.text.trim() === '')) return null
      frame.text += event.text
      if (frame.text.length > MAX_TOKEN) throw tooLong(this.#name, frame.name)
    } else return this.#close(event.close)
    return null
  }

  #open(name: string, attributes: string): void {
    const parent = this.#stack.at(-1)
    if (parent) parent.hasChildren = true
    const local = localName(name)
    const path = parent ? `${parent.path}.${local}` : local
    const frame: Frame = { name: local, path, text: '', hasChildren: false, values: new Map() }
    this.#stack.push(frame)
    if (this.#depth < 0 && isRecord(frame, this.#record)) this.#depth = this.#stack.length - 1
    const owner = this.#depth < 0 ? frame : this.#stack[this.#depth]!
    const prefix = this.#depth < 0 ? `${local}.` : this.#prefix(frame)
    for (const [key, value] of attributesOf(attributes)) add(owner.values, `${prefix}${key}`, value)
  }

  /** The path within the record, with a dot; empty for the record itself. */
  #prefix({ path }: Frame): string {
    const own = this.#stack[this.#depth]!.path
    return path === own ? '' : `${path.slice(own.length + 1)}.`
  }

  #close(name: string): Record<string, string | string[]> | null {
    const frame = this.#stack.pop()
    if (frame?.name !== localName(name)) throw documentError(this.#name, `</${name}> closes no open element`)
    const text = frame.text.trim()
    if (this.#depth === this.#stack.length) {
      this.#depth = -1
      if (!frame.hasChildren && text !== '') add(frame.values, frame.name, text)
      return Object.fromEntries([...this.#stack.map(({ values }) => values), frame.values].flatMap((map) => [...map]))
    }
    if (frame.hasChildren && text === '') return null
    if (this.#depth >= 0) add(this.#stack[this.#depth]!.values, this.#prefix(frame).slice(0, -1), text)
    // A value around records, which is not repeated.
    else if (!frame.hasChildren) this.#stack.at(-1)?.values.set(frame.name, text)
    return null
  }
}

/** The element of a document that repeats most as a record, by its path; null if none has several values. */
export const findRecord = async (path: string, options: TextOptions): Promise<string | null> => {
  const found = new Map<string, { count: number; members: Set<string> }>()
  const stack: string[] = []
  const entryOf = (of: string) => {
    const entry = found.get(of) ?? { count: 0, members: new Set<string>() }
    found.set(of, entry)
    return entry
  }
  for await (const events of eventsOf(path, options))
    for (const event of events) {
      if ('close' in event) stack.pop()
      if (!('open' in event)) continue
      const parent = stack.at(-1)
      const own = parent ? `${parent}.${localName(event.open)}` : localName(event.open)
      if (parent) entryOf(parent).members.add(localName(event.open))
      const entry = entryOf(own)
      entry.count += 1
      for (const [key] of attributesOf(event.attributes)) entry.members.add(`@${key}`)
      if (found.size > MAX_NAMES || entry.members.size > MAX_NAMES)
        throw documentError(options.name, `it has more than ${MAX_NAMES} names of elements and attributes`)
      stack.push(own)
    }
  const score = ({ count, members }: { count: number; members: Set<string> }) => count * members.size
  const records = [...found].filter(([, { members }]) => members.size > 1)
  return records.sort(([, a], [, b]) => score(b) - score(a))[0]?.[0] ?? null
}

const FLUSH_RECORDS = 5000

/**
 * Writes the records of a document as JSON lines: the elements `record` names by name or path, or those that repeat
 * most. A record has the texts of the elements in it, by their path without prefixes, its attributes, and the values of
 * the elements around it. Entities that a document declares are not expanded.
 */
export const splitXml = async (
  path: string,
  record: string | undefined,
  { copy, tally, options }: { copy: Copy; tally: LineTally; options: TextOptions },
): Promise<void> => {
  const { name, max_line_bytes = MAX_LINE_BYTES } = options
  const element = record ?? (await findRecord(path, options))
  if (element === null) throw documentError(name, 'it has no element that repeats with values')
  const builder = new RecordBuilder(element, name)
  for await (const events of eventsOf(path, options))
    for (const event of events) {
      const values = builder.take(event)
      if (values === null) continue
      const line = Buffer.from(JSON.stringify(values))
      if (line.length > max_line_bytes) tally.reject('ROW_TOO_LONG', line)
      else {
        copy.put(`${line.toString('latin1')}\n`)
        tally.keep(1)
      }
      if (tally.lines % FLUSH_RECORDS === 0) await copy.flush()
    }
  if (tally.lines === 0) throw documentError(name, `it has no element ${element}, which "record" names`)
}
