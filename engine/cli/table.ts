import type { AnyQuery } from '../query.ts'
import { answerFields, type TableColumn, valueAt } from './schema.ts'

/** Rows of an answer, each with a value per column. */
export type Table = { name: string; columns: readonly TableColumn[]; rows: readonly (readonly unknown[])[] }

export const tableOf = (name: string, columns: readonly TableColumn[], records: readonly unknown[]): Table => ({
  name,
  columns,
  rows: records.map((record) => columns.map((column) => valueAt(record, column))),
})

/** An answer's main table: its first list of records, else one row of all its values. */
export const mainTable = ({ answer: schema, name }: AnyQuery, answer: Record<string, unknown>): Table => {
  const fields = answerFields(schema)
  const records = fields.find((field) => field.shape === 'table' && Array.isArray(answer[field.name]))
  if (records?.shape === 'table') return tableOf(records.name, records.columns, answer[records.name] as unknown[])
  const columns = fields.flatMap((field) => (field.shape === 'value' ? [field.column] : field.columns))
  return tableOf(name, columns, [answer])
}
