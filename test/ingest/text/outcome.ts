import { expect } from 'vitest'
import { type Content, type Given, rowsOf, scanCsvOf } from './scanning.ts'

/** Lines with their ends. */
export const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

/** What becomes of a file: its counts, the rows DuckDB reads with their lines, and the lines set aside. */
export const outcome = async (content: Content, given: Given = {}) => {
  const { scanned, rejected, lineOf } = await scanCsvOf(content, given)
  const rows = await rowsOf(scanned, given.delimiter)
  expect(rows).toHaveLength(scanned.records)
  const { lines, header_lines, blank_lines, continuation_lines, records } = scanned
  expect(lines).toBe(header_lines + records + scanned.rejected + continuation_lines + blank_lines)
  return {
    is_copy: scanned.is_copy,
    rows: rows.map((row, index) => [lineOf(index + 1), ...row]),
    rejected: rejected.map(({ line, code, text }) => [line, code, text]),
    blank_lines,
    continuation_lines,
  }
}

/** Nothing but records. */
export const clean = { rejected: [], blank_lines: 0, continuation_lines: 0 }
