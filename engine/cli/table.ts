import type { AnyQuery } from '../query.ts'
import { answerFields, type Field, type TableColumn, valueAt } from './schema.ts'

/** Rows of an answer, each with a value per column. */
export type Table = { name: string; columns: readonly TableColumn[]; rows: readonly (readonly unknown[])[] }

export const tableOf = (name: string, columns: readonly TableColumn[], records: readonly unknown[]): Table => ({
  name,
  columns,
  rows: records.map((record) => columns.map((column) => valueAt(record, column))),
})

const fieldsByAnswer = new WeakMap<AnyQuery['answer'], Field[]>()
const fieldsOf = ({ answer }: AnyQuery): Field[] => {
  const fields = fieldsByAnswer.get(answer) ?? answerFields(answer)
  fieldsByAnswer.set(answer, fields)
  return fields
}

/** One row of the values of an answer that are not in lists of records, named after the query. */
const valuesTable = (query: AnyQuery, answer: Record<string, unknown>): Table => {
  const fields = fieldsOf(query).filter(({ shape }) => shape !== 'table')
  const columns = fields.flatMap((field) => (field.shape === 'value' ? [field.column] : field.columns))
  return tableOf(query.name, columns, [answer])
}

/** The tables of an answer by name: its lists of records, then one row of all other values, named after the query. */
export const tableNames = (query: AnyQuery): string[] => [
  ...fieldsOf(query).flatMap((field) => (field.shape === 'table' ? [field.name] : [])),
  query.name,
]

/** Whether every answer of a query has a table; some have a list under one of two names. */
export const isAlwaysThere = (query: AnyQuery, name: string): boolean =>
  name === query.name || !query.answer.shape[name]?.safeParse(undefined).success

/** A table of an answer; null if this answer does not have the list. */
export const tableNamed = (query: AnyQuery, answer: Record<string, unknown>, name: string): Table | null => {
  const field = fieldsOf(query).find((candidate) => candidate.name === name)
  if (field?.shape !== 'table') return name === query.name ? valuesTable(query, answer) : null
  const records = answer[name]
  return Array.isArray(records) ? tableOf(name, field.columns, records) : null
}

/** An answer's main table: its first list of records, else one row of all its values. */
export const mainTable = (query: AnyQuery, answer: Record<string, unknown>): Table =>
  tableNames(query)
    .map((name) => tableNamed(query, answer, name))
    .find((table) => table !== null) ?? valuesTable(query, answer)
