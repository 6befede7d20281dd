import { type DisplayColumn, isConstant } from './display-column.ts'
import { sparkline } from './plot.ts'
import type { Table } from './table.ts'
import type { Style } from './terminal.ts'

/** The names of level columns by preference: the first one that is not constant is plotted. */
const levelPatterns = [/index$/, /^stable_/, /median/, /avg/, /./]

export const isSeries = ({ columns, rows }: Table): boolean =>
  rows.length > 1 && columns.some(({ name }) => name === 'date')

/** The columns plotted as sparklines: the level of the series and its change. */
export const plottedColumns = (columns: readonly DisplayColumn[]): DisplayColumn[] => {
  const moving = columns.filter((column) => column.isNumeric && !isConstant(column))
  const changes = moving.filter(({ name }) => name.endsWith('change_pct'))
  const levels = moving.filter((column) => !changes.includes(column))
  const [level] = levelPatterns.flatMap((pattern) => levels.find(({ name }) => pattern.test(name)) ?? [])
  return [...(level ? [level] : []), ...changes.slice(0, 1)]
}

/** The first and last figure of a column, with the lowest and highest if they fit into `width`; empty if nothing does. */
const spanOf = ({ values, cells }: DisplayColumn, width: number): string => {
  const numbers = values.flatMap((value, i) => (typeof value === 'number' ? [{ value, cell: cells[i]! }] : []))
  const ranked = [...numbers].sort((a, b) => a.value - b.value)
  const ends = `${numbers[0]?.cell} → ${numbers.at(-1)?.cell}`
  const all = `${ends} · low ${ranked[0]?.cell} · high ${ranked.at(-1)?.cell}`
  return [all, ends].find((text) => text.length <= width) ?? ''
}

const MIN_LINE_WIDTH = 10
const GAP = 2

/** A sparkline for each column, with its first and last figure. */
export const sparklines = (columns: readonly DisplayColumn[], width: number, style: Style): string[] => {
  const indent = Math.max(0, ...columns.map(({ name }) => name.length)) + GAP
  return columns.map((column) => {
    const span = spanOf(column, width - indent - MIN_LINE_WIDTH - GAP)
    const line = sparkline(
      column.values as (number | null)[],
      Math.max(MIN_LINE_WIDTH, width - indent - span.length - GAP),
    )
    return `${style.dim(column.name.padEnd(indent))}${style.plot(line)}  ${span}`.trimEnd()
  })
}
