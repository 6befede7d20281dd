import { ABSENT, decimalsOf, figure } from './figure.ts'
import type { GridColumn } from './grid.ts'
import type { Table } from './table.ts'

/** A column of a table with its values and the text they are shown as. */
export type Shown = GridColumn & { values: readonly unknown[]; isNumeric: boolean; isHeadline: boolean }

export const shownColumns = ({ columns, rows }: Table): Shown[] =>
  columns.map((column, i) => {
    const values = rows.map((row) => row[i])
    const decimals = decimalsOf(values)
    const isNumeric = column.kind === 'integer' || column.kind === 'number'
    const cells = values.map((value) => figure(value, column, decimals))
    return { name: column.name, cells, values, isNumeric, isRight: isNumeric, isHeadline: column.isHeadline ?? false }
  })

/** Whether the column tells rows apart in nothing; a single row only by having no value. */
export const isConstant = ({ cells }: Shown): boolean =>
  cells.every((cell) => cell === cells[0]) && (cells.length > 1 || cells[0] === ABSENT)
