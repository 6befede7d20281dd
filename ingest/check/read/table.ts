import { groupBy } from '../../../engine/index.ts'
import { currenciesOf } from '../../feeds/currency-signs.ts'
import { joinHeaders } from '../../text/scanner.ts'
import { isOf, shareOf } from '../columns/kinds.ts'
import { hasWord, isNamed } from '../columns/names.ts'

/** Rows of delimited text, and the line that each starts in, from 0. */
export type DelimitedRows = { rows: string[][]; lines: number[] }

/** Parses delimited text with quotes; a truncated last row is left out. */
export const parseDelimited = (text: string, delimiter: string, isWhole: boolean, maxRows = 1001): DelimitedRows => {
  const plain = `[^\\${delimiter}\\n]*`
  const field = new RegExp(` *"([^"]*(?:""[^"]*)*)"(${plain})|${plain}`, 'y')
  const rows: string[][] = []
  const lines: number[] = []
  let row: string[] = []
  let [line, start] = [0, 0]
  while (rows.length < maxRows) {
    const [matched, quoted, after = ''] = field.exec(text)!
    row.push(quoted === undefined ? matched.replaceAll('\r', '') : quoted.replaceAll('""', '"') + after.trimEnd())
    if (quoted !== undefined) line += matched.split('\n').length - 1
    const separator = text[field.lastIndex]
    field.lastIndex += 1
    if (separator === delimiter) continue
    if (separator === undefined && !isWhole) break
    if (row.length > 1 || row[0] !== '') {
      rows.push(row)
      lines.push(start)
    }
    if (separator === undefined) break
    row = []
    line += 1
    start = line
  }
  return { rows, lines }
}

/** The most frequent width of rows, and the share of rows that have it. */
const widthOf = (rows: readonly string[][]): { width: number; share: number } => {
  const widths = [...groupBy(rows, ({ length }) => String(length))]
  const [width, alike] = widths.sort((a, b) => b[1].length - a[1].length || Number(b[0]) - Number(a[0]))[0] ?? []
  return { width: Number(width ?? 0), share: (alike?.length ?? 0) / Math.max(1, rows.length) }
}

// In a tie, the delimiter that is rarer in text.
const DELIMITERS = ['\t', '|', ';', ',', '^', '~', '#']

/** The delimiter that splits most lines into the same number of fields; null for a single column. */
export const guessDelimiter = (text: string, isWhole: boolean): string | null => {
  const declared = /^\uFEFF?sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared !== undefined) return declared
  const ranked = DELIMITERS.map((delimiter) => {
    const { rows } = parseDelimited(text, delimiter, isWhole, 200)
    const { width, share } = widthOf(rows)
    const isDoubtful = width < 2 || ('^~#'.includes(delimiter) && share < 0.95)
    const fit = share * (rows[0]?.length === width ? 1 : 0.9) + Math.min(width, 20) / 100
    return { delimiter, score: isDoubtful ? 0 : fit }
  })
  const best = ranked.reduce((most, entry) => (entry.score > most.score ? entry : most))
  return best.score > 0.5 ? best.delimiter : null
}

const CELLS = ['date', 'link', 'number'] as const

type CellKind = (typeof CELLS)[number] | 'empty' | 'text'

const kindOfCell = (cell: string): CellKind => {
  const text = cell.trim().replace(/\s+/g, ' ')
  return text === '' ? 'empty' : (CELLS.find((kind) => isOf(`${kind} cell`, text)) ?? 'text')
}

/** The kind that most filled cells of a column have, if it is not text. */
const typeOf = (body: readonly string[][], column: number): CellKind | null => {
  const kinds = body.map((row) => kindOfCell(row[column] ?? '')).filter((kind) => kind !== 'empty')
  const typed = kinds.filter((kind) => kind !== 'text')
  if (kinds.length === 0 || typed.length < 0.8 * kinds.length) return null
  return typed.filter((kind) => kind === typed[0]).length >= 0.5 * typed.length ? typed[0]! : 'number'
}

/** `ENE21` and `LP 95` are names, `USD21` is an amount. */
const kindOfName = (cell: string): CellKind => {
  const [, letters] = /^(\p{L}{2,}) ?\d+$/u.exec(cell) ?? []
  return letters && currenciesOf(letters).length === 0 ? 'text' : kindOfCell(cell)
}

const cleaned = (row: readonly string[]): string[] => row.map((name) => name.replace(/^\uFEFF/, '').trim())
const filledIn = (row: readonly string[]): string[] => cleaned(row).filter((cell) => cell !== '')

/** Whether the first row is a header: it has texts where the rows below have numbers, dates or links. */
const hasHeading = ([first = [], ...body]: readonly string[][]): boolean => {
  const cells = cleaned(first)
  const filled = filledIn(first)
  if (filled.length === 0) return false
  if (filled.some((name) => isNamed(name, 'price') || isNamed(name, 'product_name'))) return true
  // A name may have other words, too, above numbers.
  if (cells.some((name, column) => hasWord(name, 'price') && typeOf(body, column) === 'number')) return true
  const isDistinct = new Set(filled.map((cell) => cell.toLowerCase())).size >= filled.length - 1
  const typed = cells.flatMap((cell, column) => {
    const type = cell === '' ? null : typeOf(body, column)
    return type === null ? [] : [{ type, kind: kindOfName(cell) }]
  })
  // A title stands alone above columns.
  if (filled.length === 1 && cells.length > 1 && cells[0] !== '' && cells.some((_, column) => typeOf(body, column)))
    return false
  // Years and dates may name columns of prices.
  const data = typed.filter(({ type, kind }) => kind !== 'text' && !(kind === 'date' && type === 'number'))
  if (typed.length > 0) return data.length * 2 < typed.length && isDistinct
  const isText = filled.every((name) => kindOfCell(name) === 'text')
  if (filled.length < cells.length - 1 || !isDistinct || !isText) return false
  const repeated = cells.filter((cell, index) => cell !== '' && body.some((row) => row[index]?.trim() === cell))
  return repeated.length <= filled.length / 4
}

