import { sparkline } from './plot.ts'
import { isConstant, type Shown } from './shown.ts'
import type { Table } from './table.ts'
import type { Style } from './terminal.ts'

/** What a series is best read by, the first that moves. */
const tellingLevels = [/index$/, /^stable_/, /median/, /avg/, /./]

export const isSeries = ({ columns, rows }: Table): boolean =>
  rows.length > 1 && columns.some(({ name }) => name === 'date')

/** The columns drawn as lines: the level of the series and its change. */
export const tellingColumns = (columns: readonly Shown[]): Shown[] => {
  const moving = columns.filter((column) => column.isNumeric && !isConstant(column))
  const changes = moving.filter(({ name }) => name.endsWith('change_pct'))
  const levels = moving.filter((column) => !changes.includes(column))
  const [level] = tellingLevels.flatMap((pattern) => levels.find(({ name }) => pattern.test(name)) ?? [])
  return [...(level ? [level] : []), ...changes.slice(0, 1)]
}

/** First and last figure of a column, and its extremes. */
const spanOf = (values: readonly unknown[], cells: readonly string[]): string => {
  const known = values.flatMap((value, i) => (typeof value === 'number' ? [{ value, cell: cells[i]! }] : []))
  const ranked = [...known].sort((a, b) => a.value - b.value)
  return `${known[0]?.cell} → ${known.at(-1)?.cell} · low ${ranked[0]?.cell} · high ${ranked.at(-1)?.cell}`
}

/** A line of blocks for each column, with where it starts and ends. */
export const sparklines = (columns: readonly Shown[], width: number, style: Style): string[] => {
  const indent = Math.max(0, ...columns.map(({ name }) => name.length)) + 2
  return columns.map(({ name, values, cells }) => {
    const span = spanOf(values, cells)
    const line = sparkline(values as (number | null)[], Math.max(10, width - indent - span.length - 2))
    return `${style.dim(name.padEnd(indent))}${style.plot(line)}  ${span}`
  })
}
