import type { Copy } from './copy.ts'
import { documentError } from './json-document.ts'
import { MAX_LINE_BYTES } from './limits.ts'
import type { LineTally } from './tally.ts'
import type { TextOptions } from './types.ts'
import { MAX_TOKEN, readXml, type XmlHandler } from './xml-reader.ts'
import { unescaped } from './xml-text.ts'

/** Elements of different paths, and members of one: more are data in names. */
const MAX_NAMES = 100_000
/** The text in which the element that repeats most is looked for. */
const MAX_SEARCHED = 64 * 1024 * 1024

const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

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

/** The values of an element inside a record are those of the record. */
const NO_VALUES: ElementValues = new Map()

const attributesOf = (text: string): [string, string][] =>
  [...text.matchAll(ATTRIBUTE)].flatMap(([, name = '', double, single]): [string, string][] =>
    name.startsWith('xmlns') ? [] : [[localName(name), unescaped(double ?? single ?? '')]],
  )

const isRecord = ({ name, path }: Frame, record: string): boolean => record === name || record === path

type XmlRecord = Record<string, string | string[]>

/** Follows the elements of a document, and calls `onRecord` with the values of each record and of what is around it. */
class RecordBuilder implements XmlHandler {
  readonly #record: string
  readonly #name: string
  readonly #onRecord: (values: XmlRecord) => void
  readonly #stack: Frame[] = []
  /** The depth of the record that is open, or -1. */
  #depth = -1

  constructor(record: string, name: string, onRecord: (values: XmlRecord) => void) {
    this.#record = record
    this.#name = name
    this.#onRecord = onRecord
  }

