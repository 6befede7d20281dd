import {
  type AnswerField,
  type AnyQuery,
  answerFields,
  definitionParts,
  jsonTypeOf,
  unitsOf,
  withInner,
} from '../../engine/index.ts'
import { type HtmlContent, html, type Markup, trusted } from './html.ts'
import { codes, facts, wordTable } from './parts.ts'

/** Words in backquotes, and names of fields with an underscore, as code. */
export const withCode = (text: string): HtmlContent =>
  text
    .split(/(`[^`]+`|\b[a-z0-9]+(?:_[a-z0-9]+)+\b)/)
    .map((part, i) => (i % 2 === 1 ? html`<code>${part.replaceAll('`', '')}</code>` : part))

/** What the figures of a query mean. */
export const definitionFacts = ({ definition }: AnyQuery): Markup =>
  facts(
    definitionParts(definition).map(([name, texts]) => [
      name,
      name === 'Sources' ? texts.map((source) => html`<p>${withCode(source)}</p>`) : texts.map(withCode),
    ]),
  )

const typeOf = (field: AnswerField): string => {
  if (field.choices) return `one of ${field.choices.join(', ')}`
  if (field.shape === 'table') return 'list of objects'
  return field.shape === 'list' ? 'list of strings' : jsonTypeOf(field)
}

const softened = (path: string): HtmlContent =>
  path.split('.').flatMap((part, i) => (i === 0 ? [part] : [trusted('.<wbr>'), part]))

/** Every field of a query's answers: name, type, unit, meaning. */
export const fieldsTable = (query: AnyQuery): Markup =>
  wordTable(
    'Fields of the answer',
    [
      { key: 'name', label: 'Field', isRowHead: true },
      { key: 'type', label: 'Type' },
      { key: 'unit', label: 'Unit' },
      { key: 'text', label: 'Meaning' },
    ],
    withInner(answerFields(query)).map((field) => ({
      cells: {
        name: html`${field.title} <code>${softened(field.path)}</code>`,
        type: typeOf(field),
        unit: field.unit ?? '–',
        text: html`${field.isHeadline && html`<b>The figure to quote.</b> `}${field.isDeprecated && html`<b>Deprecated.</b> `}${withCode(field.description)}`,
      },
    })),
  )

/** The units that a query's fields have, with their meanings. */
export const unitFacts = (query: AnyQuery): Markup =>
  facts(unitsOf(withInner(answerFields(query))).map(([unit, meaning]) => [codes([unit]), meaning]))
