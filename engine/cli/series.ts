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

/** The first, last, lowest and highest figure of a column. */
const spanOf = (values: readonly unknown[], cells: readonly string[]): string => {
  const numbers = values.flatMap((value, i) => (typeof value === 'number' ? [{ value, cell: cells[i]! }] : []))
  const ranked = [...numbers].sort((a, b) => a.value - b.value)
  return `${numbers[0]?.cell} → ${numbers.at(-1)?.cell} · low ${ranked[0]?.cell} · high ${ranked.at(-1)?.cell}`
}

/** A sparkline for each column, with its first and last figure. */
export const sparklines = (columns: readonly DisplayColumn[], width: number, style: Style): string[] => {
  const indent = Math.max(0, ...columns.map(({ name }) => name.length)) + 2
  return columns.map(({ name, values, cells }) => {
    const span = spanOf(values, cells)
    const line = sparkline(values as (number | null)[], Math.max(10, width - indent - span.length - 2))
    return `${style.dim(name.padEnd(indent))}${style.plot(line)}  ${span}`
  })
}
