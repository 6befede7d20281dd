import {
  type AnswerValues,
  type AnyQuery,
  answerFields,
  giveWay,
  number,
  queryId,
  rowsOf,
  sentenceOf,
  shortened,
  subjectOf,
} from '../../engine/index.ts'
import { comparedFigures, figuresTable, listTables, shortTable } from './answer-tables.ts'
import type { PlottedAnswer } from './examples.ts'
import { cut, type HtmlContent, html, type Markup } from './html.ts'
import { codeBlock, comparison, headlineBlock, note } from './parts.ts'
import { plotFrame } from './plot-frame.ts'

/** Lists of the raw answer are cut to this many entries. */
const MAX_ENTRIES = 2

const shortenedLists = (answer: AnswerValues): AnswerValues =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length > MAX_ENTRIES
        ? [...value.slice(0, MAX_ENTRIES), `… ${value.length - MAX_ENTRIES} more`]
        : value,
    ]),
  )

/** The answer as JSON, with long lists and texts cut. */
const excerptOf = (answer: AnswerValues): string =>
  JSON.stringify(shortenedLists(answer), (_, value) => (typeof value === 'string' ? shortened(value) : value), 2)

/** What an answer warns of: its notes that are not null. */
const warnings = (query: AnyQuery, answer: AnswerValues): HtmlContent =>
  answerFields(query)
    .map(({ name }) => ({ name, text: answer[name] }))
    .filter(({ name, text }) => name.endsWith('_note') && typeof text === 'string')
    .map(({ text }) => html`<div class="block">${note(html`<p>${String(text)}</p>`, true)}</div>`)

/** The headline of an answer with its first plot, or its first plot alone; null if it has neither. */
export const answerLead = (query: AnyQuery, answer: AnswerValues, first: HtmlContent): HtmlContent => {
  const headline = sentenceOf(query, answer, 'typeset')
  const figures = comparison(comparedFigures(query, answer, headline?.fields ?? []))
  if (!headline && !first && !figures) return null
  const subject = subjectOf(answer)
  const aside = html`<div>${headline ? headlineBlock(headline) : subject !== '' && html`<p class="headline headline-label">${cut(subject)}</p>`}${figures}</div>`
  return first ? html`<div class="split split-lead">${aside}${first}</div>` : aside
}

/** An answer as a page shows it: headline, first plot, main table; folded the other plots, all tables and figures, and the JSON. */
export const answerView = async (
  query: AnyQuery,
  { answer, plots }: PlottedAnswer,
  files?: HtmlContent,
): Promise<Markup> => {
  const [first, ...others] = (plots ?? []).map(plotFrame)
  const isEmpty = answerFields(query).every((field) => field.shape !== 'table' || rowsOf(answer, field).length === 0)
  const figures = figuresTable(query, answer)
  const short = shortTable(query, answer)
  const tables = await listTables(query, answer)
  await giveWay()
  return html`${answerLead(query, answer, first)}${files}
${plots === null && html`<div class="block">${note(html`<p>The plots were not drawn in time. The figures below are complete.</p>`)}</div>`}${warnings(query, answer)}${short}
${isEmpty && !figures && html`<p class="lead">The answer has no entries.</p>`}
${others.length > 0 && html`<details><summary>More plots: ${others.length}</summary><div class="block${others.length > 1 && ' small-plots'}">${others}</div></details>`}
${tables.length > 0 && html`<details><summary>All columns and lists of the answer</summary>${tables}</details>`}
${figures && html`<details><summary>All figures of the answer, with their meanings</summary>${figures}</details>`}
<details><summary>The answer as JSON, ${number(Buffer.byteLength(JSON.stringify(answer)))} bytes</summary>${codeBlock(excerptOf(answer), `Answer of ${queryId(query)} as JSON, lists cut to two entries`)}</details>`
}
