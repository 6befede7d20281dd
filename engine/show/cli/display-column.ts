import type { TableColumn } from '../answer-fields.ts'
import { readableLine, shortened } from '../readable.ts'
import { ABSENT, columnWriter, unitSign, type ValueField } from '../text.ts'
import type { GridColumn } from './grid.ts'
import type { Table } from './table.ts'

/** A column of a table with its values and their text as cells. */
export type DisplayColumn = GridColumn &
  Omit<TableColumn, 'title' | 'unit'> & {
    values: readonly unknown[]
    /** The text of a value with its unit. */
    withUnit(value: unknown): string
    isNumeric: boolean
    /** How important it is, 0 the most: where there is no room, the least important columns are left out. */
    rank: number
  }

/** How well something was matched or rated, and when it was read. */
const DETAILS = /(^|\.)(match_\w+|review_count)$/
const EXTREMES = /(^|\.)(min|max)_/

const DETAIL_RANK = 6

const rankOf = ({ name, kind, unit, role, isHeadline, isBeside, isSigned }: TableColumn): number => {
  if (isHeadline || isBeside) return 0
  if (role === 'key') return DETAIL_RANK + 1
  if (kind === 'time' || kind === 'json' || unit === 'stars' || unit === 'confidence' || DETAILS.test(name))
    return DETAIL_RANK
  // A price is of no use without its age and its shop.
  if (isSigned || unit === 'age' || /(^|\.)retailer$/.test(name)) return 1
  if (unit === 'percent') return 2
  if (unit === 'index' || (unit === 'money' && !EXTREMES.test(name))) return 3
  return unit === 'money' || (kind === 'text' && !name.includes('.')) ? 4 : 5
}

/** Whether a figure is of use to a person, not only to a program. */
export const isForPeople = (column: TableColumn): boolean => rankOf(column) < DETAIL_RANK

/** Writes the values of a field for a terminal, all with the same decimals. */
export const cellText = (field: ValueField, currency: unknown, values: readonly unknown[]) => {
  const write = columnWriter(field, values, { currency, face: 'plain' })
  return (value: unknown, hasUnit = false): string => readableLine(shortened(write(value, hasUnit)))
}

export const displayColumns = ({ columns, rows }: Table, currency: unknown): DisplayColumn[] =>
  columns.map((column, i) => {
    const values = rows.map((row) => row[i])
    const text = cellText(column, currency, values)
    const isNumeric = column.kind === 'integer' || column.kind === 'number'
    return {
      ...column,
      title: column.title ?? column.name,
      unit: unitSign(column.unit, currency),
      cells: values.map((value) => text(value)),
      withUnit: (value) => text(value, true),
      values,
      isNumeric,
      isRight: isNumeric,
      rank: rankOf(column),
    }
  })

/** Whether all rows have the same value. The column of a single row is constant only if it has no value. */
export const isConstant = ({ cells }: DisplayColumn): boolean =>
  cells.every((cell) => cell === cells[0]) && (cells.length > 1 || cells[0] === ABSENT)

export const isEmpty = ({ cells }: DisplayColumn): boolean => cells.every((cell) => cell === ABSENT || cell === '')

const plainName = ({ name }: DisplayColumn): string => name.replaceAll('.', '_')

/** The columns without those that repeat an earlier one, and without the dates of months and days, which are periods. */
export const withoutRepeated = (columns: readonly DisplayColumn[]): DisplayColumn[] => {
  const period = columns.find(({ name }) => name === 'period')
  const isPeriod = ({ name, cells }: DisplayColumn): boolean =>
    name === 'date' && cells.every((date, i) => date.startsWith(period?.cells[i] ?? ABSENT))
  return columns.filter(
    (column, i) =>
      !isPeriod(column) && !columns.slice(0, i).some((earlier) => plainName(earlier) === plainName(column)),
  )
}
