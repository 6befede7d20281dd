import { type AnyQuery, counted, queryId, subjectOf } from '../../engine/index.ts'
import { titleOf } from '../contract/openapi.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { answerView } from './answer-view.ts'
import { callTabs, pagePath } from './calls.ts'
import { type Cited, citation, datasetOf, fileLinks } from './citation.ts'
import { comparedBy, comparisonForm } from './comparison.ts'
import { definitionFacts, fieldsTable, unitFacts } from './definition-view.ts'
import type { Example, PlottedAnswer } from './examples.ts'
import { type FormState, queryForm } from './form.ts'
import { isExample } from './free-answers.ts'
import { type HtmlContent, html, type Markup } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { codeBlock, facts as factList, folded, note, section } from './parts.ts'
import { type PlannedPurchase, quoteBox } from './quote.ts'
import { refusalTable } from './refusal-table.ts'
import { priceOf, type Site } from './site.ts'

/** The proof of a payment, with the network that has its transaction. */
export type PaidReceipt = { price: string; network: string; transaction: string; isTestMoney: boolean }

/** What a visitor's request to a query page led to. */
export type PageOutcome =
  | { kind: 'example'; example: Example }
  | ({ kind: 'answer'; receipt: PaidReceipt | null } & PlottedAnswer)
  | { kind: 'refused'; status: number; code: string; message: string; body: string; retry_after: string | undefined }
  | ({ kind: 'quote' } & PlannedPurchase)
  /** Answers that are compared, or what they cost. */
  | { kind: 'comparison'; body: Markup }

export type QueryPage = {
  query: AnyQuery
  facts: LakeFacts | null
  site: Site
  params: Record<string, string>
  form: FormState
  outcome: PageOutcome
}

