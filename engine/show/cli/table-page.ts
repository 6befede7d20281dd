import { lowerFirst } from '../title.ts'
import { maxCellWidth, padCellsEnd, truncateCells } from './cells.ts'
import { type DisplayColumn, displayColumns, isConstant, isEmpty, withoutRepeated } from './display-column.ts'
import { fitting, grid, gridWidth } from './grid.ts'
import { bar } from './plot.ts'
import { isSeries, PARTIAL_NOTE, plottedColumns, seriesPlots, withPartialMarks } from './series.ts'
import type { Table } from './table.ts'
import { type Breakable, dotted, labelled, type Style, wrap } from './terminal.ts'

/** The maximum number of rows on a page: a month of days. */
const MAX_ROWS = 31
const MAX_BAR_WIDTH = 40
const MAX_LABEL_WIDTH = 28
const MAX_CONSTANT_WIDTH = 120

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
    i < headLines ? line : `${padCellsEnd(line, width)}  ${style.plot(bars[i - headLines]!)}`.trimEnd(),
  )
}

/** The titles of columns; those of a record that are all named are named by the record. */
const titlesOf = (columns: readonly DisplayColumn[], all: readonly DisplayColumn[]): string => {
  const isWhole = (record: string) => all.every((column) => column.record !== record || columns.includes(column))
  const titles = columns.map(({ title, record }) => lowerFirst(record && isWhole(record) ? record : title))
  return [...new Set(titles)].join(', ')
}

type Chosen = Readonly<Record<'visible' | 'constant' | 'empty' | 'narrow', readonly DisplayColumn[]>>

/** What the rows do not show: values that are the same in every row, and columns without values or room. */
const remarks = (
  table: Table,
  all: readonly DisplayColumn[],
  { visible, constant, empty, narrow }: Chosen,
): Breakable[] => {
  const hidden = Math.max(0, table.rows.length - MAX_ROWS)
  return [
    ...(visible.some(({ name, cells }) => name === 'period' && cells.some((cell) => cell.endsWith('*')))
      ? [PARTIAL_NOTE]
      : []),
    ...(hidden > 0 ? [`${hidden} ${isSeries(table) ? 'earlier' : 'further'} rows: --csv has all.`] : []),
    ...(constant.length > 0
      ? [
          [
            'In every row:',
            ...dotted(
              constant.map(({ title, values, withUnit }) =>
                truncateCells(`${lowerFirst(title)} ${withUnit(values[0])}`, MAX_CONSTANT_WIDTH),
              ),
            ),
          ],
        ]
      : []),
    ...(empty.length > 0 ? [`Without a value: ${titlesOf(empty, all)}.`] : []),
    ...(narrow.length > 0 ? [`No room for: ${titlesOf(narrow, all)}; --csv has all.`] : []),
  ]
}

const shorten = (column: DisplayColumn, isLast: boolean): DisplayColumn => {
  const part = <T>(values: readonly T[]) => (isLast ? values.slice(-MAX_ROWS) : values.slice(0, MAX_ROWS))
  return { ...column, cells: part(column.cells), values: part(column.values) }
}

/** A single row with more figures than fit side by side: one below the other. */
const rowLines = (columns: readonly DisplayColumn[], width: number, style: Style): string[] => {
  const indent = Math.min(MAX_LABEL_WIDTH, maxCellWidth(columns.map(({ title }) => title)) + 2)
  return columns.flatMap(({ title, values, withUnit }) => {
    const [first = '', ...rest] = labelled(title, withUnit(values[0]), indent, width)
    return [first.replace(title, style.dim), ...rest]
  })
}

/** The currency of amounts, and how many columns a short page shows, without what it leaves out. */
type TablePageOptions = { currency?: unknown; max_columns?: number }

/**
 * A table as text: plots of a series, bars for a histogram and for shares, and the rows. Columns that are constant, empty
 * or do not fit are listed below; of the others the most important are chosen.
 */
export const tablePage = (
  table: Table,
  width: number,
  style: Style,
  { currency, max_columns }: TablePageOptions = {},
): string[] => {
  if (table.rows.length === 0) return [style.bold(table.name), 'none']
  const all = displayColumns(table, currency)
  const distinct = withPartialMarks(withoutRepeated(all))
  // The first column labels the rows, so it is kept even if it is constant.
  const empty = distinct.filter(isEmpty)
  const constant = distinct.filter((column, i) => isConstant(column) && i > 0 && !empty.includes(column))
  const moving = distinct.filter((column) => !constant.includes(column) && !empty.includes(column))
  const plotted = isSeries(table) ? plottedColumns(moving) : []
  const label = moving.find(({ role }) => role !== 'key') ?? moving[0]
  const order = ({ name, rank }: DisplayColumn): number => {
    if (name === label?.name) return -2
    return plotted.some((column) => column.name === name) ? -1 : rank
  }
  const isShort = max_columns !== undefined
  const price = moving.find(({ name, unit }) => unit && /(^|_)price$/.test(name))
  // Without a price nobody can use a row of prices.
  const shortOrder = (column: DisplayColumn) => (column.name === price?.name ? 0 : order(column))
  const important = moving
    .filter(({ role }) => !isShort || role !== 'key')
    .toSorted((a, b) => shortOrder(a) - shortOrder(b))
    .slice(0, max_columns)
  const shortened = moving
    .filter((column) => important.includes(column))
    .map((column) => shorten(column, isSeries(table)))
  const visible = fitting(shortened, width, isShort ? shortOrder : order)
  const notesOf = ({ visible, ...others }: Chosen) =>
    remarks(table, all, isShort ? { visible, constant: [], empty: [], narrow: [] } : { visible, ...others })
      .flatMap((note) => wrap(note, width))
      .map(style.dim)
  if (table.rows.length === 1 && visible.length < moving.length)
    return [
      style.bold(table.name),
      ...rowLines(isShort ? important : moving, width, style),
      ...notesOf({ visible: [], constant, empty, narrow: [] }),
    ]
  const barSource = barColumn(visible)
  const lines = grid(visible, width, style)
  const used = gridWidth(visible, width)
  const rows = barSource ? withBars(lines, barCells(barSource, width - used - 2), used, style) : lines
  const narrow = moving.filter((column) => !visible.some(({ name }) => name === column.name))
  const dates = all.find(({ name }) => name === 'date')?.cells ?? []
  return [
    style.bold(table.name),
    ...seriesPlots(plotted, dates, width, style),
    ...(plotted.length > 0 ? [''] : []),
    ...rows,
    ...notesOf({ visible, constant, empty, narrow }),
  ]
}
