import { alignColumns, escaped } from '../../cli/table.ts'
import { COLUMNS_OF, type Column, FEEDS } from '../../feeds/columns.ts'
import type { TrialRow } from '../trial-rows.ts'

const MAX_CELL = 32
const INDENT = '  '

const cellOf = (value: unknown): string => {
  const text =
    value === undefined ? '' : Array.isArray(value) ? value.join(' | ') : String(value).replace('T00:00:00.000Z', '')
  return escaped(text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 3)}...` : text)
}

/** Columns side by side as far as they fit, the rest below them. */
const inWidth = (columns: readonly (readonly string[])[], width: number): string[][][] => {
  const bands: string[][][] = []
  let remaining = 0
  for (const column of columns) {
    const columnWidth = Math.max(...column.map((cell) => cell.length)) + 2
    if (remaining < columnWidth || bands.length === 0) {
      bands.push([])
      remaining = width - INDENT.length
    }
    bands.at(-1)!.push([...column])
    remaining -= columnWidth
  }
  return bands
}

const rowsOf = (columns: readonly (readonly string[])[]): string[][] =>
  (columns[0] ?? []).map((_, index) => columns.map((column) => column[index]!))

const renderFeed = (rows: readonly TrialRow[], columns: readonly Column[], width: number): string[] => {
  const filled = columns.filter((column) => rows.some(({ values }) => values[column] !== undefined))
  const cells = filled.map((column) => [column as string, ...rows.map(({ values }) => cellOf(values[column]))])
  return inWidth(cells, width).flatMap((band, index) => [
    ...(index > 0 ? [''] : []),
    ...alignColumns(rowsOf(band), band.length).map((line) => `${INDENT}${line}`),
  ])
}

/** Rows as tables no wider than the terminal, one for each feed. */
export const renderRows = (rows: readonly TrialRow[], width: number): string[] => {
  const feeds = FEEDS.filter((feed) => rows.some((row) => row.feed === feed))
  return feeds.flatMap((feed, index) => [
    ...(index > 0 ? [''] : []),
    ...(feeds.length > 1 ? [`${INDENT}${feed}:`] : []),
    ...renderFeed(
      rows.filter((row) => row.feed === feed),
      COLUMNS_OF[feed],
      width,
    ),
  ])
}
