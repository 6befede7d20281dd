import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { EngineError } from '../../engine/index.ts'
import type { Heading } from './scanner.ts'
import { rowsOfXlsx, sheetsOfXlsx } from './xlsx.ts'

/** A workbook is read into memory, compressed as it is. */
const MAX_WORKBOOK_BYTES = 128 * 1024 * 1024
/** The cells of a table: one row with a value in the last column would make all others as wide. */
const MAX_CELLS = 200_000_000
/** Rows after which a signal is heard. */
const PAUSE_ROWS = 1000
const MAX_CSV_BYTES = 4 * 1024 * 1024 * 1024

const invalidWorkbook = (name: string, cause: unknown): EngineError => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EngineError('INVALID_PARAMS', `${name} cannot be read as a workbook: ${reason}`, { file: name })
}

const readBytesOf = async (path: string, name: string): Promise<Uint8Array> => {
  const { size } = await stat(path)
  if (size > MAX_WORKBOOK_BYTES)
    throw invalidWorkbook(name, `it has ${size} bytes, more than ${MAX_WORKBOOK_BYTES}; save it as CSV`)
  return readFile(path)
}

/** The names of the sheets of a workbook. INVALID_PARAMS if it is none. */
export const sheetNames = async (path: string, name: string): Promise<string[]> => {
  const bytes = await readBytesOf(path, name)
  try {
    return sheetsOfXlsx(bytes)
  } catch (cause) {
    throw invalidWorkbook(name, cause)
  }
}

const widthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== '') + 1

const quote = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

type WorkbookRow = { cells: readonly string[]; sheet?: string | undefined }

const lineOf = ({ cells, sheet }: WorkbookRow, width: number): string => {
  if (widthOf(cells) === 0) return '\n'
  const fields = Array.from({ length: width }, (_, index) => (cells[index] ?? '').replace(/\r\n?/g, '\n'))
  return `${[...fields, ...(sheet === undefined ? [] : [sheet])].map(quote).join(',')}\n`
}

type WorkbookOptions = {
  folder: string
  name: string
  /** A sheet, or several, `*` for all, to be read one below the other. */
  sheet?: string | readonly string[] | undefined
  /** Where the header of each of several sheets stands. */
  heading?: Heading | undefined
  signal?: AbortSignal | undefined
}

const SHEET_COLUMN = 'sheet'

/** The rows of sheets under the header of the first, with a last column of their names. Throws if another header differs. */
const stackedRows = function* (bytes: Uint8Array, names: readonly string[], heading: Heading): Generator<WorkbookRow> {
  let header: string | undefined
  for (const [index, name] of names.entries()) {
    const heads: string[][] = []
    let row = 0
    for (const cells of rowsOfXlsx(bytes, name)) {
      row += 1
      const isTitle = row <= heading.skip_rows
      const isHead = !isTitle && widthOf(cells) > 0 && heads.length < heading.header_rows
      if (isHead) heads.push(cells.slice(0, widthOf(cells)).map((cell) => cell.trim()))
      if (index === 0 || !(isTitle || isHead))
        yield { cells, sheet: isTitle ? '' : isHead ? (heads.length === 1 ? SHEET_COLUMN : '') : name }
    }
    header ??= JSON.stringify(heads)
    if (header !== JSON.stringify(heads))
      throw new Error(`its sheet ${name} has other columns than ${names[0]}; name those with the same ones in "sheet"`)
  }
}

const rowsOf = function* (bytes: Uint8Array, { sheet, heading }: WorkbookOptions): Generator<WorkbookRow> {
  const sheets = sheetsOfXlsx(bytes)
  const names = sheet === undefined || typeof sheet === 'string' ? [] : sheet.includes('*') ? sheets : sheet
  const missing = [sheet ?? [], names].flat().find((name) => name !== '*' && !sheets.includes(name))
  if (missing !== undefined) throw new Error(`it has no sheet ${missing}; it has ${sheets.join(', ')}`)
  if (names.length > 0) yield* stackedRows(bytes, names, heading ?? { skip_rows: 0, header_rows: 1 })
  else for (const cells of rowsOfXlsx(bytes, sheet?.toString())) yield { cells }
}

/**
 * Writes a sheet of a workbook, by default the first one, as a comma-separated file into a folder: every row with as
 * many fields as the widest has, of several sheets with their names in a last column `sheet`. INVALID_PARAMS if it is no
 * workbook, lacks a sheet, its sheets have different headers, or it inflates beyond its limits.
 */
export const workbookToCsv = async (path: string, options: WorkbookOptions): Promise<string> => {
  const { folder, name, signal } = options
  const bytes = await readBytesOf(path, name)
  const target = join(folder, `${randomUUID()}.csv`)
  const file = createWriteStream(target, { flags: 'wx' })
  try {
    let width = 0
    let rows = 0
    for (const { cells } of rowsOf(bytes, options)) {
      width = Math.max(width, widthOf(cells))
      rows += 1
      if (width * rows > MAX_CELLS)
        throw new Error(`it has more than ${rows} rows up to column ${width}; remove what is far from its table`)
      if (rows % PAUSE_ROWS > 0) continue
      await setImmediate()
      signal?.throwIfAborted()
    }
    for (const row of rowsOf(bytes, options)) {
      signal?.throwIfAborted()
      if (!file.write(lineOf(row, width))) await once(file, 'drain')
      // Rows may be far wider than what is in them.
      if (file.bytesWritten > MAX_CSV_BYTES) throw new Error(`its rows are more than ${MAX_CSV_BYTES} bytes as CSV`)
    }
    file.end()
    await once(file, 'finish')
    return target
  } catch (cause) {
    file.destroy()
    await rm(target, { force: true })
    throw invalidWorkbook(name, cause)
  }
}
