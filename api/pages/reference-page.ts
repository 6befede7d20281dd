import {
  type AnyQuery,
  answerFields,
  capitalised,
  groups,
  type ParamField,
  paramFields,
  queries,
  tableNames,
  withInner,
} from '../../engine/index.ts'
import { ofLake } from '../contract/of-lake.ts'
import { groupTags, titleOf } from '../contract/openapi.ts'
import { headersOf } from '../contract/openapi-parts.ts'
import { allTerms } from '../contract/openapi-payment.ts'
import { servicePaths } from '../contract/openapi-service.ts'
import { apiPath } from '../http/address.ts'
import { tableTypes } from '../http/format.ts'
import { protocolsOf } from '../ops/networks.ts'
import { pagePath } from './calls.ts'
import { typeText } from './form.ts'
import { type HtmlContent, html, joined, type Markup } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { codeBlock, codes, facts as factList, section, wordTable } from './parts.ts'
import { refusalTable } from './refusal-table.ts'
import { priceOf, type Site } from './site.ts'

/** An operation that is not a query, as the contract document has it. */
type ServiceOperation = {
  operationId: string
  summary: string
  description: string
  parameters?: readonly { name: string; description: string; required?: boolean }[]
  requestBody?: { content: { 'application/json': { example: unknown } } }
}

const paramTable = (params: readonly (Pick<ParamField, 'name' | 'isRequired'> & { type: string; text: string })[]) =>
  params.length > 0 &&
  wordTable(
    'Parameters',
    [
      { key: 'name', label: 'Parameter', isRowHead: true },
      { key: 'type', label: 'Type' },
      { key: 'text', label: 'Meaning' },
    ],
    params.map(({ name, isRequired, type, text }) => ({
      cells: {
        name: html`<code>${name}</code>${isRequired && html` <span class="required">required</span>`}`,
        type,
        text,
      },
    })),
  )

/** A folded operation; a link to its id, which its heading has, opens it. */
const operation = (id: string, method: string, path: string, title: string, about: string, body: HtmlContent): Markup =>
  html`<details class="operation"><summary><code>${method} ${path}</code> <span class="quiet">${about}</span></summary>
<h3 class="sub" id="${id}">${title}</h3>
${body}</details>
`

const queryOperation = (query: AnyQuery, facts: LakeFacts | null, site: Site): Markup => {
  const price = priceOf(query, site)
  const params = ofLake(paramFields(query), facts?.countries).map((param) => ({
    name: param.name,
    isRequired: param.isRequired,
    type: `${typeText(param)}${param.default === undefined ? '' : `; default ${param.default}`}`,
    text: param.description ?? '',
  }))
  const table = {
    name: 'table',
    isRequired: false,
    type: tableNames(query).join(', '),
    text: 'Table to send where Accept selects CSV, Arrow or Parquet; default the first list that the answer has.',
  }
  const body = html`<p>${query.summary}. ${price === null ? 'Free.' : `$${price} an answer.`} <a href="${pagePath(query)}">Definition, example and form</a></p>
${paramTable([...params, table])}
<p class="answer-fields"><a href="${pagePath(query)}#fields">Fields of the answer</a>: ${codes(withInner(answerFields(query)).map(({ path }) => path))}</p>`
  return operation(`${query.group}-${query.name}`, 'GET', apiPath(query), titleOf(query), query.summary, body)
}

const serviceOperation = (path: string, method: string, described: ServiceOperation): Markup => {
  const { operationId, summary, description, parameters = [], requestBody } = described
  const params = parameters.map(({ name, required = false, description }) => ({
    name,
    isRequired: required,
    type: 'text',
    text: description,
  }))
  const body = html`<p>${description}</p>${paramTable(params)}${
    requestBody &&
    codeBlock(JSON.stringify(requestBody.content['application/json'].example, null, 2), 'Example of a body')
  }`
  return operation(operationId, method.toUpperCase(), path, summary, description, body)
}

const serviceOperations = (): Markup[] =>
  Object.entries(servicePaths('full', allTerms)).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, ServiceOperation>).map(([method, described]) =>
      serviceOperation(path, method, described),
    ),
  )

const headerFacts = ({ payment }: Site): Markup =>
  factList(
    Object.entries(headersOf(payment ? protocolsOf(payment.accepted) : [], true)).map(([name, header]) => [
      html`<code>${name}</code>`,
      String((header as { description: string }).description),
    ]),
  )

const files: readonly (readonly [HtmlContent, HtmlContent])[] = [
  [html`<a href="/openapi.json">openapi.json</a>`, 'Types and prices, for generators of clients and registries.'],
  [
    html`<a href="/openapi.full.json">openapi.full.json</a>`,
    'Definitions, units and an example of every answer besides.',
  ],
  [html`<a href="/llms.txt">llms.txt</a>`, 'A guide for language models.'],
]

/** Every operation of the contract with its parameters, answers, headers and refusals; folded, to be searched. */
export const referencePage = (facts: LakeFacts | null, site: Site): PageContent => {
  const contents = [...groups, 'service', 'formats', 'headers', 'refusals'] as const
  return {
    title: 'HTTP API reference | Shelfmark',
    description: 'Every operation of the service with its parameters, answers, headers and refusals.',
    entry: 'reference',
    facts,
    body: html`<section aria-labelledby="title"><h1 id="title">HTTP API reference</h1>
<p class="lead">Every query is a GET of <code>${site.base_url}/v1/GROUP/NAME</code> with parameters in the query string. Parameters that do not exist, are repeated or empty are refused, free.</p>
<ul class="toc" aria-label="On this page">${contents.map((id) => html`<li><a href="#${id}">${capitalised(id)}</a></li>`)}</ul></section>
${groups.map((group) =>
  section(
    group,
    capitalised(group),
    queries.filter((query) => query.group === group).map((query) => queryOperation(query, facts, site)),
    groupTags[group],
  ),
)}
${section('service', 'Service', serviceOperations(), 'What a query costs, and many queries in one request.')}
${section(
  'formats',
  'Formats',
  factList([
    ['JSON', 'The whole answer, without Accept or with application/json.'],
    [
      'Tables',
      html`One table of the answer with ${joined(
        Object.values(tableTypes).map((type) => html`<code>Accept: ${type}</code>`),
        ' or ',
      )}; <code>table</code> selects which.`,
    ],
    ['Compression', 'By Accept-Encoding: br, gzip, and zstd from Node 22.15.'],
    ...files,
  ]),
)}
${section('headers', 'Headers of responses', headerFacts(site))}
${section('refusals', 'Refusals', refusalTable('analyst', site.payment !== null), 'Each says what is wrong, where, and what to send instead. None is charged.')}`,
  }
}
