import { type Resolved, scopeEcho } from '../../contract/blocks.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import type { AnyQuery } from '../../queries/query.ts'
import { type AnswerField, answerFields, columnsOf, valueAt, withInner } from '../answer-fields.ts'
import { readableLine } from '../readable.ts'
import { ABSENT } from '../text.ts'
import { lowerFirst } from '../title.ts'
import { cellText, isForPeople } from './display-column.ts'
import { withNestedTables } from './nested-tables.ts'
import { tableOf } from './table.ts'
import { tablePage } from './table-page.ts'
import { dotted, labelled, type Style, titled, wrap } from './terminal.ts'

export type AnswerRecord = Record<string, unknown>

/** Longer values, such as notes, are broken between words. */
const MAX_PIECE_LENGTH = 40

const windowLine = (window: Record<string, string>): string => `${window.from} until ${window.to} (${window.preset})`

const resolvedLines = ({ input, category_path, match_source, match_confidence, alternates }: Resolved): string[] => {
  // Paths and departments are exact: there is nothing to explain.
  const isExact = match_source === 'path' || match_source === 'department'
  if (category_path === null || (isExact && alternates.length === 0)) return []
  const others = alternates.map((alternate) => alternate.category_path).join(', ')
  return [
    `"${input}" was read as ${category_path} (${match_source}, confidence ${match_confidence.toFixed(2)}).`,
    ...(others === '' ? [] : [`It may also mean ${others}: send one as --category.`]),
  ]
}

const metaLine = (meta: Record<string, string | number | null>, things: string): string => {
  if (meta.price_observed_at_max === null) return `No price is current. Snapshot ${meta.snapshot_id}.`
  const days = Math.floor(Number(meta.freshness_seconds) / DAY_SECONDS)
  const [from, to] = [meta.price_observed_at_min, meta.price_observed_at_max].map((time) => String(time).slice(0, 10))
  const span = from === to ? `on ${from},` : `${from} to ${to}, the latest`
  const age = days === 0 ? 'today' : days === 1 ? 'a day ago' : `${days} days ago`
  return `${things} ${span} ${age}. Snapshot ${meta.snapshot_id}.`
}

/** The query, scope and window, above the figures. */
const heading = (query: AnyQuery, answer: AnswerRecord, width: number, style: Style): string[] => {
  const { category, department, retailer, country, currency, window } = answer
  const scope = [category ?? department, retailer, country, currency].filter(Boolean).join(' · ')
  return [
    ...titled(`${query.group} ${query.name}`, query.summary, width, style),
    ...(scope === '' ? [] : wrap(readableLine(scope), width)),
    ...(window ? wrap(windowLine(window as Record<string, string>), width) : []),
  ]
}

/** How the input was resolved and the age of the data, below the figures. */
export const footing = ({ group }: AnyQuery, { resolved, meta }: AnswerRecord): string[] => [
  ...(resolved ? resolvedLines(resolved as Resolved) : []),
  ...(meta
    ? [metaLine(meta as Record<string, string | number | null>, group === 'social' ? 'Posts of' : 'Prices observed')]
    : []),
]

const inHeadingOrFooting = new Set([...Object.keys(scopeEcho), 'window', 'resolved', 'meta'])

const DEPRECATED = '(deprecated)'

/** Records with more figures have those alone that have a value and are not for machines. */
const MAX_PIECES = 6

const piecesOf = ({ fields }: AnswerField, answer: AnswerRecord): readonly AnswerField[] => {
  const columns = columnsOf(fields)
  return columns.length <= MAX_PIECES
    ? columns
    : columns.filter((column) => isForPeople(column) && valueAt(answer, column) !== null)
}

/** The text of a field, in pieces that are not broken across lines. */
const fieldText = (field: AnswerField, answer: AnswerRecord): string | string[] => {
  if (field.isDeprecated) return [fieldText({ ...field, isDeprecated: false }, answer), DEPRECATED].flat()
  const text = (column: AnswerField) => {
    const value = valueAt(answer, column)
    return cellText(column, answer.currency, [value])(value, true)
  }
  if (field.shape !== 'record') return text(field)
  if (answer[field.name] === null) return ABSENT
  const pieces = piecesOf(field, answer).map((column) => `${lowerFirst(column.title)} ${text(column)}`)
  return dotted(pieces).flatMap((piece) => (piece.length > MAX_PIECE_LENGTH ? piece.split(' ') : piece))
}

const isMissingNote = ({ name, shape, kind }: AnswerField, answer: AnswerRecord): boolean =>
  (shape === 'list' || (shape === 'value' && kind === 'text')) && answer[name] === null

/** Whether the headline is the field or inside it. */
const isMain = (field: AnswerField): boolean => withInner([field]).some(({ isHeadline }) => isHeadline)

/** Fields in the order of the page: the headline first, deprecated ones last. */
const rankOf = (field: AnswerField): number => Number(field.isDeprecated) - Number(isMain(field))

/** The fields of a query's answers that are figures, not tables, in the order of the page. */
export const figureFields = (query: AnyQuery): AnswerField[] =>
  answerFields(query)
    .filter(({ name, shape }) => !inHeadingOrFooting.has(name) && shape !== 'table')
    .toSorted((a, b) => rankOf(a) - rankOf(b))

export const figureLines = (
  fields: readonly AnswerField[],
  answer: AnswerRecord,
  width: number,
  style: Style,
): string[] => {
  const visible = fields.filter((field) => answer[field.name] !== undefined && !isMissingNote(field, answer))
  const indent = Math.min(28, Math.max(0, ...visible.map(({ title }) => title.length)) + 2)
  return visible.flatMap((field) => {
    const lines = labelled(field.title, fieldText(field, answer), indent, width)
    if (field.isDeprecated) return lines.map(style.dim)
    const [first = '', ...rest] = lines
    return [first.replace(field.title, isMain(field) ? style.bold : style.dim), ...rest]
  })
}

/**
 * An answer as text, laid out by its schema alone: heading, figures with the headline first and deprecated ones last,
 * tables, footing. A missing note is omitted; a missing figure is a dash.
 */
export const answerPage = (query: AnyQuery, answer: AnswerRecord, width: number, style: Style): string[] => {
  const tables = answerFields(query).flatMap((field) =>
    field.shape === 'table' && Array.isArray(answer[field.name])
      ? [tableOf(field.title, columnsOf(field.fields), answer[field.name] as unknown[])]
      : [],
  )
  const sections = [
    heading(query, answer, width, style),
    figureLines(figureFields(query), answer, width, style),
    ...tables.flatMap(withNestedTables).map((table) => tablePage(table, width, style, { currency: answer.currency })),
    footing(query, answer)
      .flatMap((line) => wrap(readableLine(line), width))
      .map(style.dim),
  ]
  return sections.filter((lines) => lines.length > 0).flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))
}
