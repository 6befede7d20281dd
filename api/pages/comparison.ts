import {
  type AnyQuery,
  headlineOf,
  invalidParam,
  type Plot,
  paramNamed,
  queryId,
  subjectOf,
  valueText,
} from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { pagePath } from './calls.ts'
import { type HtmlContent, html, type Markup } from './html.ts'
import { codeBlock, facts as factList, note, section, wordTable } from './parts.ts'
import { plotFrame } from './plot-frame.ts'
import { priceOf, type Site } from './site.ts'

const MIN_COMPARED = 2
const MAX_COMPARED = 6

/** What the answers of a query can be compared by: the retailer or brand that it is about, else the category. */
export const comparedBy = (query: AnyQuery): string | null =>
  ['retailer', 'brand'].find((name) => paramNamed(query, name)?.isRequired) ??
  (paramNamed(query, 'category') && !paramNamed(query, 'q') ? 'category' : null)

/** One of the requests of a comparison; its answer, or why there is none. */
export type ComparedItem = { value: string; params: Record<string, string> } & (
  | { answer: Record<string, unknown> }
  | { message: string }
)

/** The values to compare and the parameters of each. Throws INVALID_PARAMS unless there are two to six. */
export const readComparison = (by: string, sent: Record<string, string>) => {
  const { compare = '', [by]: _, ...others } = sent
  const values = [...new Set(compare.split(',').map((value) => value.trim()))].filter((value) => value !== '')
  if (values.length < MIN_COMPARED || values.length > MAX_COMPARED)
    throw invalidParam('compare', `expected ${MIN_COMPARED} to ${MAX_COMPARED} values of ${by} with commas between`)
  return values.map((value) => ({ value, params: { ...others, [by]: value } }))
}

/** The sum of the prices of a comparison, in dollars. */
export const comparisonPrice = (query: AnyQuery, site: Site, count: number): string | null => {
  const price = priceOf(query, site)
  return price === null ? null : (Number(price) * count).toFixed(2)
}

const NONE = { value: '–', low: '–', high: '–', population: '–' }

const rowOf = (query: AnyQuery, { value, params, ...rest }: ComparedItem) => {
  const name = html`<a href="${pathWith(pagePath(query), params)}#result">${value}</a>`
  if (!('answer' in rest)) return { cells: { ...NONE, name, about: rest.message } }
  const headline = headlineOf(query, rest.answer)
  if (!headline) return { cells: { ...NONE, name, about: subjectOf(rest.answer) } }
  const { interval, population } = headline
  const bound = (quoted: typeof headline.population) =>
    quoted ? valueText(quoted.value, quoted.field, rest.answer, 'typeset') : '–'
  return {
    cells: {
      name,
      value: valueText(headline.value, headline.field, rest.answer, 'typeset'),
      low: bound(interval?.low ?? null),
      high: bound(interval?.high ?? null),
      population: population === null ? '–' : html`${bound(population)} ${population.field.title.toLowerCase()}`,
      about: subjectOf(rest.answer),
    },
  }
}

/** The answers of a comparison with their names. */
export const answeredOf = (items: readonly ComparedItem[]) =>
  items.flatMap((item) => ('answer' in item ? [{ name: item.value, answer: item.answer }] : []))

/** Up to six answers in one plot and one table, with their files. */
export const comparisonSection = (
  query: AnyQuery,
  by: string,
  items: readonly ComparedItem[],
  plots: readonly Plot[] | null,
  files: HtmlContent,
) => {
  const first = items.find((item) => 'answer' in item)
  const title = first && 'answer' in first ? headlineOf(query, first.answer)?.field.title : undefined
  const columns = [
    { key: 'name', label: by, isRowHead: true },
    { key: 'value', label: title ?? 'Headline', isNumeric: true },
    { key: 'low', label: 'Low', isNumeric: true },
    { key: 'high', label: 'High', isNumeric: true },
    { key: 'population', label: 'Rests on', isNumeric: true },
    { key: 'about', label: 'About' },
  ]
  return section(
    'result',
    `Comparison: ${items.map(({ value }) => value).join(', ')}`,
    html`${plots ? plots.map(plotFrame) : note(html`<p>The plot was not drawn in time. The figures below are complete.</p>`)}<div class="block">${wordTable(
      `${queryId(query)} by ${by}`,
      columns,
      items.map((item) => rowOf(query, item)),
    )}</div>${files}`,
  )
}

/** What a comparison of paid answers costs, and how to pay it. */
export const comparisonQuote = (
  query: AnyQuery,
  sent: Record<string, string>,
  items: readonly { params: Record<string, string> }[],
  purchase: string,
  site: Site,
): Markup => {
  const price = comparisonPrice(query, site, items.length)
  const batch = JSON.stringify(
    items.map(({ params }) => ({ path: apiPath(query), params })),
    null,
    2,
  )
  const pay: HtmlContent =
    site.payment?.mode === 'test money'
      ? html`<form class="actions" method="post" action="${pathWith(pagePath(query), sent)}#result"><input type="hidden" name="purchase" value="${purchase}"><button type="submit">Pay $${price} of test money and compare</button><span>On the local chain of this service, by x402 on Base. An answer that is refused is not paid.</span></form>`
      : html`<p>Send them as one batch, with a client of ${site.payment?.ways}:</p>${codeBlock(`POST /v1/batch\n${batch}`, 'Batch of the comparison')}`
  return section(
    'result',
    `Planned: ${items.length} answers of ${queryId(query)}`,
    html`<div class="quote">${factList([['Price', html`<b>$${price}</b>, the sum of the answers`]])}
${pay}</div>`,
  )
}

/** The form that begins a comparison, with the other parameters of the page. */
export const comparisonForm = (query: AnyQuery, by: string, params: Readonly<Record<string, string>>): Markup => {
  const { compare = '', [by]: value = '', ...others } = params
  return html`<form class="actions" method="get" action="${pagePath(query)}#result">${Object.entries(others).map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">`)}
<label for="p-compare">${by}, two to six with commas between</label> <input type="text" id="p-compare" name="compare" value="${compare === '' && value !== '' ? `${value}, ` : compare}" autocomplete="off"> <button type="submit">Compare</button></form>`
}
