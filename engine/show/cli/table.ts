import type { AnyQuery } from '../../queries/query.ts'
import { type AnswerField, answerFields, columnsOf, type TableColumn, valueAt } from '../answer-fields.ts'

/** Rows of an answer, each with a value per column. */
export type Table = { name: string; columns: readonly TableColumn[]; rows: readonly (readonly unknown[])[] }

export const tableOf = (name: string, columns: readonly TableColumn[], records: readonly unknown[]): Table => ({
  name,
  columns,
  rows: records.map((record) => columns.map((column) => valueAt(record, column))),
})

/** A table with some of its columns. */
export const withColumns = ({ name, columns, rows }: Table, isKept: (index: number) => boolean): Table => {
  const kept = [...columns.keys()].filter(isKept)
  return { name, columns: kept.map((i) => columns[i]!), rows: rows.map((row) => kept.map((i) => row[i])) }
}

const isTable = ({ shape }: AnswerField): boolean => shape === 'table'

/** One row of the values of an answer that are not in lists of records, named after the query. */
const valuesTable = (query: AnyQuery, answer: Record<string, unknown>): Table =>
  tableOf(query.name, columnsOf(answerFields(query).filter((field) => !isTable(field))), [answer])

/** The tables of an answer by name: its lists of records, then one row of all other values, named after the query. */
export const tableNames = (query: AnyQuery): string[] => [
  ...answerFields(query)
    .filter(isTable)
    .map(({ name }) => name),
  query.name,
]

/** Whether every answer of a query has a table; some have a list under one of two names. */
export const isAlwaysThere = (query: AnyQuery, name: string): boolean =>
  name === query.name || !query.answer.shape[name]?.safeParse(undefined).success

/** A table of an answer; null if this answer does not have the list. */
export const tableNamed = (query: AnyQuery, answer: Record<string, unknown>, name: string): Table | null => {
  const field = answerFields(query).find((candidate) => candidate.name === name && isTable(candidate))
  if (!field) return name === query.name ? valuesTable(query, answer) : null
  const records = answer[name]
  return Array.isArray(records) ? tableOf(name, columnsOf(field.fields), records) : null
}

/** An answer's main table: its first list of records, else one row of all its values. */
export const mainTable = (query: AnyQuery, answer: Record<string, unknown>): Table =>
  tableNames(query)
    .map((name) => tableNamed(query, answer, name))
    .find((table) => table !== null) ?? valuesTable(query, answer)
