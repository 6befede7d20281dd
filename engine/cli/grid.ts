import { type Style, wrap } from './terminal.ts'

/** A column of formatted cells. */
export type GridColumn = { name: string; isRight: boolean; cells: readonly string[] }

const GAP = '  '
const MAX_CELL_LENGTH = 40

const truncate = (cell: string): string =>
  cell.length > MAX_CELL_LENGTH ? `${cell.slice(0, MAX_CELL_LENGTH - 1)}…` : cell
const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length))

/** The lines of a column's heading: names such as `observation_count` are broken above narrow columns. */
const headLines = ({ name, cells }: GridColumn): string[] => {
  const words = name.split(/[_.]/)
  return wrap(words.join(' '), longest([...cells.map(truncate), ...words]))
}

const widthOf = (column: GridColumn): number => longest([...headLines(column), ...column.cells.map(truncate)])

/** The columns that fit into `width`, chosen by rank (lowest first) and in their original order. */
export const fitting = <T extends GridColumn>(
  columns: readonly T[],
  width: number,
  rank: (column: T) => number,
): T[] => {
  const ranked = [...columns].sort((a, b) => rank(a) - rank(b))
  const chosen = new Set<T>()
  let left = width
  for (const column of ranked) {
    const needed = widthOf(column) + (chosen.size > 0 ? GAP.length : 0)
    if (needed > left && chosen.size > 0) continue
    chosen.add(column)
    left -= needed
  }
  return columns.filter((column) => chosen.has(column))
}

/** The width of a grid. */
export const gridWidth = (columns: readonly GridColumn[]): number =>
  columns.reduce((sum, column) => sum + widthOf(column), 0) + GAP.length * Math.max(0, columns.length - 1)

/** Columns side by side with headings; numbers are right-aligned. */
export const grid = (columns: readonly GridColumn[], style: Style): string[] => {
  const heads = columns.map(headLines)
  const height = Math.max(0, ...heads.map((lines) => lines.length))
  const widths = columns.map(widthOf)
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => (columns[i]!.isRight ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join(GAP)
      .trimEnd()
  const head = Array.from({ length: height }, (_, row) =>
    style.dim(line(heads.map((lines) => lines[row - height + lines.length] ?? ''))),
  )
  const count = Math.max(0, ...columns.map(({ cells }) => cells.length))
  return [
    ...head,
    ...Array.from({ length: count }, (_, row) => line(columns.map(({ cells }) => truncate(cells[row] ?? '')))),
  ]
}