/**
 * Where a table begins: lines above the header, and its rows; no row if the columns have no names. Where rows have one field
 * more or less than the header, `names` are those of its columns.
 */
export type TableStart = { skip_rows: number; header_rows: number; first: number; names?: readonly string[] }

const MAX_TITLES = 40
/** The share of rows that are as wide as most where a header has one name too few. */
const MIN_WIDTH = 0.7

/** Whether a sparse row above a header has names that the header needs: for its empty or repeated ones. */
const isUpperHeader = (above: readonly string[], header: readonly string[]): boolean => {
  const isOfText = above.every((cell) => ['empty', 'text'].includes(kindOfCell(cell)))
  const fills = header.some((name, index) => name.trim() === '' && (above[index] ?? '').trim() !== '')
  return filledIn(above).length > 1 && isOfText && (fills || new Set(filledIn(header)).size < filledIn(header).length)
}

/** The names of a header with one too few: the first column has none, or the last one where it is empty. */
const shiftedNames = (header: readonly string[], rows: readonly string[][]): string[] => {
  const isEnded = rows.every((row) => row.length <= header.length || row[header.length]!.trim() === '')
  return isEnded ? cleaned(header) : ['', ...cleaned(header)]
}

const MAX_HEADER_ROWS = 3
const MIN_TEXTS = 0.8

const isOfTexts = (row: readonly string[] = []): boolean =>
  shareOf(filledIn(row), (cell) => kindOfCell(cell) === 'text') > MIN_TEXTS

/** How many of these rows are the header: two, or as many as columns need to have names of their own. */
const headerRows = (rows: readonly string[][]): number => {
  const repeats = (count: number): number => {
    const names = filledIn(joinHeaders(rows.slice(0, count).map(cleaned)))
    return names.length - new Set(names).size
  }
  let count = 2
  while (count < MAX_HEADER_ROWS && isOfTexts(rows[count]) && repeats(count + 1) < repeats(count)) count += 1
  return count
}

/** Finds the start of a table: the first row that is as wide and as full as the rows below. */
export const tableStart = ({ rows, lines }: DelimitedRows): TableStart => {
  const { width, share } = widthOf(rows)
  const fills = rows.slice(Math.min(rows.length >> 1, MAX_TITLES)).map((row) => filledIn(row).length)
  const usual = fills.sort((a, b) => a - b)[fills.length >> 1] ?? 0
  const isRow = (row: readonly string[]) =>
    row.length >= width - 1 && row.length > width / 2 && 2 * filledIn(row).length >= usual
  const first = width < 2 ? 0 : Math.max(0, rows.slice(0, MAX_TITLES).findIndex(isRow))
  const isHeaded = hasHeading(rows.slice(first, first + 200))
  // The upper row of two may be as full as the rows below.
  const isUpper = (at: number) => {
    const [above = [], header = []] = [rows[at], rows[at + 1]]
    const isFuller = isOfTexts(header) && filledIn(above).length < filledIn(header).length
    return (at < first || isFuller) && isUpperHeader(above, header)
  }
  const top = isHeaded ? [first - 1, first].find(isUpper) : undefined
  if (top !== undefined) return { skip_rows: lines[top]!, header_rows: headerRows(rows.slice(top)), first: top }
  const header = rows[first]
  const extra = (header?.length ?? width) - width
  // Some programs leave out an empty last field in all rows.
  const isLonger = extra === 1 && rows.filter(({ length }) => length > width).length === 1
  if (isHeaded && width > 2 && (extra === -1 || isLonger) && share > MIN_WIDTH && lines.length > first + 1) {
    const names = isLonger ? cleaned(header!).slice(0, width) : shiftedNames(header!, rows)
    return { skip_rows: lines[first + 1]!, header_rows: 0, first: first + 1, names }
  }
  // A row of tags below the names, as data of aid organisations have.
  const tags = filledIn(rows[first + 1] ?? [])
  if (isHeaded && tags.length > 1 && tags.every((tag) => /^#[a-z\d]+(?:\s*\+[a-z0-9_]+)*$/i.test(tag)))
    return { skip_rows: first > 0 ? lines[first]! : 0, header_rows: 2, first, names: cleaned(header!) }
  // Blank lines above a header need no mention.
  return { skip_rows: first > 0 ? lines[first]! : 0, header_rows: isHeaded ? 1 : 0, first }
}

/** The names of a table's columns. */
export const columnNames = ({ rows }: DelimitedRows, { header_rows, first }: TableStart): string[] => {
  const width = Math.max(0, ...rows.slice(first, first + 1000).map(({ length }) => length))
  const joined = header_rows === 0 ? [] : joinHeaders(rows.slice(first, first + header_rows).map(cleaned))
  return Array.from({ length: width }, (_, index) => (header_rows === 0 ? `column${index + 1}` : (joined[index] ?? '')))
}
