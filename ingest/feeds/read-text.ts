import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Database, Value } from '../database.ts'
import { scanXml, splitJson } from '../text/json.ts'
import { scanCsv, scanJsonLines } from '../text/scan.ts'
import type { Heading } from '../text/scanner.ts'
import type { ScannedCsv, ScannedJson, ScannedText, TextOptions, TextSink } from '../text/types.ts'
import { workbookToCsv } from '../text/workbook.ts'
import { delimiterOf } from './heading.ts'
import type { NumberedFile } from './layout.ts'
import type { Description } from './mapping.ts'

/** A scanned text file, ready for the reader. */
export type ScannedFile = ScannedText | ScannedCsv | ScannedJson

/** The line counts of a text file; null for JSON documents, whose lines do not matter. */
export type Lines = Pick<ScannedText, 'header_lines' | 'blank_lines' | 'continuation_lines'> & { lines: number | null }

export const NO_LINES: Lines = { lines: null, header_lines: 0, blank_lines: 0, continuation_lines: 0 }

/** The maximum length of a quoted line in the quarantine. */
const MAX_QUOTED_LENGTH = 500

/** Where the header of a table stands, by its mapping. */
export const headingOf = ({ skip_rows = 0, header = 1 }: Description): Heading => ({
  skip_rows,
  header_rows: header === false ? 0 : header,
})

const scanWorkbook = async (file: NumberedFile, options: TextOptions, sink: TextSink): Promise<ScannedCsv> => {
  const { path, description } = file
  const { folder, name, signal } = options
  const heading = headingOf(description)
  const copied = await workbookToCsv(path, { folder, name, signal, sheet: description.sheet, heading })
  try {
    const scanned = await scanCsv(copied, { folder, name, signal, delimiter: ',', heading }, sink)
    if (scanned.is_copy) await rm(copied)
    return { ...scanned, is_copy: true }
  } catch (cause) {
    await rm(copied, { force: true })
    throw cause
  }
}

const scanFormat = (file: NumberedFile, options: TextOptions, sink: TextSink): Promise<ScannedFile> => {
  const { path, format, description } = file
  const { json_path, record } = description
  if (format === 'xlsx') return scanWorkbook(file, options, sink)
  if (format === 'xml') return scanXml(path, { ...options, record }, sink)
  if (format === 'csv')
    return scanCsv(path, { ...options, delimiter: delimiterOf(file), heading: headingOf(description) }, sink)
  return json_path !== undefined || format === 'json'
    ? splitJson(path, { ...options, json_path }, sink)
    : scanJsonLines(path, options, sink)
}

/**
 * Scans a text file: the result for the reader is plain UTF-8, and rejected lines are in the quarantine. The offsets
 * between records and lines go to `line_shift`.
 */
export const scanText = async (
  database: Database,
  file: NumberedFile,
  folder: string,
  signal?: AbortSignal,
): Promise<ScannedFile> => {
  const { name, number, description } = file
  const { encoding } = description
  const quarantine: Value[][] = []
  const shifts: Value[][] = []
  const sink: TextSink = {
    rejected: (line, code, text) => quarantine.push([number, line, code, null, text]),
    shifted: (records, offset) => shifts.push([number, records, offset]),
  }
  const scanned = await scanFormat(file, { encoding, folder, name, signal }, sink)
  if (quarantine.length > 0) await database.append('quarantine', quarantine)
  if (shifts.length > 0) await database.append('line_shift', shifts)
  return scanned
}

/** Stores the texts of some records of a file in `line_text`, for the quarantine: the lines of the file at `path`. */
export const quoteLines = async (
  database: Database,
  { number, path }: { number: number; path: string },
  records: ReadonlySet<number>,
): Promise<void> => {
  if (records.size === 0) return
  const rows: Value[][] = []
  let record = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    record += 1
    if (records.has(record)) rows.push([number, record, line.slice(0, MAX_QUOTED_LENGTH)])
  }
  await database.append('line_text', rows)
}
