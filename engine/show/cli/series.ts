import { hasPeriods } from '../answer-fields.ts'
import { cellWidth } from './cells.ts'
import { type DisplayColumn, isConstant } from './display-column.ts'
import { changeLines, sparkline } from './plot.ts'
import type { Table } from './table.ts'
import type { Style } from './terminal.ts'

/** The names of level columns by preference, after the headline: the first one that is not constant is plotted. */
const levelPatterns = [/index$/, /^stable_/, /median/, /avg/, /_pct$/, /./]

export const isSeries = ({ columns, rows }: Table): boolean => rows.length > 1 && hasPeriods(columns)

/** Marks periods that the window cuts with a star in place of a column of their own. */
export const PARTIAL_NOTE = '* The window cuts this period.'
export const withPartialMarks = (columns: readonly DisplayColumn[]): DisplayColumn[] => {
  const partial = columns.find(({ name }) => name === 'partial')
  if (!partial) return [...columns]
  const marked = (cells: readonly string[]) => cells.map((cell, i) => (partial.values[i] === true ? `${cell}*` : cell))
  return columns
    .filter((column) => column !== partial)
    .map((column) => (column.name === 'period' ? { ...column, cells: marked(column.cells) } : column))
}

/** The columns that are plotted: the level of the series, and its change, since the first period if there is one. */
export const plottedColumns = (columns: readonly DisplayColumn[]): DisplayColumn[] => {
  const moving = columns.filter((column) => column.isNumeric && !isConstant(column))
  const changes = moving.filter(({ isSigned }) => isSigned)
  const levels = moving.filter((column) => !changes.includes(column))
  const [level] = [
    ...levels.filter(({ isHeadline }) => isHeadline),
    ...levelPatterns.flatMap((pattern) => levels.find(({ name }) => pattern.test(name)) ?? []),
  ]
  const change = changes.find(({ name }) => name.includes('.')) ?? changes[0]
  return [...(level ? [level] : []), ...(change ? [change] : [])]
}

/** The first and last figure of a column, with the lowest and highest if they fit into `width`; empty if nothing does. */
const spanOf = ({ values, withUnit }: DisplayColumn, width: number): string => {
  const numbers = values.filter((value) => typeof value === 'number')
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const change = `${withUnit(numbers[0])} → ${withUnit(numbers.at(-1))}`
  const all = `${change} · low ${withUnit(low)} · high ${withUnit(high)}`
  return [all, change].find((text) => cellWidth(text) <= width) ?? ''
}

const GAP = 2

/** The first and last date below the ends of a plot. */
const dateLine = (dates: readonly string[], width: number): string => {
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  return `${first}${last.padStart(Math.max(GAP + last.length, width - first.length))}`
}

/**
 * Each column as a plot as wide as the page: its title with the first and last figure, the plot (changes above and below a
 * zero line), and the first and last date.
 */
export const seriesPlots = (
  columns: readonly DisplayColumn[],
  dates: readonly string[],
  width: number,
  style: Style,
): string[] =>
  columns.flatMap((column) => {
    const values = column.values as (number | null)[]
    const lines = column.isSigned ? changeLines(values, width) : [sparkline(values, width)]
    const span = spanOf(column, width - cellWidth(column.title) - GAP)
    return [
      `${style.dim(column.title)}  ${span}`.trimEnd(),
      ...lines.map((line) => style.plot(line.trimEnd())),
      style.dim(dateLine(dates, Math.max(...lines.map(cellWidth)))),
    ]
  })
