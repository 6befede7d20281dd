import { type AnyQuery, DAY_MS, type Field, type TableColumn, valueAt } from '../../engine/index.ts'
import {
  type AnswerLayout,
  type AnswerValues,
  answerLayout,
  columnsOf,
  currencyOf,
  type DescribedColumn,
  describedColumn,
  isBookkeeping,
  recordAt,
  rowsAt,
  valueText,
} from './answer-fields.ts'
import { day, fieldTitle, firstSentence, number, periodText } from './format.ts'
import { type HtmlContent, html } from './html.ts'
import type { HeadlineFigure } from './parts.ts'

const COUNTRIES: Readonly<Record<string, string>> = { us: 'United States', ca: 'Canada' }

export const countryTitle = (country: string): string => COUNTRIES[country] ?? country

/** The days of a window, whose end is exclusive, with the last day that is part of it. */
export const windowText = ({ from, to }: AnswerValues): string => {
  const last = new Date(Date.parse(String(to)) - DAY_MS).toISOString()
  return `${day(String(from))} to ${day(last)}`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `grocery/beverages/coffee` as `Coffee`. */
const categoryTitle = (path: string): string => capitalised((path.split('/').at(-1) ?? '').replaceAll('-', ' '))

/** What an answer is about, in words. */
export const scopeText = (answer: AnswerValues): string => {
  const { product_name, brand, category, department, retailer, country } = answer
  const subject = product_name ?? brand
  const place = category ?? department
  const parts = [
    typeof subject === 'string' && subject,
    typeof place === 'string' && categoryTitle(place),
    typeof retailer === 'string' && retailer,
    typeof country === 'string' && countryTitle(country),
  ]
  return parts.filter(Boolean).join(', ')
}

/** A figure to quote: where it is, its value, and the row that it is from if it is in a list. */
export type Quoted = DescribedColumn & { field: Field; value: unknown; row: AnswerValues | null }

/** The units of figures to quote: of a list its shares or discounts rather than its prices. */
const QUOTABLE = {
  table: ['percent', 'money', 'index', 'ratio'],
  record: ['money', 'percent', 'index', 'ratio'],
} as const

/** The row of a list that represents it: the last period of a series, else the first that has the value. */
const representativeRow = (rows: readonly AnswerValues[], column: TableColumn): AnswerValues | undefined => {
  const hasValue = (row: AnswerValues) => valueAt(row, column) !== null
  return (rows[0] && 'period' in rows[0] ? rows.findLast(hasValue) : rows.find(hasValue)) ?? rows[0]
}

/** The column of a field to quote: the one that is marked, or of a marked list or record the one to quote. */
const quotedColumn = (layout: AnswerLayout, field: Field, currency: string): TableColumn | undefined => {
  if (field.shape === 'value') return field.isHeadline ? field.column : undefined
  const columns = columnsOf(field)
  const unitOf = (column: TableColumn) => describedColumn(layout, field, column, currency).meaning?.unit
  const quotable = QUOTABLE[field.shape].flatMap((unit) => columns.find((column) => unitOf(column) === unit) ?? [])
  return columns.find(({ isHeadline }) => isHeadline) ?? (field.isHeadline ? quotable[0] : undefined)
}

/** The main figure of an answer, which its schema marks; null if it marks none. */
const quotedFigure = (query: AnyQuery, answer: AnswerValues): Quoted | null => {
  const layout = answerLayout(query)
  const currency = currencyOf(answer)
  for (const field of layout.fields) {
    if (field.isDeprecated) continue
    const column = quotedColumn(layout, field, currency)
    if (!column) continue
    const row = field.shape === 'table' ? representativeRow(rowsAt(answer, field.name), column) : null
    if (row === undefined) continue
    return { ...describedColumn(layout, field, column, currency), field, row, value: valueAt(row ?? answer, column) }
  }
  return null
}

/** The interval of an answer's main figure, or the middle half of its distribution. */
const intervalText = (query: AnyQuery, answer: AnswerValues): HtmlContent => {
  const layout = answerLayout(query)
  const bound = (field: Field, name: string) => {
    const column = columnsOf(field).find((one) => one.path.length === 2 && one.path[1] === name)
    return column && valueText(valueAt(answer, column), describedColumn(layout, field, column, currencyOf(answer)))
  }
  for (const field of layout.fields) {
    if (field.shape !== 'record') continue
    const record = recordAt(answer, field.name)
    if (!record) continue
    if ('low' in record && 'high' in record) {
      const level = typeof record.level === 'number' ? `${number(100 * record.level)}% interval` : 'interval'
      return html`<span>${level}</span> ${bound(field, 'low')} to ${bound(field, 'high')}`
    }
    if ('p25' in record && 'p75' in record)
      return html`<span>middle half</span> ${bound(field, 'p25')} to ${bound(field, 'p75')}`
  }
  return null
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** A description that starts with what is counted, so that the number can be in front of it. */
const IS_COUNTED = /^[a-z-]+s\b/

/** How much an answer rests on: its first count, with its meaning. */
const populationOf = (
  query: AnyQuery,
  answer: AnswerValues,
  { field: quoted, row }: Quoted,
): { name: string; text: string } | null => {
  const layout = answerLayout(query)
  // A list that is the main figure as a whole rests on what the answer counts; a column of it on what its row counts.
  const isOfRow = row !== null && !quoted.isHeadline
  const fields = isOfRow ? [quoted] : layout.fields.filter((field) => field.shape === 'value')
  for (const field of fields)
    for (const column of columnsOf(field)) {
      const { meaning } = describedColumn(layout, field, column, '')
      const value = valueAt(isOfRow ? row : answer, column)
      if (meaning?.unit !== 'count' || typeof value !== 'number' || value < 2 || isBookkeeping(column)) continue
      const text = lowerFirst(firstSentence(meaning))
      const count = number(value)
      return {
        name: column.name,
        text: IS_COUNTED.test(text) ? `${count} ${text}.` : `${fieldTitle(column.name)}: ${count}.`,
      }
    }
  return null
}

/** The name of the row that a figure is from: its period, or its first text. */
const rowTitle = ({ row, field }: Quoted): string => {
  if (!row || field.shape !== 'table') return ''
  const isName = ({ name, kind }: TableColumn) => kind === 'text' && !isBookkeeping({ name }) && !/_id$/.test(name)
  const column = field.columns.find(({ name }) => name === 'period') ?? field.columns.find(isName)
  return column ? periodText(String(valueAt(row, column) ?? '')) : ''
}

const daysText = (answer: AnswerValues): string => {
  const window = recordAt(answer, 'window')
  return window ? `, ${windowText(window)}` : ''
}

/** What an answer without a main figure is about. */
export const subjectText = (answer: AnswerValues): string =>
  `${scopeText(answer)}${daysText(answer)}`.replace(/^, /, '')

/** The headline of an answer: scope and days, value, interval, population; with the names of the fields used. */
export const headlineFigure = (
  query: AnyQuery,
  answer: AnswerValues,
): (HeadlineFigure & { used: readonly string[] }) | null => {
  const quoted = quotedFigure(query, answer)
  if (!quoted || (quoted.row && quoted.value === null)) return null
  const about = [scopeText(answer), rowTitle(quoted)].filter(Boolean).join(', ')
  const title = lowerFirst(fieldTitle(quoted.path.replace(/^.*\[\]\./, '')))
  const population = populationOf(query, answer, quoted)
  const days = quoted.row ? '' : daysText(answer)
  return {
    label: `${about === '' ? capitalised(title) : `${about}: ${title}`}${days}`,
    value: valueText(quoted.value, quoted),
    interval: quoted.row ? null : intervalText(query, answer),
    detail: population?.text,
    used: [quoted.column.name, population?.name ?? ''],
  }
}
