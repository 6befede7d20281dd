import {
  type AnswerField,
  type AnswerValues,
  type AnyQuery,
  answerFields,
  columnsOf,
  columnWriter,
  hasPeriods,
  inTurn,
  lowerFirst,
  number,
  rowNameOf,
  rowsOf,
  unitSign,
  valueAt,
  valueText,
} from '../../engine/index.ts'
import { cut, type HtmlContent, html, joined } from './html.ts'
import { codes, figureTable, type HtmlColumn, wordTable } from './parts.ts'

/** A table shows this many rows; the others are in the answer. */
const MAX_ROWS = 25
/** A short table shows this many rows and columns. */
const SHORT = { rows: 5, columns: 5 }
/** A telephone has room for so many characters of a row's name beside three or more other columns. */
const BESIDE = { name: 14, columns: 3 }

/** Columns that a table leaves to the JSON. */
const LEFT_OUT = ['url', 'brand_norm', 'product_id', 'scraped_at', 'partial']

type Cells = { column: AnswerField; values: readonly unknown[] }

const isEmpty = ({ values }: Cells): boolean => values.every((value) => value === null)
const isSame = ({ values }: Cells): boolean => {
  const [first, ...others] = values
  if (others.length === 0) return false
  const text = typeof first === 'object' && JSON.stringify(first)
  return others.every(
    (value) => value === first || (text && typeof value === 'object' && JSON.stringify(value) === text),
  )
}

/** The columns that matter most: the name of the row, then what is to be quoted, then other figures, in their order. */
const shortest = (columns: readonly Cells[], count: number, head: string): Cells[] => {
  const rank = ({ column: { name, isHeadline, isDeprecated, role, shape } }: Cells): number => {
    if (name === head) return 0
    if (isHeadline) return 1
    return isDeprecated || role !== 'figure' || shape !== 'value' ? 3 : 2
  }
  const chosen = new Set(columns.toSorted((a, b) => rank(a) - rank(b)).slice(0, count))
  return columns.filter((cells) => chosen.has(cells))
}

/** The unit that the head of a column states. */
const columnUnit = ({ unit }: AnswerField, { currency }: AnswerValues): string =>
  unit === 'money' ? String(currency) : unitSign(unit, currency)

type TableSize = { rows: number; columns: number }

const listTable = (table: AnswerField, answer: AnswerValues, size?: TableSize): HtmlContent => {
  const rows = rowsOf(answer, table)
  const count = size?.rows ?? MAX_ROWS
  // Of a series the last periods are the ones that a short table is about.
  const begin = size && hasPeriods(table.fields) ? Math.max(0, rows.length - count) : 0
  const head = rowNameOf(table) ?? table.fields[0]
  if (rows.length === 0 || !head) return null
  const all = columnsOf(table.fields)
    .filter(({ name }) => !LEFT_OUT.includes(name) && !(hasPeriods(table.fields) && name === 'date'))
    .map((column) => ({ column, values: rows.map((row) => valueAt(row, column)) }))
  const isConstant = (cells: Cells) => cells.column.name !== head.name && (isEmpty(cells) || isSame(cells))
  // The names of the rows come first, and keys, which are for programs, last.
  const placeOf = ({ column }: Cells) => (column.name === head.name ? -1 : Number(column.role === 'key'))
  const every = all.filter((cells) => !isConstant(cells)).toSorted((a, b) => placeOf(a) - placeOf(b))
  const columns = size ? shortest(every, size.columns, head.name) : every
  const heads = columns.map(
    ({ column }): HtmlColumn => ({
      key: column.name,
      label: column.title,
      unit: columnUnit(column, answer),
      isNumeric: column.kind === 'integer' || column.kind === 'number',
      isRowHead: column.name === head.name,
      isShort: column.name === 'period' || column.kind === 'time' || column.kind === 'date',
    }),
  )
  const { currency } = answer
  const writers = columns.map(({ column, values }) =>
    columnWriter(column, values.slice(begin, begin + count), { face: 'typeset', currency }),
  )
  const htmlRows = rows.slice(begin, begin + count).map((row, i) => ({
    isPartial: row.partial === true,
    cells: Object.fromEntries(columns.map(({ column, values }, j) => [column.name, writers[j]!(values[begin + i])])),
  }))
  if (size) {
    const hidden = [
      ...(rows.length > count ? [`${count} of ${number(rows.length)} rows`] : []),
      ...(every.length > columns.length ? [`${columns.length} of ${every.length} columns`] : []),
    ]
    const isStacked =
      columns.length > BESIDE.columns && htmlRows.some(({ cells }) => String(cells[head.name]).length > BESIDE.name)
    return html`<div class="block">${figureTable(table.description, heads, htmlRows, isStacked)}
${hidden.length > 0 && html`<p class="plot-note">${hidden.join(', ')}; all are below.</p>`}</div>`
  }
  const same = all.filter((cells) => cells.column.name !== head.name && isSame(cells) && !isEmpty(cells))
  const sameText = same.map(
    ({ column, values }) => html`${lowerFirst(column.title)} ${cut(valueText(values[0], column, answer, 'typeset'))}`,
  )
  return html`<div class="block">${figureTable(`${table.title}: ${lowerFirst(table.description)}`, heads, htmlRows)}
${rows.length > MAX_ROWS && html`<p class="plot-note">${number(rows.length - MAX_ROWS)} more ${rows.length - MAX_ROWS === 1 ? 'row is' : 'rows are'} in the answer.</p>`}${sameText.length > 0 && html`<p class="plot-note">The same in every row: ${joined(sameText, '; ')}.</p>`}</div>`
}

/** The lists of an answer as tables. */
export const listTables = async (query: AnyQuery, answer: AnswerValues): Promise<HtmlContent[]> => {
  const lists = answerFields(query).filter(({ shape }) => shape === 'table')
  return (await inTurn(lists, (field) => listTable(field, answer))).filter((table) => table !== null)
}

/** The most important rows and columns of the first list of an answer. */
export const shortTable = (query: AnyQuery, answer: AnswerValues): HtmlContent => {
  const table = answerFields(query).find((field) => field.shape === 'table' && rowsOf(answer, field).length > 0)
  return table ? listTable(table, answer, SHORT) : null
}

/** The figures of an answer that are not lists, deprecated ones last. */
const figuresOf = (query: AnyQuery, answer: AnswerValues): AnswerField[] =>
  columnsOf(
    answerFields(query)
      .filter(({ name, shape, role }) => shape !== 'table' && role === 'figure' && answer[name] !== undefined)
      .toSorted((a, b) => Number(a.isDeprecated) - Number(b.isDeprecated)),
  )

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
    (field) =>
      typeof valueAt(answer, field) === 'number' &&
      !field.isDeprecated &&
      !used.includes(field.name) &&
      !IS_BOUND.test(field.name),
  )
  const plain = figures.filter(({ name }) => !name.includes('.'))
  const compared = plain.length < MIN_COMPARED ? figures : plain
  return compared
    .slice(0, MAX_COMPARED)
    .map((field) => [field.title, valueText(valueAt(answer, field), field, answer, 'typeset')] as const)
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
    figures.map((field) => ({
      cells: {
        name: html`${field.title} ${codes([field.name])}`,
        value: valueText(valueAt(answer, field), field, answer, 'typeset'),
        meaning: html`${field.isDeprecated && html`<b>Deprecated.</b> `}${field.description}`,
      },
    })),
  )
}
