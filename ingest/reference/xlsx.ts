import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { unescaped } from './gpc-xml.ts'

/** Compressed bytes inflated at a time, which bounds the memory that a sheet takes. */
const CHUNK_BYTES = 32 * 1024

const ROW = /<(?:\w+:)?row\b[\s\S]*?<\/(?:\w+:)?row>/g
const CELL = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g
const VALUE = /<(?:\w+:)?v\b[^>]*>([\s\S]*?)<\/(?:\w+:)?v>/
const TEXT = /<(?:\w+:)?t(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?t>/g
const PHONETIC = /<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g
const SHARED = /<(?:\w+:)?si\s*(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g
const CONTROL = /_x([\da-fA-F]{4})_/g

const plain = (text: string): string =>
  unescaped(text).replace(CONTROL, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The text of a string, whose runs may be formatted differently. */
const xmlText = (xml: string): string =>
  plain([...xml.replace(PHONETIC, '').matchAll(TEXT)].map(([, text]) => text).join(''))

const attribute = (xml: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(xml)?.[1]

/** A column's index by its letters. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const cellText = (xml: string, type: string | undefined, shared: readonly string[]): string => {
  if (type === 'inlineStr') return xmlText(xml)
  const value = VALUE.exec(xml)?.[1]
  if (value === undefined) return ''
  if (type === 's') return shared[Number(value)] ?? ''
  return type === undefined || type === 'n' ? String(Number(value)) : plain(value)
}

const cellsOf = (row: string, shared: readonly string[]): string[] => {
  const cells: string[] = []
  for (const [, attributes = '', xml = ''] of row.matchAll(CELL)) {
    const letters = /\br="([A-Z]+)/.exec(attributes)?.[1]
    const type = /\bt="(\w+)"/.exec(attributes)?.[1]
    cells[letters ? columnOf(letters) : cells.length] = cellText(xml, type, shared)
  }
  return Array.from(cells, (cell) => cell ?? '')
}

/** The part of the sheet with this name, else of the first sheet, and the shared strings. */
const readWorkbook = (bytes: Uint8Array, name: string) => {
  const isSmall = /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml)$/
  const parts = unzipSync(bytes, { filter: (part) => isSmall.test(part.name) })
  const text = (part: string) => new TextDecoder().decode(parts[`xl/${part}`])
  const sheets = text('workbook.xml').match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? []
  const sheet = sheets.find((xml) => attribute(xml, 'name') === name) ?? sheets[0]
  const id = sheet && attribute(sheet, 'r:id')
  const links = text('_rels/workbook.xml.rels').match(/<(?:\w+:)?Relationship\s[^>]*>/g) ?? []
  const target = links.flatMap((xml) => (attribute(xml, 'Id') === id ? (attribute(xml, 'Target') ?? []) : []))[0]
  if (!id || !target) throw new Error('the workbook has no sheet; save it from Excel as .xlsx')
  const shared = [...text('sharedStrings.xml').matchAll(SHARED)].map(([, xml = '']) => xmlText(xml))
  return { part: target.startsWith('/') ? target.slice(1) : `xl/${target}`, shared }
}

/**
 * The non-empty rows, as text, of the sheet with this name, else of the first one; decompressed as they are consumed.
 * Throws if the bytes are not a workbook.
 */
export const rowsOfXlsx = function* (bytes: Uint8Array, sheet: string): Generator<string[]> {
  const { part, shared } = readWorkbook(bytes, sheet)
  const decoder = new TextDecoder()
  let text = ''
  let isFound = false
  const unzip = new Unzip((file) => {
    if (file.name !== part) return
    isFound = true
    file.ondata = (error, chunk, final) => {
      if (error) throw error
      text += decoder.decode(chunk, { stream: !final })
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    unzip.push(bytes.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= bytes.length)
    let consumed = 0
    for (const { 0: row, index } of text.matchAll(ROW)) {
      consumed = index + row.length
      const cells = cellsOf(row, shared)
      if (cells.length > 0) yield cells
    }
    text = text.slice(consumed)
  }
  if (!isFound) throw new Error(`the workbook has no part ${part}`)
}
