import { ABSENT, decimalsOf, figure } from './figure.ts'
import type { GridColumn } from './grid.ts'
import type { Table } from './table.ts'

/** A column of a table with its values and their formatted text. */
export type DisplayColumn = GridColumn & { values: readonly unknown[]; isNumeric: boolean; isHeadline: boolean }

export const displayColumns = ({ columns, rows }: Table): DisplayColumn[] =>
  columns.map((column, i) => {
    const values = rows.map((row) => row[i])
    const decimals = decimalsOf(values)
    const isNumeric = column.kind === 'integer' || column.kind === 'number'
    const cells = values.map((value) => figure(value, column, decimals))
    return { name: column.name, cells, values, isNumeric, isRight: isNumeric, isHeadline: column.isHeadline ?? false }
  })

/** Whether all rows have the same value. The column of a single row is constant only if it has no value. */
export const isConstant = ({ cells }: DisplayColumn): boolean =>
  cells.every((cell) => cell === cells[0]) && (cells.length > 1 || cells[0] === ABSENT)