const paramText = (params: Record<string, string>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')

const requestLine = (query: AnyQuery, params: Record<string, string>, price: string | null): HtmlContent =>
  html`<p class="request-line"><code>GET ${pathWith(apiPath(query), params)}</code> <span class="price">${price === null ? 'free' : `$${price}`}</span></p>`

/** The answer of a page to be cited: it is free, like its files. */
const citedOf = ({ query, facts, site, params, outcome }: QueryPage): Cited | null => {
  if (!facts) return null
  const cited = { query, facts, base_url: site.base_url }
  if (outcome.kind === 'example' && outcome.example.state === 'answered')
    return { ...cited, params: outcome.example.params, answer: outcome.example.answer }
  return outcome.kind === 'answer' && (priceOf(query, site) === null || isExample(query, params, facts))
    ? { ...cited, params, answer: outcome.answer }
    : null
}

const exampleBody = async (query: AnyQuery, example: Example, files: HtmlContent): Promise<HtmlContent> => {
  if (example.state === 'answered') return answerView(query, example, files)
  if (example.state === 'refused')
    return note(html`<p>The data of this service have no answer to the example: ${example.message}</p>`, true)
  return note(html`<p>The example is being computed. Reload the page in a moment.</p>`)
}

const receiptFacts = ({ price, network, transaction, isTestMoney }: PaidReceipt): HtmlContent =>
  html`<div class="block">${factList([
    ['Paid', html`<b>$${price}</b>${isTestMoney && ' of test money'}, once; loading this page again is not charged`],
    ['Transaction', html`<code>${transaction}</code> on ${network}`],
  ])}</div>`

const resultSection = async (page: QueryPage): Promise<HtmlContent> => {
  const { query, outcome, params, site } = page
  const cited = citedOf(page)
  const files = cited && fileLinks(cited)
  const price = priceOf(query, site)
  if (outcome.kind === 'example') {
    const subject = outcome.example.state === 'answered' ? subjectOf(outcome.example.answer) : paramText(params)
    const title = subject === '' ? 'Example' : `Example: ${subject}`
    return section(
      'example',
      title,
      html`${await exampleBody(query, outcome.example, files)}${requestLine(query, params, price)}`,
    )
  }
  if (outcome.kind === 'comparison') return outcome.body
  if (outcome.kind !== 'answer') return null
  const title = Object.keys(params).length === 0 ? 'Answer' : `Answer: ${paramText(params)}`
  return section(
    'result',
    title,
    html`${await answerView(query, outcome, files)}${outcome.receipt && receiptFacts(outcome.receipt)}${requestLine(query, params, price)}`,
  )
}

type Choice = { product_uid?: string; entity_uid?: string | null; name?: string | null; retailer_count: number }

/** The products that a refused text may mean, each a link to the same query about it. */
const choices = (query: AnyQuery, { q: _, ...params }: Record<string, string>, body: string): HtmlContent => {
  const { error } = JSON.parse(body) as { error?: { details?: { alternates?: Choice[] } } }
  const products = (error?.details?.alternates ?? []).filter(({ product_uid }) => product_uid !== undefined)
  const uid = ({ product_uid = '', entity_uid }: Choice): Record<string, string> =>
    entity_uid ? { entity_uid } : { product_uid }
  return (
    products.length > 0 &&
    html`<ul>${products.map((choice) => html`<li><a href="${pathWith(pagePath(query), { ...uid(choice), ...params })}#result">${choice.name ?? choice.product_uid}</a>, at ${counted(choice.retailer_count, 'retailer')}</li>`)}</ul>`
  )
}

/** What follows the form: a refusal or a quote. */
const formOutcome = ({ query, outcome, params, site }: QueryPage): HtmlContent => {
  if (outcome.kind === 'quote') return quoteBox(query, params, outcome, site)
  if (outcome.kind !== 'refused') return null
  const { status, code, message, body } = outcome
  return html`<div class="note note-warning" role="alert" id="result"><p><b>Refused, ${String(status)} ${code}.</b> ${message}</p>${choices(query, params, body)}</div>
<details><summary>The refusal in full</summary>${codeBlock(body, 'Refusal as JSON')}</details>`
}

const paymentFacts = (query: AnyQuery, { payment }: Site, price: string | null): HtmlContent => {
  if (!payment || price === null)
    return factList([['Price', html`<b>Free</b>, without a key. The number of requests a minute is limited.`]])
  return factList([
    ['Price', html`<b>$${price}</b> an answer of ${queryId(query)}, whatever its parameters.`],
    ['Payment', `In dollar tokens, by ${payment.ways}. There is no account and no subscription.`],
    [
      'Order',
      'Parameters, names and coverage are checked before the charge. The answer is computed before the payment is sent, and a failed computation is not paid.',
    ],
    [
      'Receipt',
      html`In <code>PAYMENT-RESPONSE</code> or <code>Payment-Receipt</code>. The same payment sent again within ten minutes returns the same answer.`,
    ],
    [
      'Unchanged',
      html`A request with the <code>ETag</code> of an answer in <code>If-None-Match</code> is free: 304 while the answer is still valid.`,
    ],
    ['Own lake', 'The command line and the library answer over your own lake, without a price.'],
  ])
}

const formText = (price: string | null) =>
  price === null
    ? { button: 'Show the answer', note: 'Free. Fields left empty are not sent.' }
    : {
        button: 'Check and show the price',
        note: 'Free. Nothing is charged before you confirm. Fields left empty are not sent.',
      }

/** The parameters of one answer: of a comparison those of its first. */
const singleParams = (by: string | null, { compare, ...params }: Record<string, string>): Record<string, string> =>
  compare === undefined || by === null ? params : { ...params, [by]: compare.split(',')[0]!.trim() }

/** The page of a query: what it answers, an example or the visitor's answer, form, definition, fields, cost, refusals. */
export const queryPage = async (page: QueryPage): Promise<PageContent> => {
  const { query, facts, site, params, form, outcome } = page
  const price = priceOf(query, site)
  const by = comparedBy(query)
  const result = await resultSection(page)
  const cited = citedOf(page)
  const ask = html`${queryForm(query, form, facts, formText(price))}
${formOutcome(page)}`
  const calls = callTabs({
    query,
    params: singleParams(by, params),
    base_url: site.base_url,
    isPaid: price !== null,
    price: price ?? '0',
  })
  return {
    title: `${titleOf(query)}: ${query.summary} | Shelfmark`,
    description: `${query.summary}: definition, parameters, example, price.`,
    entry: undefined,
    facts,
    metadata: cited ? datasetOf(cited) : undefined,
    body: html`<section aria-labelledby="title"><p class="crumbs"><a href="/#queries">Queries</a> / ${query.group}</p>
<h1 id="title">${titleOf(query)}</h1>
<p class="lead">${query.summary}. <span class="price">${price === null ? 'Free' : `$${price} an answer`}</span>.</p></section>
${result}
${section('ask', 'Query it', ask, price === null ? 'The form sends the query and shows its answer.' : 'The check is free: it resolves names and says what the answer will be about.')}
<div class="folds">
${cited && folded('cite', 'Cite, download, embed', citation(cited))}
${by !== null && folded('compare', `Compare by ${by}`, comparisonForm(query, by, params), 'up to six in one plot and one table')}
${folded('calls', 'The same from elsewhere', calls, 'curl, TypeScript, Python, command line, MCP')}
${folded('definition', 'Definition', definitionFacts(query), 'Population, formula, null rule, sources')}
${folded('fields', 'Fields', html`${fieldsTable(query)}<details><summary>Units</summary>${unitFacts(query)}</details>`, 'Every field is always there, null where it has no value.')}
${folded('cost', 'Cost and payment', paymentFacts(query, site, price))}
${folded('refusals', 'Refusals', refusalTable(query.group, price !== null), 'Each says what is wrong, where, and what to send instead. None is charged.')}</div>`,
    ...(outcome.kind === 'quote' && site.payment?.mode === 'wallet' ? { scripts: ['/wallet.js'] } : {}),
  }
}
