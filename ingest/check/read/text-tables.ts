import { joinHeaders } from '../../text/scanner.ts'
import { nameScore } from '../columns/names.ts'

/** Rows of delimited text, and the line that each starts in, from 0. */
export type DelimitedRows = { rows: string[][]; lines: number[] }

/** Parses delimited text with quotes; a truncated last row is left out. */
export const parseDelimited = (text: string, delimiter: string, isWhole: boolean, maxRows = 1001): DelimitedRows => {
  const rows: string[][] = []
  const lines: number[] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  let [line, start] = [0, 0]
  const endRow = () => {
    row.push(field)
    if (row.length > 1 || row[0] !== '') {
      rows.push(row)
      lines.push(start)
    }
    row = []
    field = ''
  }
  for (let position = 0; position < text.length && rows.length < maxRows; position += 1) {
    const letter = text[position]!
    if (letter === '\n') line += 1
    if (isQuoted && letter === '"' && text[position + 1] === '"') {
      field += '"'
      position += 1
    } else if (isQuoted) {
      if (letter === '"') isQuoted = false
      else field += letter
    } else if (letter === '"' && field.trim() === '') {
      isQuoted = true
      field = ''
    } else if (letter === delimiter) {
      row.push(field)
      field = ''
    } else if (letter === '\n') {
      endRow()
      start = line
    } else if (letter !== '\r') field += letter
  }
  if (isWhole && rows.length < maxRows && (field !== '' || row.length > 0)) endRow()
  return { rows, lines }
}

export const readDelimited = (text: string, delimiter: string, isWhole: boolean, maxRows?: number): string[][] =>
  parseDelimited(text, delimiter, isWhole, maxRows).rows

// In a tie, the delimiter that is rarer in text.
const DELIMITERS = ['\t', '|', ';', ',', '^', '~', '#']
const RARE = new Set(['^', '~', '#'])

const widthOf = (rows: readonly string[][]): { width: number; share: number } => {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width = 0, most = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
  return { width, share: rows.length === 0 ? 0 : most / rows.length }
}

/** The delimiter that splits most lines into the same number of fields; null for a single column. */
export const guessDelimiter = (text: string, isWhole: boolean): string | null => {
  const declared = /^\uFEFF?sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared !== undefined) return declared
  const ranked = DELIMITERS.map((delimiter) => {
    const rows = readDelimited(text, delimiter, isWhole, 200)
    const { width, share } = widthOf(rows)
    const isFirst = rows[0]?.length === width
    const score = width < 2 ? 0 : share * (isFirst ? 1 : 0.9) + Math.min(width, 20) / 100
    return { delimiter, score: RARE.has(delimiter) && share < 0.95 ? 0 : score }
  })
  const best = ranked.sort((a, b) => b.score - a.score)[0]!
  return best.score > 0.5 ? best.delimiter : null
}

type CellKind = 'empty' | 'number' | 'date' | 'link' | 'text'

