import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { EngineError } from '../../engine/index.ts'
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

const lineOf = (cells: readonly string[], width: number): string =>
  widthOf(cells) === 0
    ? '\n'
    : `${Array.from({ length: width }, (_, index) => quote((cells[index] ?? '').replace(/\r\n?/g, '\n'))).join(',')}\n`

type WorkbookOptions = {
  folder: string
  name: string
  sheet?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Writes a sheet of a workbook, by default the first one, as a comma-separated file into a folder: every row with as
 * many fields as the widest has. INVALID_PARAMS if it is no workbook, lacks the sheet, or inflates beyond its limits.
 */
export const workbookToCsv = async (
  path: string,
  { folder, name, sheet, signal }: WorkbookOptions,
): Promise<string> => {
  const bytes = await readBytesOf(path, name)
  const target = join(folder, `${randomUUID()}.csv`)
  const file = createWriteStream(target, { flags: 'wx' })
  try {
    const sheets = sheetsOfXlsx(bytes)
    if (sheet !== undefined && !sheets.includes(sheet))
      throw new Error(`it has no sheet ${sheet}; it has ${sheets.join(', ')}`)
    let width = 0
    let rows = 0
    const table = rowsOfXlsx(bytes, sheet)
    for (const cells of table) {
      width = Math.max(width, widthOf(cells))
      rows += 1
      if (width * rows > MAX_CELLS)
        throw new Error(`it has more than ${rows} rows up to column ${width}; remove what is far from its table`)
      if (rows % PAUSE_ROWS > 0) continue
      await setImmediate()
      signal?.throwIfAborted()
    }
    for (const cells of table) {
      signal?.throwIfAborted()
      if (!file.write(lineOf(cells, width))) await once(file, 'drain')
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
