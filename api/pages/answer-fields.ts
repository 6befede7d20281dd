import {
  type AnyQuery,
  answerFields,
  type DescribedField,
  describedFields,
  type Field,
  type TableColumn,
} from '../../engine/index.ts'
import { formatted, unitText } from './format.ts'

export type AnswerValues = Readonly<Record<string, unknown>>

/** The fields of a query's answers with their meanings. */
export type AnswerLayout = { fields: readonly Field[]; described: ReadonlyMap<string, DescribedField> }

const layouts = new WeakMap<AnyQuery, AnswerLayout>()

/** The layout of a query's answers, made once. */
export const answerLayout = (query: AnyQuery): AnswerLayout => {
  const cached = layouts.get(query)
  if (cached) return cached
  const described = new Map(describedFields(query).map((field) => [field.path, field]))
  const layout = { fields: answerFields(query.answer), described }
  layouts.set(query, layout)
  return layout
}

/** The described path of a column: of a list's column, `time_series[].avg_price`. */
export const pathOf = (field: Field, column: TableColumn): string =>
  field.shape === 'table' ? `${field.name}[].${column.name}` : column.name

/** A column of an answer's field with its meaning, and the currency of the answer. */
export type DescribedColumn = {
  path: string
  column: TableColumn
  meaning: DescribedField | undefined
  currency: string
}

export const describedColumn = (
  { described }: AnswerLayout,
  field: Field,
  column: TableColumn,
  currency: string,
): DescribedColumn => {
  const path = pathOf(field, column)
  return { path, column, meaning: described.get(path) ?? described.get(`${path}[]`), currency }
}

export const columnsOf = (field: Field): readonly TableColumn[] =>
  field.shape === 'value' ? [field.column] : field.columns

/** The currency of an answer. */
export const currencyOf = ({ currency }: AnswerValues): string => (typeof currency === 'string' ? currency : 'USD')

/** A value of a column as text, with its unit. */
export const valueText = (value: unknown, { path, meaning, currency }: DescribedColumn): string =>
  formatted(value, { path, unit: meaning?.unit, currency, hasUnit: true })

/** The unit that the head of a column states. */
export const columnUnit = ({ meaning, currency }: DescribedColumn): string => unitText(meaning?.unit, currency)

/** A record in an answer; null where it is null or absent. */
export const recordAt = (answer: AnswerValues, name: string): AnswerValues | null => {
  const value = answer[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AnswerValues) : null
}

/** The entries of a list in an answer; none where it is null or absent. */
export const rowsAt = (answer: AnswerValues, name: string): readonly AnswerValues[] => {
  const value = answer[name]
  return Array.isArray(value) ? (value as AnswerValues[]) : []
}

const ECHO = [
  'category',
  'department',
  'country',
  'currency',
  'retailer',
  'window',
  'resolved',
  'meta',
  'gpc',
  'freshness',
]
const BOOKKEEPING = /(^|_)(limit|offset|threshold|cap)$|^schema_version$|_uid$/

/** Whether a field repeats the query or describes the page of a list, rather than being a figure. */
export const isBookkeeping = ({ name }: { name: string }): boolean => ECHO.includes(name) || BOOKKEEPING.test(name)