const kindOfCell = (cell: string): CellKind => {
  const text = cell.trim()
  if (text === '') return 'empty'
  if (/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].*)?$|^(?:19|20)\d{2}[-/]?(?:0[1-9]|1[0-2])?$/.test(text)) return 'date'
  if (/^https?:\/\//i.test(text)) return 'link'
  return /^\D{0,4}[+-]?\d[\d.,:/' \u00a0-]*\D{0,4}$/.test(text) ? 'number' : 'text'
}

/** The kind that most filled cells of a column have, if it is not text. */
const typeOf = (body: readonly string[][], column: number): CellKind | null => {
  const kinds = body.map((row) => kindOfCell(row[column] ?? '')).filter((kind) => kind !== 'empty')
  const typed = kinds.filter((kind) => kind !== 'text')
  if (kinds.length === 0 || typed.length < 0.8 * kinds.length) return null
  return typed.filter((kind) => kind === typed[0]).length >= 0.5 * typed.length ? typed[0]! : 'number'
}

const isDistinct = (names: readonly string[]): boolean => new Set(names).size >= names.length - 1

const cleaned = (row: readonly string[]): string[] => row.map((name) => name.replace(/^\uFEFF/, '').trim())

/** Whether the first row is a header: it has texts where the rows below have numbers, dates or links. */
export const hasHeading = (rows: readonly string[][]): boolean => {
  const [first = [], ...body] = rows
  const cells = cleaned(first)
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return false
  if (filled.some((name) => nameScore(name, 'price') >= 0.95 || nameScore(name, 'product_name') >= 0.95)) return true
  const typed = cells.flatMap((cell, column) => {
    const type = cell === '' ? null : typeOf(body, column)
    return type === null ? [] : [{ cell, type, kind: kindOfCell(cell) }]
  })
  // Years and dates may name columns of prices.
  const data = typed.filter(({ type, kind }) => kind !== 'text' && !(kind === 'date' && type === 'number'))
  if (typed.length > 0) return data.length * 4 < typed.length && isDistinct(filled)
  const names = filled.map((cell) => cell.toLowerCase())
  if (filled.length < cells.length - 1 || !isDistinct(names) || names.some((name) => kindOfCell(name) !== 'text'))
    return false
  const repeated = cells.filter((cell, index) => cell !== '' && body.some((row) => row[index]?.trim() === cell)).length
  return body.length === 0 || repeated <= names.length / 4
}

/** Where a table begins: lines above the header, and its rows; no row if the columns have no names. */
export type TableStart = { skip_rows: number; header_rows: number; first: number }

const MAX_TITLES = 40

const filledIn = (row: readonly string[]): number => row.filter((cell) => cell.trim() !== '').length

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Whether a sparse row above a header has names that the header needs: for its empty or repeated ones. */
const isUpperHeader = (above: readonly string[], header: readonly string[]): boolean => {
  if (filledIn(above) < 2 || above.some((cell) => ['number', 'date', 'link'].includes(kindOfCell(cell)))) return false
  const names = cleaned(header).filter((name) => name !== '')
  const fills = header.some((name, index) => name.trim() === '' && (above[index] ?? '').trim() !== '')
  return fills || new Set(names).size < names.length
}

/** Finds the start of a table: the first row that is as wide and as full as the rows below. */
export const tableStart = ({ rows, lines }: DelimitedRows): TableStart => {
  const { width } = widthOf(rows)
  const body = rows.slice(Math.min(rows.length >> 1, MAX_TITLES))
  const usual = median(body.map(filledIn))
  const isRow = (row: readonly string[]) =>
    row.length >= width - 1 && row.length > width / 2 && 2 * filledIn(row) >= usual
  const found = width < 2 ? 0 : rows.slice(0, MAX_TITLES).findIndex(isRow)
  const first = Math.max(found, 0)
  const isNamed = hasHeading(rows.slice(first, first + 200))
  const [above, header] = [rows[first - 1], rows[first]]
  if (isNamed && above && header && isUpperHeader(above, header))
    return { skip_rows: lines[first - 1]!, header_rows: 2, first: first - 1 }
  const next = rows[first + 1]
  const isText = next?.every((cell) => ['text', 'empty'].includes(kindOfCell(cell))) ?? false
  // The upper row of two may be as full as the rows below.
  if (isNamed && header && next && isText && isUpperHeader(header, next) && filledIn(header) < filledIn(next))
    return { skip_rows: lines[first]!, header_rows: 2, first }
  // Blank lines above a header need no mention.
  const hasTitle = first > 0
  return { skip_rows: hasTitle ? lines[first]! : 0, header_rows: isNamed ? 1 : 0, first }
}

/** The names of a table's columns and its rows below them. */
export const tableOf = (
  { rows }: DelimitedRows,
  { header_rows, first }: TableStart,
): { names: string[]; body: string[][] } => {
  const body = rows.slice(first + header_rows)
  const width = Math.max(rows[first]?.length ?? 0, ...body.slice(0, 1000).map(({ length }) => length))
  const joined = header_rows === 0 ? [] : joinHeaders(rows.slice(first, first + header_rows).map(cleaned))
  const names = Array.from({ length: width }, (_, index) =>
    header_rows === 0 ? `column${index + 1}` : (joined[index] ?? ''),
  )
  return { names, body }
}
