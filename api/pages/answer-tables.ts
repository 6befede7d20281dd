import { type AnyQuery, type Field, type TableColumn, valueAt } from '../../engine/index.ts'
import {
  type AnswerValues,
  answerLayout,
  columnsOf,
  columnUnit,
  currencyOf,
  describedColumn,
  isBookkeeping,
  rowsAt,
  valueText,
} from './answer-fields.ts'
import { fieldTitle, formatted, number, periodText } from './format.ts'
import { type HtmlContent, html } from './html.ts'
import { codes, figureTable, type HtmlColumn, wordTable } from './parts.ts'

/** A table shows this many rows; the others are in the answer. */
const MAX_ROWS = 25

/** Names that machines need; columns of them come last. */
const isMachineName = (name: string): boolean => /(_uid|_id)$/.test(name)
/** Columns that a table leaves to the JSON. */
const isLeftOut = (name: string): boolean => /(^|\.)url$|_norm$|^(product_id|scraped_at|partial)$/.test(name)

type Cells = { column: TableColumn; values: readonly unknown[] }

const isEmpty = ({ values }: Cells): boolean => values.every((value) => value === null)
const isSame = ({ values }: Cells): boolean =>
  values.length > 1 && values.every((value) => JSON.stringify(value) === JSON.stringify(values[0]))

/** The column that names the rows: the period of a series, else the first text. */
const rowHead = (columns: readonly TableColumn[]): TableColumn | undefined =>
  columns.find(({ name }) => name === 'period') ??
  columns.find(({ name, kind }) => kind === 'text' && !isMachineName(name)) ??
  columns[0]

/** The decimals of a column of numbers without a unit. */
const digitsOf = (values: readonly unknown[]): number =>
  Math.max(0, ...values.map((value) => (typeof value === 'number' ? (String(value).split('.')[1]?.length ?? 0) : 0)))

const listTable = (query: AnyQuery, answer: AnswerValues, field: Field): HtmlContent => {
  const layout = answerLayout(query)
  const currency = currencyOf(answer)
  const rows = rowsAt(answer, field.name)
  const head = rowHead(columnsOf(field))
  if (rows.length === 0 || !head) return null
  const isSeries = head.name === 'period'
  const all = columnsOf(field)
    .filter(({ name }) => !isLeftOut(name) && !(isSeries && name === 'date'))
    .map((column) => ({ column, values: rows.map((row) => valueAt(row, column)) }))
  const isConstant = (cells: Cells) => cells.column !== head && (isEmpty(cells) || isSame(cells))
  const varying = all
    .filter((cells) => !isConstant(cells))
    .toSorted(
      (a, b) =>
        Number(b.column === head) - Number(a.column === head) ||
        Number(isMachineName(a.column.name)) - Number(isMachineName(b.column.name)),
    )
  const columns = varying.map(({ column, values }) => {
    const described = describedColumn(layout, field, column, currency)
    const isNumeric = column.kind === 'integer' || column.kind === 'number'
    const unit = described.meaning?.unit
    const digits = isNumeric && unit === undefined ? { digits: digitsOf(values) } : {}
    const text = (value: unknown) =>
      column.name === 'period'
        ? periodText(String(value))
        : formatted(value, { path: described.path, unit, currency, hasUnit: false, ...digits })
    const html: HtmlColumn = {
      key: column.name,
      label: fieldTitle(column.name),
      unit: columnUnit(described),
      isNumeric,
      isRowHead: column === head,
      isShort: (isSeries && column === head) || column.kind === 'time' || column.kind === 'date',
    }
    return { html, text, column }
  })
  const visible = rows.slice(0, MAX_ROWS)
  const caption = layout.described.get(`${field.name}[]`)?.description ?? fieldTitle(field.name)
  const table = figureTable(
    caption,
    columns.map(({ html }) => html),
    visible.map((row) => ({
      isPartial: row.partial === true,
      cells: Object.fromEntries(columns.map(({ column, text }) => [column.name, text(valueAt(row, column))])),
    })),
  )
  const same = all.filter((cells) => cells.column !== head && isSame(cells) && !isEmpty(cells))
  const sameText = same.map(
    ({ column, values }) =>
      `${fieldTitle(column.name).toLowerCase()} ${valueText(values[0], describedColumn(layout, field, column, currency))}`,
  )
  return html`<div class="block">${table}
${rows.length > MAX_ROWS && html`<p class="plot-note">${number(rows.length - MAX_ROWS)} more ${rows.length - MAX_ROWS === 1 ? 'row is' : 'rows are'} in the answer.</p>`}${sameText.length > 0 && html`<p class="plot-note">The same in every row: ${sameText.join('; ')}.</p>`}</div>`
}

