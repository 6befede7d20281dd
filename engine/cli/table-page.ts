import { type DisplayColumn, displayColumns, isConstant } from './display-column.ts'
import { ABSENT } from './figure.ts'
import { fitting, grid, gridWidth } from './grid.ts'
import { bar } from './plot.ts'
import { isSeries, plottedColumns, sparklines } from './series.ts'
import type { Table } from './table.ts'
import { type Breakable, dotted, type Style, wrap } from './terminal.ts'

/** The maximum number of rows on a page: a month of days. */
const MAX_ROWS = 31
const MAX_BAR_WIDTH = 40

/** Ids and addresses are for machines: they are shown only if there is room. */
const isCode = ({ name }: DisplayColumn): boolean => /(^|_)(uid|id|url)$/.test(name)

/** The column that is drawn as bars: shares, or the counts of a histogram. */
const barColumn = (columns: readonly DisplayColumn[]): DisplayColumn | undefined =>
  columns.find(({ name }) => name === 'share_pct') ??
  (columns.length === 2 && !columns[0]!.isNumeric ? columns.find(({ isNumeric }) => isNumeric) : undefined)

const barCells = ({ values }: DisplayColumn, width: number): string[] => {
  const sizes = values.map(Number)
  return sizes.map((size) => bar(size, Math.max(...sizes), Math.min(width, MAX_BAR_WIDTH)))
}

const withBars = (lines: readonly string[], bars: readonly string[], width: number, style: Style): string[] => {
  const headLines = lines.length - bars.length
  return lines.map((line, i) =>
    i < headLines ? line : `${line.padEnd(width)}  ${style.plot(bars[i - headLines]!)}`.trimEnd(),
  )
}

const remarks = (
  table: Table,
  constant: readonly DisplayColumn[],
  narrow: readonly DisplayColumn[],
  hidden: number,
): readonly Breakable[] => [
  ...(hidden > 0 ? [`${hidden} ${isSeries(table) ? 'earlier' : 'further'} rows: --csv has all.`] : []),
  ...(constant.length > 0
    ? [['In every row:', ...dotted(constant.map(({ name, cells }) => `${name} ${cells[0]}`))]]
    : []),
  ...(narrow.length > 0 ? [`No room for: ${narrow.map(({ name }) => name).join(', ')}; --csv has all.`] : []),
]

const shorten = (column: DisplayColumn, isLast: boolean): DisplayColumn => {
  const part = <T>(values: readonly T[]) => (isLast ? values.slice(-MAX_ROWS) : values.slice(0, MAX_ROWS))
  return { ...column, cells: part(column.cells), values: part(column.values) }
}

/**
 * A table as text: sparklines for a series, bars for a histogram and for shares, and the rows. Constant columns and those
 * that do not fit are listed below.
 */
export const tablePage = (table: Table, width: number, style: Style): string[] => {
  if (table.rows.length === 0) return [style.bold(table.name), 'none']
  const all = displayColumns(table)
  // The first column labels the rows, so it is kept even if it is constant.
  const constant = all.filter((column, i) => isConstant(column) && (i > 0 || column.cells[0] === ABSENT))
  const moving = all.filter((column) => !constant.includes(column))
  const plotted = isSeries(table) ? plottedColumns(moving) : []
  const label = moving.find((column) => !isCode(column)) ?? moving[0]
  const rank = (column: DisplayColumn): number => {
    if (column === label) return -2
    if (plotted.includes(column) || column.isHeadline) return -1
    return moving.indexOf(column) + (isCode(column) ? moving.length : 0)
  }
  const chosen = fitting(moving, width, rank)
  const visible = chosen.map((column) => shorten(column, isSeries(table)))
  const barSource = barColumn(visible)
  const lines = grid(visible, style)
  const used = gridWidth(visible)
  const rows = barSource ? withBars(lines, barCells(barSource, width - used - 2), used, style) : lines
  const narrow = moving.filter((column) => !chosen.includes(column))
  const notes = remarks(table, constant, narrow, Math.max(0, table.rows.length - MAX_ROWS))
  return [
    style.bold(table.name),
    ...sparklines(plotted, width, style),
    ...(plotted.length > 0 ? [''] : []),
    ...rows,
    ...notes.flatMap((note) => wrap(note, width)).map(style.dim),
  ]
}
