import type { Kind, TableColumn } from './schema.ts'
import { type Table, tableOf } from './table.ts'

type ListRecord = Record<string, unknown>

/** Tables with more rows have the names of nested lists in their cells. */
const MAX_ROWS = 3

const isRecords = (value: unknown): value is readonly ListRecord[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'object' && entry !== null)

const kindOf = (values: readonly unknown[]): Kind => {
  const present = values.filter((value) => value !== null && value !== undefined)
  if (present.some(Array.isArray)) return 'list'
  if (present.length > 0 && present.every((value) => typeof value === 'number'))
    return present.every(Number.isInteger) ? 'integer' : 'number'
  return present.length > 0 && present.every((value) => typeof value === 'boolean') ? 'boolean' : 'text'
}

/** The columns of records, by the values that they have. */
const columnsOf = (records: readonly ListRecord[]): TableColumn[] =>
  [...new Set(records.flatMap(Object.keys))].map((name) => ({
    name,
    path: [name],
    kind: kindOf(records.map((record) => record[name])),
  }))

/** A short table without its lists of records, and each of these as a table of its own, named by its column and row. */
export const withNestedTables = (table: Table): Table[] => {
  const { name, columns, rows } = table
  if (rows.length > MAX_ROWS) return [table]
  const isNested = columns.map((_, at) => rows.some((row) => isRecords(row[at])))
  const nested = rows.flatMap((row) =>
    columns.flatMap(({ name }, at) => {
      const records = row[at]
      const title = rows.length === 1 ? name : `${name} of ${row[0]}`
      return isRecords(records) ? [tableOf(title, columnsOf(records), records)] : []
    }),
  )
  const kept = columns.flatMap((_, at) => (isNested[at] ? [] : [at]))
  const own = { name, columns: kept.map((at) => columns[at]!), rows: rows.map((row) => kept.map((at) => row[at])) }
  return [own, ...nested]
}
