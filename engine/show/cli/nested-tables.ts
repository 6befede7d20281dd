import { columnsOf } from '../answer-fields.ts'
import { readableLine, shortened } from '../readable.ts'
import { type Table, tableOf, withColumns } from './table.ts'

/** Tables with more rows have the names of nested lists in their cells. */
const MAX_ROWS = 3
const MAX_TITLE = 60

const hasEntries = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0

/** A short table without its lists of records, and each of these as a table of its own, named by its column and row. */
export const withNestedTables = (table: Table): Table[] => {
  const { columns, rows } = table
  if (rows.length > MAX_ROWS) return [table]
  const isNested = columns.map(({ fields = [] }, i) => fields.length > 0 && rows.some((row) => hasEntries(row[i])))
  const nested = rows.flatMap((row) =>
    columns.flatMap(({ name, title = name, fields = [] }, i) => {
      const records = row[i]
      const rowTitle = `${title} of ${readableLine(shortened(String(row[0]), MAX_TITLE))}`
      return isNested[i] && hasEntries(records)
        ? [tableOf(rows.length === 1 ? title : rowTitle, columnsOf(fields), records)]
        : []
    }),
  )
  return [withColumns(table, (i) => !isNested[i]), ...nested]
}
