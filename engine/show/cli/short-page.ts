import type { AnyQuery } from '../../queries/query.ts'
import { type AnswerField, answerFields, columnsOf, withInner } from '../answer-fields.ts'
import { readableLine } from '../readable.ts'
import { sentenceOf, subjectOf } from '../sentence.ts'
import { counted } from '../text.ts'
import { lowerFirst } from '../title.ts'
import { type AnswerRecord, figureFields, figureLines, footing } from './answer-page.ts'
import { withNestedTables } from './nested-tables.ts'
import { tableOf } from './table.ts'
import { tablePage } from './table-page.ts'
import { type Style, wrap } from './terminal.ts'

const MAX_COLUMNS = 5
/** The figures of an answer without a main one. */
const MAX_FIGURES = 5

/** Why figures are missing or to be read with care. */
const isNote = ({ name, shape, kind }: AnswerField): boolean =>
  shape === 'value' && kind === 'text' && /(^|_)note$/.test(name)

/** The main figure in words, or the figures of an answer without one. */
const opening = (query: AnyQuery, answer: AnswerRecord, width: number, style: Style) => {
  const sentence = sentenceOf(query, answer, 'plain')
  const figures = figureFields(query).filter(
    ({ role, unit, shape }) => role === 'figure' && (unit || shape === 'record'),
  )
  if (sentence) {
    const { about, value, place, details, fields } = sentence
    const lines = [
      ...wrap([about, value, place].filter(Boolean).join(' '), width).map(style.bold),
      ...details.flatMap((text) => wrap(readableLine(text), width)),
    ]
    return { lines, further: figures.filter(({ name }) => !fields.includes(name)).length }
  }
  const subject = subjectOf(answer)
  const listed = figures.slice(0, MAX_FIGURES)
  const title = subject === '' ? query.summary : `${query.summary}: ${subject}`
  return {
    lines: [...wrap(readableLine(title), width).map(style.bold), ...figureLines(listed, answer, width, style)],
    further: figures.length - listed.length,
  }
}

/** The table that the main figure is from, else the first one with rows. */
const mainTableOf = (tables: readonly AnswerField[], answer: AnswerRecord): AnswerField | undefined =>
  tables.find((table) => withInner([table]).some(({ isHeadline }) => isHeadline)) ??
  tables.find(({ name }) => (answer[name] as unknown[]).length > 0)

/**
 * The page of an answer that is read at once: the main figure in words with interval, population and notes, the plot and
 * the most important columns of the main table, and what `--all` shows besides.
 */
export const shortPage = (query: AnyQuery, answer: AnswerRecord, width: number, style: Style): string[] => {
  const fields = answerFields(query)
  const tables = fields.filter(({ shape, name }) => shape === 'table' && Array.isArray(answer[name]))
  const main = mainTableOf(tables, answer)
  const { lines, further } = opening(query, answer, width, style)
  const notes = fields.filter((field) => isNote(field) && typeof answer[field.name] === 'string')
  const [table] = main
    ? withNestedTables(tableOf(main.title, columnsOf(main.fields), answer[main.name] as unknown[]))
    : []
  const others = tables.filter((other) => other !== main).map(({ title }) => lowerFirst(title))
  const rest = [
    further > 0 && counted(further, 'more figure'),
    table && table.rows.length > 0 && 'all columns',
    others.length > 0 && `${others.join(', ')}`,
  ].filter(Boolean)
  const sections = [
    [...lines, ...notes.flatMap(({ name }) => wrap(readableLine(String(answer[name])), width))],
    table ? tablePage(table, width, style, { currency: answer.currency, max_columns: MAX_COLUMNS }) : [],
    [...footing(query, answer), ...(rest.length > 0 ? [`With --all: ${rest.join('; ')}.`] : [])]
      .flatMap((line) => wrap(readableLine(line), width))
      .map(style.dim),
  ]
  return sections.filter((lines) => lines.length > 0).flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))
}
