import {
  type AnyQuery,
  EngineError,
  expectationOf,
  type ParamField,
  paramFields,
  queryId,
  readParams,
} from '../../engine/index.ts'
import { ofLake } from '../contract/of-lake.ts'
import { pagePath } from './calls.ts'
import { type HtmlContent, html, type Markup } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'

/** What a form contains: the values sent, and what is wrong with some of them, by parameter. */
export type FormState = { values: Readonly<Record<string, string>>; errors: Readonly<Record<string, string>> }

/** The messages of a query's rules about several parameters when nothing is sent, by parameter. */
const requirements = new Map<string, Readonly<Record<string, string>>>()

const requirementsOf = (query: AnyQuery): Readonly<Record<string, string>> => {
  const cached = requirements.get(queryId(query))
  if (cached) return cached
  const messages: Record<string, string> = {}
  try {
    readParams(query, {})
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'INVALID_PARAMS') throw error
    for (const { parameter, message } of error.details.issues ?? []) messages[parameter] = message
  }
  requirements.set(queryId(query), messages)
  return messages
}

/** The choices that a lake offers for a parameter. */
const suggestions = (name: string, facts: LakeFacts | null): readonly string[] => {
  if (!facts) return []
  if (name === 'retailer' || name === 'platform') return [...facts.retailers.keys()].sort()
  const departments = [...new Set(facts.cells.map((cell) => cell.category_root))].sort()
  if (name === 'department' || name === 'category_root') return departments
  if (name === 'category') return [...(facts.category ? [facts.category.path] : []), ...departments]
  if (name === 'brand') return facts.brand === null ? [] : [facts.brand]
  return []
}

type Control = { param: ParamField; value: string; attributes: HtmlContent; facts: LakeFacts | null }

const select = ({ param, value, attributes }: Control, choices: readonly string[]): Markup => {
  const usual = param.default === undefined ? '' : String(param.default)
  const chosen = value === '' ? usual : value
  const options = [
    ...(param.isRequired || usual !== '' ? [] : ['']),
    ...choices,
    ...(choices.includes(chosen) || chosen === '' ? [] : [chosen]),
  ]
  return html`<select ${attributes}>${options.map((option) => html`<option value="${option === usual ? '' : option}"${option === chosen && html` selected`}>${option === '' ? 'not set' : option}</option>`)}</select>`
}

const isDay = (text: string): boolean => /^(\d{4}-\d\d-\d\d)?$/.test(text)

const control = (field: Control): Markup => {
  const { param, value, attributes, facts } = field
  const { name } = param
  if (param.enum) return select(field, param.enum.map(String))
  if (param.type === 'boolean') return select(field, ['true', 'false'])
  const isDate = param.format === 'date' || param.anyOf?.some(({ format }) => format === 'date') === true
  if (isDate && isDay(value)) return html`<input type="date" ${attributes} value="${value}">`
  if (param.type === 'integer' || param.type === 'number')
    return html`<input type="text" inputmode="decimal" ${attributes} value="${value}" placeholder="${param.default === undefined ? '' : String(param.default)}" autocomplete="off">`
  const listed = suggestions(name, facts)
  const list =
    listed.length > 0 &&
    html`<datalist id="list-${name}">${listed.map((option) => html`<option value="${option}"></option>`)}</datalist>`
  return html`<input type="text" ${attributes}${list && html` list="list-${name}"`} value="${value}" autocomplete="off" spellcheck="false">${list}`
}

/** What a parameter accepts. */
export const typeText = (param: ParamField): string => {
  const text = expectationOf(param).replace(/^one of /, '')
  return text.replace(/,? such as .*$/, '')
}

/** A row of the form: name, control, type with default, description; with the error of its value. */
const row = (query: AnyQuery, param: ParamField, { values, errors }: FormState, facts: LakeFacts | null): Markup => {
  const { name } = param
  const id = `p-${name}`
  const error = errors[name]
  const rule = param.isRequired ? 'required' : requirementsOf(query)[name]
  const described = [
    error !== undefined && `${id}-error`,
    rule !== undefined && `${id}-rule`,
    `${id}-type`,
    `${id}-hint`,
  ]
    .filter(Boolean)
    .join(' ')
  const attributes = html`id="${id}" name="${name}" aria-describedby="${described}"${error !== undefined && html` aria-invalid="true"`}`
  const example = param.examples?.[0]
  return html`<div class="param"><div><label for="${id}">${name}</label>${rule !== undefined && html`<span class="required" id="${id}-rule">${rule}</span>`}</div>
<div>${control({ param, value: values[name] ?? '', attributes, facts })}${error !== undefined && html`<p class="param-error" id="${id}-error">${error}</p>`}</div>
<p class="type" id="${id}-type">${typeText(param)}${param.default !== undefined && html`<br>default ${String(param.default)}`}</p>
<p class="hint" id="${id}-hint">${param.description}${example !== undefined && html` Example: <code>${String(example)}</code>`}</p></div>
`
}

/** Parameters that most need; others are open where they are required or sent. */
const isPrimary = (name: string): boolean => ['q', 'category', 'brand', 'country', 'days', 'limit'].includes(name)
/** A form without a value shows at most this many. */
const MAX_OPEN = 3

export type FormText = { button: string; note: string }

/** The parameters of a query: one grid is their table and the form that sends them to the page. */
export const queryForm = (
  query: AnyQuery,
  state: FormState,
  facts: LakeFacts | null,
  { button, note }: FormText,
): Markup => {
  const params = ofLake(paramFields(query), facts?.countries)
  const primary = params.filter(({ name }) => isPrimary(name)).slice(0, MAX_OPEN)
  const isOpen = (param: ParamField) =>
    param.isRequired ||
    primary.includes(param) ||
    (state.values[param.name] ?? '') !== '' ||
    state.errors[param.name] !== undefined
  const line = (param: ParamField) => row(query, param, state, facts)
  const others = params.filter((param) => !isOpen(param))
  return html`<form class="form" method="get" action="${pagePath(query)}#result" novalidate>
${params.filter(isOpen).map(line)}
${others.length > 0 && html`<details><summary>Further parameters: ${others.map(({ name }) => name).join(', ')}</summary>${others.map(line)}</details>`}
<div class="actions"><button type="submit">${button}</button><span>${note}</span></div>
</form>`
}
