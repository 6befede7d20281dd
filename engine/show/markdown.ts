import type { AnyQuery } from '../queries/query.ts'
import { type AnswerField, answerFields, columnsOf, hasPeriods, rowNameOf, valueAt } from './answer-fields.ts'
import { type AnswerValues, rowsOf } from './headline.ts'
import { readableLine, shortened } from './readable.ts'
import { sentenceOf } from './sentence.ts'
import { valueText } from './text.ts'

/** A table shows this many rows, the last of a series, else the first, and this many columns. */
const MAX_ROWS = 5
const MAX_COLUMNS = 6

const cellOf = (value: unknown, field: AnswerField, answer: AnswerValues): string =>
  readableLine(shortened(valueText(value, field, answer, 'plain'))).replaceAll('|', '\\|')

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const tableText = (table: AnswerField, answer: AnswerValues): string[] => {
  const all = rowsOf(answer, table)
  const rows = hasPeriods(table.fields) ? all.slice(-MAX_ROWS) : all.slice(0, MAX_ROWS)
  const name = rowNameOf(table)
  const figures = columnsOf(table.fields)
    .filter((column) => column.role === 'figure' && column.name !== name?.name && !column.isDeprecated)
    .filter((column) => column.shape === 'value' && rows.some((row) => valueAt(row, column) !== null))
    .toSorted((a, b) => Number(b.isHeadline) - Number(a.isHeadline))
  const columns = [...(name ? [name] : []), ...figures].slice(0, MAX_COLUMNS)
  if (rows.length === 0 || columns.length === 0) return []
  return [
    '',
    `${rows.length} of ${all.length} rows of ${table.name}:`,
    lineOf(columns.map(({ title }) => title)),
    lineOf(columns.map(() => '---')),
    ...rows.map((row) => lineOf(columns.map((column) => cellOf(valueAt(row, column), column, answer)))),
  ]
}

/** How a category was read and how old the prices are, where the answer says it. */
const originLines = ({ resolved, meta }: AnswerValues): string[] => {
  const { input, category_path } = (resolved ?? {}) as { input?: string; category_path?: string | null }
  const { price_observed_at_max: newest } = (meta ?? {}) as { price_observed_at_max?: string | null }
  return [
    ...(category_path ? [`"${readableLine(shortened(String(input)))}" was read as ${category_path}.`] : []),
    ...(newest ? [`Newest price: ${newest.slice(0, 10)}.`] : []),
  ]
}

/**
 * An answer in short, for a model to read: on what its main figure rests, or its figures where it has none, where it is
 * from, and the most important rows of its main table.
 */
export const answerLines = (query: AnyQuery, answer: AnswerValues): string[] => {
  const sentence = sentenceOf(query, answer, 'plain')
  const fields = answerFields(query).filter(({ isDeprecated, name }) => !isDeprecated && answer[name] !== undefined)
  const figures = columnsOf(fields.filter(({ shape, role }) => shape !== 'table' && role === 'figure'))
    .map((field) => ({ field, value: valueAt(answer, field) }))
    .filter(({ value }) => value !== null)
    .map(({ field, value }) => `- ${field.title}: ${cellOf(value, field, answer)}`)
  const tables = fields.filter((field) => field.shape === 'table' && rowsOf(answer, field).length > 0)
  return [
    ...(sentence ? sentence.details : figures),
    ...originLines(answer),
    ...tables.slice(0, 1).flatMap((table) => tableText(table, answer)),
  ]
}
