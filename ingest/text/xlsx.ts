import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { SharedStrings } from './shared-strings.ts'
import { unescaped } from './xml-text.ts'

/** Compressed bytes inflated at a time, which bounds the memory that a sheet takes. */
const CHUNK_BYTES = 32 * 1024

/** Limits of what a workbook may inflate to: its texts and a row are kept in memory, a sheet is written to a file. */
const MAX_PART_BYTES = 256 * 1024 * 1024
const MAX_ROW_LENGTH = 16 * 1024 * 1024
const MAX_SHEET_LENGTH = 4 * 1024 * 1024 * 1024

/** The end of a part: of its outermost element, which may be followed by space. */
const ROOT_END = /(?:<\/(?:\w+:)?(?:sst|workbook|styleSheet|Relationships)\s*>|<(?:\w+:)?sst\b[^>]*\/>)\s*$/
const MAX_END = 1000

/** The rows and columns of a sheet that spreadsheets can have. */
const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384

const CONTROL = /_x([\da-fA-F]{4})_/g

const plain = (text: string): string =>
  unescaped(text).replace(CONTROL, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const tagsOf = (name: string): RegExp => new RegExp(`<(/?)(?:\\w+:)?${name}(?=[\\s/>])([^<>]*)>`, 'g')
const TAGS = {
  row: tagsOf('row'),
  c: tagsOf('c'),
  v: tagsOf('v'),
  t: tagsOf('t'),
  rPh: tagsOf('rPh'),
}

type Element = { attributes: string; xml: string; begin: number; end: number }

/** The elements of a name that close, in time that grows with the length of the text, whatever it holds. */
const elementsOf = function* (text: string, name: keyof typeof TAGS): Generator<Element> {
  let open: (Pick<Element, 'attributes' | 'begin'> & { start: number }) | null = null
  for (const { 0: tag, 1: closing, 2: attributes = '', index } of text.matchAll(TAGS[name])) {
    const end = index + tag.length
    if (closing) {
      if (open) yield { ...open, xml: text.slice(open.start, index), end }
      open = null
    } else if (!open && attributes.endsWith('/')) yield { attributes, xml: '', begin: index, end }
    else open ??= { attributes, begin: index, start: end }
  }
}

/** A string without its phonetic readings. */
const withoutPhonetic = (xml: string): string => {
  if (!xml.includes('rPh')) return xml
  let rest = ''
  let position = 0
  for (const { begin, end } of elementsOf(xml, 'rPh')) {
    rest += xml.slice(position, begin)
    position = end
  }
  return rest + xml.slice(position)
}

/** The text of a string, whose runs may be formatted differently. */
const xmlText = (xml: string): string =>
  plain(Array.from(elementsOf(withoutPhonetic(xml), 't'), ({ xml: text }) => text).join(''))

const attribute = (xml: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(xml)?.[1]

/** A column's index by its letters. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** A number of days as spreadsheets count them, as a date or, with a fraction, a time. */
const dateText = (days: number, first: number): string => {
  const time = new Date(first + Math.round(days * 86_400) * 1000)
  if (Number.isNaN(time.getTime())) return String(days)
  return days % 1 === 0 ? time.toISOString().slice(0, 10) : time.toISOString().slice(0, 19)
}

/** What cells refer to: shared strings, the styles that show dates, and the day 0. */
type CellContext = { shared: SharedStrings; dates: readonly boolean[]; first_day: number }

const cellText = (xml: string, attributes: string, { shared, dates, first_day }: CellContext): string => {
  const type = /\bt="(\w+)"/.exec(attributes)?.[1]
  if (type === 'inlineStr') return xmlText(xml)
  const [found] = elementsOf(xml, 'v')
  const value = found?.xml
  if (value === undefined) return ''
  if (type === 's') return xmlText(shared.xml(Number(value)))
  if (type !== undefined && type !== 'n') return plain(value)
  const style = Number(/\bs="(\d+)"/.exec(attributes)?.[1] ?? -1)
  return dates[style] ? dateText(Number(value), first_day) : String(Number(value))
}

const cellsOf = (row: string, context: CellContext): string[] => {
  const cells: string[] = []
  for (const { attributes, xml } of elementsOf(row, 'c')) {
    const letters = /\br="([A-Z]{1,3})\d/.exec(attributes)?.[1]
    const column = letters ? columnOf(letters) : cells.length
    if (column >= MAX_COLUMNS) throw new Error(`a row has more than ${MAX_COLUMNS} columns`)
    cells[column] = cellText(xml, attributes, context)
  }
  return Array.from(cells, (cell) => cell ?? '')
}

/** Formats of numbers that have parts of a date outside quotes and brackets. */
const isDateFormat = (code: string): boolean => /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

const isDateId = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)

/** Whether each style of a workbook shows dates. */
const dateStyles = (xml: string): boolean[] => {
  const formats = new Map(
    (xml.match(/<(?:\w+:)?numFmt\s[^>]*>/g) ?? []).map((format) => [
      Number(attribute(format, 'numFmtId')),
      unescaped(attribute(format, 'formatCode') ?? ''),
    ]),
  )
  const styles = /<(?:\w+:)?cellXfs\b[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? ''
  return (styles.match(/<(?:\w+:)?xf\s[^>]*>/g) ?? []).map((style) => {
    const id = Number(attribute(style, 'numFmtId') ?? 0)
    const format = formats.get(id)
    return format === undefined ? isDateId(id) : isDateFormat(format)
  })
}

/** A part of a workbook, inflated; empty if it has none. Throws if it is larger than a workbook says, or than the limit. */
const partOf = (bytes: Uint8Array, part: string): Buffer => {
  const name = `xl/${part}`
  const { [name]: inflated } = unzipSync(bytes, {
    filter: (entry) => {
      if (entry.name === name && entry.originalSize > MAX_PART_BYTES)
        throw new Error(`${name} inflates to more than ${MAX_PART_BYTES} bytes; save it as CSV`)
      return entry.name === name
    },
  })
  if (!inflated) return Buffer.alloc(0)
  const text = Buffer.from(inflated.buffer, inflated.byteOffset, inflated.length)
  if (!ROOT_END.test(text.toString('latin1', text.length - MAX_END)))
    throw new Error(`${name} ends before its last tag: the workbook is damaged; save it again`)
  return text
}

type Sheet = { name: string; target: string }

/** The sheets of a workbook that have cells, unlike those of charts and macros. */
const sheetsIn = (bytes: Uint8Array): Sheet[] => {
  const tagsIn = (part: string, tag: string) =>
    partOf(bytes, part)
      .toString()
      .match(new RegExp(`<(?:\\w+:)?${tag}\\s[^>]*>`, 'g')) ?? []
  const links = new Map(
    tagsIn('_rels/workbook.xml.rels', 'Relationship').map((xml) => [attribute(xml, 'Id'), attribute(xml, 'Target')]),
  )
  return tagsIn('workbook.xml', 'sheet').flatMap((xml) => {
    const target = links.get(attribute(xml, 'r:id'))
    const isOfCells = target !== undefined && !/(?:chart|dialog|macro)sheets\//.test(target)
    return isOfCells ? [{ name: unescaped(attribute(xml, 'name') ?? ''), target }] : []
  })
}

/** The names of the sheets of a workbook. Throws if the bytes are not one. */
export const sheetsOfXlsx = (bytes: Uint8Array): string[] => sheetsIn(bytes).map(({ name }) => name)

/** The part of the sheet with this name, else of the first sheet, and what its cells refer to. */
const readWorkbook = (bytes: Uint8Array, name: string | undefined) => {
  const sheets = sheetsIn(bytes)
  const text = (part: string) => partOf(bytes, part).toString()
  const { target } = sheets.find((sheet) => sheet.name === name) ?? sheets[0] ?? {}
  if (!target) throw new Error('the workbook has no sheet; save it from Excel as .xlsx')
  const shared = new SharedStrings(partOf(bytes, 'sharedStrings.xml'))
  const first_day = /date1904="(?:1|true)"/.test(text('workbook.xml')) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const context: CellContext = { shared, dates: dateStyles(text('styles.xml')), first_day }
  return { part: target.startsWith('/') ? target.slice(1) : `xl/${target}`, context }
}

/**
 * The non-empty rows, as text, of the sheet with this name, else of the first one; decompressed each time that they are
 * consumed. Throws if the bytes are not a workbook, or inflate beyond its limits.
 */
export const rowsOfXlsx = (bytes: Uint8Array, sheet?: string): Iterable<string[]> => {
  const { part, context } = readWorkbook(bytes, sheet)
  return { [Symbol.iterator]: () => rowsOfPart(bytes, part, context) }
}

const rowsOfPart = function* (bytes: Uint8Array, part: string, context: CellContext): Generator<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  let isFound = false
  let [length, rows] = [0, 0]
  const unzip = new Unzip((file) => {
    if (file.name !== part) return
    isFound = true
    file.ondata = (error, chunk, final) => {
      if (error) throw error
      text += decoder.decode(chunk, { stream: !final })
      length += chunk.length
      if (text.length > MAX_ROW_LENGTH) throw new Error(`a row of ${part} is longer than ${MAX_ROW_LENGTH} characters`)
      if (length > MAX_SHEET_LENGTH) throw new Error(`${part} inflates to more than ${MAX_SHEET_LENGTH} bytes`)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    unzip.push(bytes.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= bytes.length)
    let consumed = 0
    for (const { xml, end } of elementsOf(text, 'row')) {
      consumed = end
      rows += 1
      if (rows > MAX_ROWS) throw new Error(`${part} has more than ${MAX_ROWS} rows`)
      const cells = cellsOf(xml, context)
      if (cells.length > 0) yield cells
    }
    text = text.slice(consumed)
  }
  if (isFound && !/<\/(?:\w+:)?worksheet\s*>/.test(text))
    throw new Error(`${part} ends before its last tag: the workbook is damaged; save it again`)
  if (!isFound) throw new Error(`the workbook has no part ${part}`)
}
