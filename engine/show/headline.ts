import type { AnyQuery } from '../queries/query.ts'
import { type AnswerField, answerFields, columnsOf, hasPeriods, rowNameOf, valueAt } from './answer-fields.ts'

export type AnswerValues = Readonly<Record<string, unknown>>

/** A field with its value in an answer. */
export type Quoted = { field: AnswerField; value: unknown }

/** The main figure of an answer and what belongs to it, as data. */
export type Headline = Quoted & {
  /** What names the row that it is from; null outside a table. */
  row: Quoted | null
  /** The bounds of its interval, with the confidence level, or else the middle half of a distribution. */
  interval: { low: Quoted; high: Quoted; level: number | null; isMiddleHalf: boolean } | null
  /** The figures of the answer without which it cannot be judged. */
  beside: Quoted[]
  /** How much it rests on. */
  population: Quoted | null
}

/** The entries of a list in an answer; none where it is null or absent. */
export const rowsOf = (answer: AnswerValues, { name }: Pick<AnswerField, 'name'>): readonly AnswerValues[] => {
  const value = answer[name]
  return Array.isArray(value) ? value : []
}

/** The units of figures to quote: of a table its shares or discounts rather than its prices. */
const QUOTABLE = {
  table: ['percent', 'money', 'index', 'ratio'],
  record: ['money', 'percent', 'index', 'ratio'],
} as const

/** The column of a field to quote: the one that is marked, or of a marked table or record the first of a quotable unit. */
const quotedColumn = (field: AnswerField): AnswerField | undefined => {
  const { shape, isHeadline, isDeprecated } = field
  if (isDeprecated) return undefined
  if (shape === 'value' || shape === 'list') return isHeadline ? field : undefined
  const columns = columnsOf(shape === 'table' ? field.fields : [field])
  const quotable = QUOTABLE[shape].flatMap((unit) => columns.find((column) => column.unit === unit) ?? [])
  return columns.find((column) => column.isHeadline) ?? (isHeadline ? quotable[0] : undefined)
}

/** The row that represents a table: the last period of a series, else the first, of those that have the value. */
const representativeRow = (table: AnswerField, rows: readonly AnswerValues[], column: AnswerField) => {
  const hasValue = (row: AnswerValues) => valueAt(row, column) !== null
  return hasPeriods(table.fields) ? rows.findLast(hasValue) : rows.find(hasValue)
}

const quote = (values: AnswerValues, field: AnswerField): Quoted => ({ field, value: valueAt(values, field) })

const BOUNDS = [
  { names: ['low', 'high'], isMiddleHalf: false },
  { names: ['p25', 'p75'], isMiddleHalf: true },
] as const

const intervalOf = (fields: readonly AnswerField[], answer: AnswerValues): Headline['interval'] => {
  for (const record of fields) {
    if (record.shape !== 'record' || !answer[record.name]) continue
    const boundOf = (name: string) => record.fields.find((field) => field.name === `${record.name}.${name}`)
    for (const { names, isMiddleHalf } of BOUNDS) {
      const [low, high] = names.map(boundOf)
      if (!low || !high) continue
      const level = valueAt(answer, { name: `${record.name}.level` })
      return {
        low: quote(answer, low),
        high: quote(answer, high),
        level: typeof level === 'number' ? level : null,
        isMiddleHalf,
      }
    }
  }
  return null
}

/** The first count above one. */
const populationOf = (fields: readonly AnswerField[], values: AnswerValues): Quoted | null =>
  fields
    .filter(({ unit, role }) => unit === 'count' && role === 'figure')
    .map((field) => quote(values, field))
    .find(({ value }) => typeof value === 'number' && value > 1) ?? null

/** The main figure of an answer, which its schema marks; null where it marks none, or its table has no value of it. */
export const headlineOf = (query: AnyQuery, answer: AnswerValues): Headline | null => {
  const fields = answerFields(query)
  for (const field of fields) {
    const isTable = field.shape === 'table'
    const column = quotedColumn(field)
    const values = column && isTable ? representativeRow(field, rowsOf(answer, field), column) : answer
    if (!column || !values) continue
    const name = isTable ? rowNameOf(field) : undefined
    return {
      ...quote(values, column),
      row: name ? quote(values, name) : null,
      interval: isTable ? null : intervalOf(fields, answer),
      beside: columnsOf(fields.filter(({ shape }) => shape !== 'table'))
        .filter(({ isBeside }) => isBeside)
        .map((column) => quote(answer, column))
        .filter(({ value }) => value !== null),
      // A table that is the main figure as a whole rests on what the answer counts; a column of it on what its row counts.
      population:
        isTable && !field.isHeadline
          ? populationOf(columnsOf(field.fields), values)
          : populationOf(
              fields.filter(({ shape }) => shape === 'value'),
              answer,
            ),
    }
  }
  return null
}
