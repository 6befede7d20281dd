import { type AnyQuery, EngineError, mainTable, type Table } from '../../engine/index.ts'
import { refusalOf } from '../http/problem.ts'
import { answeredOf, type ComparedItem } from './comparison.ts'

/** Why one of the answers of a comparison is missing. Throws what is not about its parameters. */
export const refusedItem = (error: unknown): { message: string } => {
  if (!(error instanceof EngineError) || error.code === 'NOT_READY') throw error
  return { message: refusalOf(error).message }
}

/** A comparison as JSON: a list with what is compared, and its answer or why there is none. */
export const comparisonJson = (by: string, items: readonly ComparedItem[]): string =>
  JSON.stringify(
    items.map(({ value, ...item }) => ({
      [by]: value,
      ...('answer' in item ? { answer: item.answer } : { refused: item.message }),
    })),
  )

/** The main tables of all answers below one another, the first column of which says whose the row is. */
export const comparisonTable = (query: AnyQuery, items: readonly ComparedItem[]): Table => {
  const tables = answeredOf(items).map(({ name, answer }) => ({ name, table: mainTable(query, answer) }))
  const columns = tables[0]?.table.columns ?? []
  return {
    name: query.name,
    columns: [{ name: 'compared', kind: 'text' }, ...columns],
    rows: tables.flatMap(({ name, table }) => {
      const places = columns.map((column) => table.columns.findIndex((other) => other.name === column.name))
      return table.rows.map((row) => [name, ...places.map((place) => row[place] ?? null)])
    }),
  }
}
