import { maxCellWidth, padCellsEnd, padCellsStart, truncateCells } from './cells.ts'
import { type Style, wrap } from './terminal.ts'

/** A column of formatted cells; the sign of their unit is below its title. */
export type GridColumn = {
  title: string
  unit?: string
  isRight: boolean
  /** Whether its cells are of no use if they are cut. */
  isWhole?: boolean
  cells: readonly string[]
}

const GAP = '  '
/** The widest cells of text, in the order of preference. */
const CELL_LIMITS = [60, 50, 40, 34, 28, 22, 16]
/** The part of a page that the texts of a column may take while columns are chosen: others need room beside them. */
const MAX_CELL_SHARE = 0.35
/** The part that they may take where shorter ones would be the same. */
const MAX_DISTINCT_SHARE = 0.5

/** A column with cells of at most `limit`, or more where different texts would be the same. */
const cut = <T extends GridColumn>(column: T, limit: number, width: number): T => {
  if (column.isWhole) return column
  const distinct = new Set(column.cells).size
  const wider = CELL_LIMITS.filter((cells) => cells > limit && cells <= width * MAX_DISTINCT_SHARE).reverse()
  const cutTo = (cells: number) => column.cells.map((cell) => truncateCells(cell, cells))
  const narrow = cutTo(limit)
  const isDistinct = (cells: readonly string[]) => new Set(cells).size === distinct
  if (isDistinct(narrow)) return { ...column, cells: narrow }
  for (const cells of wider) {
    const wide = cutTo(cells)
    if (isDistinct(wide)) return { ...column, cells: wide }
  }
  return { ...column, cells: narrow }
}

/** The lines of a column's heading: titles, and names such as `observation_count`, are broken above narrow columns. */
const headLines = ({ title, unit = '', cells }: GridColumn): string[] => {
  const words = title.split(/[ _.]/)
  return [...wrap(words.join(' '), maxCellWidth([...cells, ...words])), ...(unit === '' ? [] : [unit])]
}

const widthOf = (column: GridColumn): number => maxCellWidth([...headLines(column), ...column.cells])

const totalWidth = (columns: readonly GridColumn[]): number =>
  columns.reduce((sum, column) => sum + widthOf(column), 0) + GAP.length * Math.max(0, columns.length - 1)

/** The columns that fit into `width`, chosen by rank (lowest first) and in their original order. */
export const fitting = <T extends GridColumn>(
  columns: readonly T[],
  width: number,
  rank: (column: T) => number,
): T[] => {
  const limit = CELL_LIMITS.find((cells) => cells <= width * MAX_CELL_SHARE) ?? CELL_LIMITS.at(-1)!
  const ranked = [...columns].sort((a, b) => rank(a) - rank(b))
  const chosen = new Set<T>()
  let free = width
  for (const column of ranked) {
    const needed = widthOf(cut(column, limit, width)) + (chosen.size > 0 ? GAP.length : 0)
    if (needed > free && chosen.size > 0) continue
    chosen.add(column)
    free -= needed
  }
  return columns.filter((column) => chosen.has(column))
}

/** Columns with texts cut as far as the page requires. */
const cutToFit = (columns: readonly GridColumn[], width: number): GridColumn[] => {
  let candidate = columns
  for (const limit of CELL_LIMITS) {
    candidate = columns.map((column) => cut(column, limit, width))
    if (totalWidth(candidate) <= width) break
  }
  return [...candidate]
}

/** The width of a grid on a page of `width` cells. */
export const gridWidth = (columns: readonly GridColumn[], width: number): number => totalWidth(cutToFit(columns, width))

/** Columns side by side with headings, on a page of `width` cells; numbers are right-aligned. */
export const grid = (all: readonly GridColumn[], width: number, style: Style): string[] => {
  const columns = cutToFit(all, width)
  const heads = columns.map(headLines)
  const height = Math.max(0, ...heads.map((lines) => lines.length))
  const widths = columns.map(widthOf)
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => (columns[i]!.isRight ? padCellsStart(text, widths[i]!) : padCellsEnd(text, widths[i]!)))
      .join(GAP)
      .trimEnd()
  const head = Array.from({ length: height }, (_, row) =>
    style.dim(line(heads.map((lines) => lines[row - height + lines.length] ?? ''))),
  )
  const count = Math.max(0, ...columns.map(({ cells }) => cells.length))
  return [...head, ...Array.from({ length: count }, (_, row) => line(columns.map(({ cells }) => cells[row] ?? '')))]
}