  text(text: string): void {
    const frame = this.#stack.at(-1)
    // The space between the elements of a long document is no text of what is around them.
    if (!frame || (frame.hasChildren && text.trim() === '')) return
    frame.text += text
    if (frame.text.length > MAX_TOKEN) throw tooLong(this.#name, frame.name)
  }

  open(name: string, attributes: string): void {
    const parent = this.#stack.at(-1)
    if (parent) parent.hasChildren = true
    const local = localName(name)
    const path = parent ? `${parent.path}.${local}` : local
    const isInside = this.#depth >= 0
    const frame: Frame = { name: local, path, text: '', hasChildren: false, values: isInside ? NO_VALUES : new Map() }
    this.#stack.push(frame)
    if (!isInside && isRecord(frame, this.#record)) this.#depth = this.#stack.length - 1
    if (attributes === '') return
    const owner = this.#depth < 0 ? frame : this.#stack[this.#depth]!
    const prefix = this.#depth < 0 ? `${local}.` : this.#prefix(frame)
    for (const [key, value] of attributesOf(attributes)) add(owner.values, `${prefix}${key}`, value)
  }

  /** The path within the record, with a dot; empty for the record itself. */
  #prefix({ path }: Frame): string {
    const enclosing = this.#stack[this.#depth]!.path
    return path === enclosing ? '' : `${path.slice(enclosing.length + 1)}.`
  }

  close(name: string): void {
    const frame = this.#stack.pop()
    if (frame?.name !== localName(name)) throw documentError(this.#name, `</${name}> closes no open element`)
    const text = frame.text.trim()
    if (this.#depth === this.#stack.length) {
      this.#depth = -1
      if (!frame.hasChildren && text !== '') add(frame.values, frame.name, text)
      const entries: [string, string | string[]][] = []
      for (const { values } of [...this.#stack, frame]) for (const entry of values) entries.push(entry)
      this.#onRecord(Object.fromEntries(entries))
      return
    }
    if (frame.hasChildren && text === '') return
    if (this.#depth >= 0) add(this.#stack[this.#depth]!.values, this.#prefix(frame).slice(0, -1), text)
    // A value around records, which is not repeated.
    else if (!frame.hasChildren) this.#stack.at(-1)?.values.set(frame.name, text)
  }
}

type ElementCount = { path: string; count: number; members: Set<string>; children: Map<string, ElementCount> }

/** Counts the elements of a document by their paths, and what they contain. */
class ElementCounter implements XmlHandler {
  readonly found: ElementCount[] = []
  readonly #name: string
  readonly #stack: ElementCount[] = [{ path: '', count: 0, members: new Set(), children: new Map() }]
  #length = 0

  constructor(name: string) {
    this.#name = name
  }

  open(name: string, attributes: string): void {
    const parent = this.#stack.at(-1)!
    const local = localName(name)
    let entry = parent.children.get(local)
    if (!entry) {
      const path = parent.path === '' ? local : `${parent.path}.${local}`
      entry = { path, count: 0, members: new Set(), children: new Map() }
      parent.children.set(local, entry)
      parent.members.add(local)
      this.found.push(entry)
    }
    entry.count += 1
    if (attributes !== '') for (const [key] of attributesOf(attributes)) entry.members.add(`@${key}`)
    if (this.found.length > MAX_NAMES || entry.members.size > MAX_NAMES)
      throw documentError(this.#name, `it has more than ${MAX_NAMES} names of elements and attributes`)
    this.#stack.push(entry)
    this.#length += name.length + attributes.length
  }

  text(text: string): void {
    this.#length += text.length
    const entry = this.#stack.at(-1)!
    // The text of `<price type="regular">23.19</price>` is a value beside its attributes.
    if (entry.children.size === 0 && text.trim() !== '') entry.members.add('')
  }

  close(name: string): void {
    if (this.#stack.length < 2) throw documentError(this.#name, `</${name}> closes no open element`)
    this.#stack.pop()
  }

  /** Whether more of the document is to be counted. */
  get isOpen(): boolean {
    return this.#length < MAX_SEARCHED
  }
}

/**
 * The element of a document that repeats most as a record at its start, or a fuller one around it that repeats, too, by its
 * path; null if none has several values.
 */
export const findRecord = async (path: string, options: TextOptions): Promise<string | null> => {
  const counter = new ElementCounter(options.name)
  await readXml(path, options, counter, async () => counter.isOpen)
  const score = ({ count, members }: ElementCount) => count * members.size
  const records = counter.found.filter(({ members }) => members.size > 1)
  const [most] = records.sort((a, b) => score(b) - score(a))
  // What repeats inside a record with more members, such as the attributes of a product, is a part of it.
  const whole = records.find(
    ({ path, count, members }) => most!.path.startsWith(`${path}.`) && count > 1 && members.size > most!.members.size,
  )
  return (whole ?? most)?.path ?? null
}

/**
 * Writes the records of a document as JSON lines: the elements `record` names by name or path, or those that repeat
 * most. A record has the texts of the elements in it, by their path without prefixes, its attributes, and the values of
 * the elements around it. Entities that a document declares are not expanded. Ends after `max_records` or more.
 */
export const splitXml = async (
  path: string,
  { record, max_records = Number.POSITIVE_INFINITY }: { record?: string | undefined; max_records?: number | undefined },
  { copy, tally, options }: { copy: Copy; tally: LineTally; options: TextOptions },
): Promise<void> => {
  const { name, max_line_bytes = MAX_LINE_BYTES } = options
  const element = record ?? (await findRecord(path, options))
  if (element === null) throw documentError(name, 'it has no element that repeats with values')
  let lines: string[] = []
  const builder = new RecordBuilder(element, name, (values) => {
    const line = JSON.stringify(values)
    if (Buffer.byteLength(line) > max_line_bytes) return tally.reject('ROW_TOO_LONG', Buffer.from(line))
    lines.push(line, '\n')
    tally.keep(1)
  })
  await readXml(path, options, builder, async () => {
    copy.add(lines.join(''))
    lines = []
    await copy.flush()
    return tally.lines < max_records
  })
  if (tally.lines === 0) throw documentError(name, `it has no element ${element}, which "record" names`)
}
