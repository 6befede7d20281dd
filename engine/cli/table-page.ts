import { ABSENT } from './figure.ts'
import { fitting, grid, gridWidth } from './grid.ts'
import { bar } from './plot.ts'
import { isSeries, sparklines, tellingColumns } from './series.ts'
import { isConstant, type Shown, shownColumns } from './shown.ts'
import type { Table } from './table.ts'
import { type Breakable, dotted, type Style, wrap } from './terminal.ts'

/** Rows shown of a table: a month of days. */
const ROWS_SHOWN = 31
const LONGEST_BAR = 40

/** Ids and addresses name things to machines: people have them where there is room. */
const isCode = ({ name }: Shown): boolean => /(^|_)(uid|id|url)$/.test(name)

/** The column whose sizes are drawn as bars: shares, or the counts of a histogram. */
const barColumn = (columns: readonly Shown[]): Shown | undefined =>
  columns.find(({ name }) => name === 'share_pct') ??
  (columns.length === 2 && !columns[0]!.isNumeric ? columns.find(({ isNumeric }) => isNumeric) : undefined)

const barCells = ({ values }: Shown, width: number): string[] => {
  const sizes = values.map(Number)
  return sizes.map((size) => bar(size, Math.max(...sizes), Math.min(width, LONGEST_BAR)))
}

const withBars = (lines: readonly string[], bars: readonly string[], width: number, style: Style): string[] => {
  const headLines = lines.length - bars.length
  return lines.map((line, i) =>
    i < headLines ? line : `${line.padEnd(width)}  ${style.plot(bars[i - headLines]!)}`.trimEnd(),
  )
}

const remarks = (
  table: Table,
  constant: readonly Shown[],
  narrow: readonly Shown[],
  hidden: number,
): readonly Breakable[] => [
  ...(hidden > 0 ? [`${hidden} ${isSeries(table) ? 'earlier' : 'further'} rows: --csv has all.`] : []),
  ...(constant.length > 0
    ? [['In every row:', ...dotted(constant.map(({ name, cells }) => `${name} ${cells[0]}`))]]
    : []),
  ...(narrow.length > 0 ? [`No room for: ${narrow.map(({ name }) => name).join(', ')}; --csv has all.`] : []),
]

const shorten = (column: Shown, isLast: boolean): Shown => {
  const part = <T>(values: readonly T[]) => (isLast ? values.slice(-ROWS_SHOWN) : values.slice(0, ROWS_SHOWN))
  return { ...column, cells: part(column.cells), values: part(column.values) }
}

/**
 * A table for people: lines for a series, bars for a histogram and for shares, then the rows. Columns that hold one
 * value throughout, and those for which there is no room, are named below.
 */
export const tablePage = (table: Table, width: number, style: Style): string[] => {
  if (table.rows.length === 0) return [style.bold(table.name), 'none']
  const all = shownColumns(table)
  // The first column names the rows, even where they all have one name.
  const constant = all.filter((column, i) => isConstant(column) && (i > 0 || column.cells[0] === ABSENT))
  const moving = all.filter((column) => !constant.includes(column))
  const telling = isSeries(table) ? tellingColumns(moving) : []
  const label = moving.find((column) => !isCode(column)) ?? moving[0]
  const rank = (column: Shown): number => {
    if (column === label) return -2
    if (telling.includes(column) || column.isHeadline) return -1
    return moving.indexOf(column) + (isCode(column) ? moving.length : 0)
  }
  const chosen = fitting(moving, width, rank)
  const visible = chosen.map((column) => shorten(column, isSeries(table)))
  const measured = barColumn(visible)
  const lines = grid(visible, style)
  const taken = gridWidth(visible)
  const rows = measured ? withBars(lines, barCells(measured, width - taken - 2), taken, style) : lines
  const narrow = moving.filter((column) => !chosen.includes(column))
  const notes = remarks(table, constant, narrow, Math.max(0, table.rows.length - ROWS_SHOWN))
  return [
    style.bold(table.name),
    ...sparklines(telling, width, style),
    ...(telling.length > 0 ? [''] : []),
    ...rows,
    ...notes.flatMap((note) => wrap(note, width)).map(style.dim),
  ]
}
