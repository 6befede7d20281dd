import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Database, Value } from '../database.ts'
import { splitJson } from '../text/json.ts'
import { scanCsv, scanJsonLines } from '../text/scan.ts'
import type { ScannedCsv, ScannedJson, ScannedText, TextSink } from '../text/types.ts'
import { delimiterOf } from './heading.ts'
import type { NumberedFile } from './layout.ts'

/** A text file as its reader gets it. */
export type Scanned = ScannedText | ScannedCsv | ScannedJson

/** What a text file holds, line by line. Documents of JSON have no lines of their own: null. */
export type Lines = Pick<ScannedText, 'header_lines' | 'blank_lines' | 'continuation_lines'> & { lines: number | null }

export const NO_LINES: Lines = { lines: null, header_lines: 0, blank_lines: 0, continuation_lines: 0 }

/** The most of a line that the quarantine quotes. */
const MAX_QUOTED = 500

/**
 * Scans a text file: what its reader gets is plain UTF-8, and every line that it does not get is in the quarantine. How
 * records are shifted from their lines goes to `line_shift`.
 */
export const scanText = async (database: Database, file: NumberedFile, folder: string): Promise<Scanned> => {
  const { path, name, number, format, description } = file
  const { encoding, json_path } = description
  await database.execute('DELETE FROM refused_row; DELETE FROM line_shift; DELETE FROM line_text')
  const quarantine: Value[][] = []
  const shifts: Value[][] = []
  const sink: TextSink = {
    rejected: (line, code, text) => quarantine.push([number, line, code, null, text]),
    shifted: (records, offset) => shifts.push([records, offset]),
  }
  const options = { encoding, folder, name }
  const scanned =
    format === 'csv'
      ? await scanCsv(path, { ...options, delimiter: delimiterOf(file) }, sink)
      : json_path !== undefined || format === 'json'
        ? await splitJson(path, { ...options, json_path }, sink)
        : await scanJsonLines(path, options, sink)
  await database.append('quarantine', quarantine)
  await database.append('line_shift', shifts)
  return scanned
}

/** Puts the texts of some lines of a plain file into `line_text`, for the quarantine to quote. */
export const quoteLines = async (database: Database, path: string, numbers: readonly number[]): Promise<void> => {
  if (numbers.length === 0) return
  const wanted = new Set(numbers)
  const rows: Value[][] = []
  let at = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    at += 1
    if (wanted.has(at)) rows.push([at, line.slice(0, MAX_QUOTED)])
  }
  await database.append('line_text', rows)
}