/** The lists of an answer as tables. */
export const listTables = (query: AnyQuery, answer: AnswerValues): HtmlContent =>
  answerLayout(query)
    .fields.filter(({ shape }) => shape === 'table')
    .map((field) => listTable(query, answer, field))

type AnswerFigure = {
  name: string
  title: string
  text: string
  meaning: string
  isDeprecated: boolean
  isNumeric: boolean
  /** Whether it is a field of its own, rather than of a record. */
  isPlain: boolean
}

/** The figures of an answer that are not lists, deprecated ones last. */
const figuresOf = (query: AnyQuery, answer: AnswerValues): AnswerFigure[] => {
  const layout = answerLayout(query)
  const currency = currencyOf(answer)
  return layout.fields
    .filter((field) => field.shape !== 'table' && answer[field.name] !== undefined && !isBookkeeping(field))
    .toSorted((a, b) => Number(a.isDeprecated) - Number(b.isDeprecated))
    .flatMap((field) =>
      columnsOf(field).map((column): AnswerFigure => {
        const described = describedColumn(layout, field, column, currency)
        const value = valueAt(answer, column)
        return {
          name: column.name,
          title: fieldTitle(column.name),
          text: valueText(value, described),
          meaning: described.meaning?.description ?? '',
          isDeprecated: field.isDeprecated,
          isNumeric: typeof value === 'number',
          isPlain: field.shape === 'value',
        }
      }),
    )
}

const MAX_COMPARED = 7
/** Parts of an interval, which the headline has. */
const IS_BOUND = /\.(low|high|level|clusters)$/

/** With fewer plain figures those of records are added. */
const MIN_COMPARED = 3

/** The figures under the headline, without those used in it: numbers, those of records only where there are few others; none deprecated. */
export const comparedFigures = (
  query: AnyQuery,
  answer: AnswerValues,
  used: readonly string[],
): (readonly [HtmlContent, HtmlContent])[] => {
  const figures = figuresOf(query, answer).filter(
    ({ name, isNumeric, isDeprecated }) =>
      isNumeric && !isDeprecated && !used.includes(name) && !isMachineName(name) && !IS_BOUND.test(name),
  )
  const plain = figures.filter(({ isPlain }) => isPlain)
  const compared = plain.length < MIN_COMPARED ? figures : plain
  return compared.slice(0, MAX_COMPARED).map(({ title, text }) => [title, text] as const)
}

/** All figures that are not lists, with their meanings. */
export const figuresTable = (query: AnyQuery, answer: AnswerValues): HtmlContent => {
  const figures = figuresOf(query, answer)
  if (figures.length === 0) return null
  const columns = [
    { key: 'name', label: 'Field', isRowHead: true },
    { key: 'value', label: 'Value', isNumeric: true },
    { key: 'meaning', label: 'Meaning' },
  ]
  return wordTable(
    'Figures of the answer',
    columns,
    figures.map(({ name, text, meaning, isDeprecated }) => ({
      cells: {
        name: codes([name]),
        value: text,
        meaning: html`${isDeprecated && html`<b>Deprecated.</b> `}${meaning}`,
      },
    })),
  )
}
