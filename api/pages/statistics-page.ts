import { type AnyQuery, capitalised, definitionParts, groups, inTurn, queries } from '../../engine/index.ts'
import { groupTags, titleOf } from '../contract/openapi.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { answerLead } from './answer-view.ts'
import { pagePath } from './calls.ts'
import { type Cited, fullCitation } from './citation.ts'
import { withCode } from './definition-view.ts'
import type { Example } from './examples.ts'
import { type HtmlContent, html, type Markup } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { note, section } from './parts.ts'
import { plotFrame } from './plot-frame.ts'
import type { Site } from './site.ts'

const OF_STATISTICS: readonly AnyQuery['group'][] = groups.filter(
  (group) => group !== 'public' && group !== 'reference',
)

/** The queries that compute figures; others look up what there is. */
export const statistics: readonly AnyQuery[] = queries.filter(({ group }) => OF_STATISTICS.includes(group))

/** What a statistic means in a paragraph: its summary and the formula of its definition. */
export const meaningOf = ({ summary, definition }: AnyQuery): string =>
  [`${summary}.`, ...definitionParts(definition).flatMap(([name, texts]) => (name === 'Formula' ? texts : []))].join(
    ' ',
  )

const liveAnswer = (query: AnyQuery, example: Example, cited: Cited | null): HtmlContent => {
  if (example.state === 'refused')
    return note(html`<p>The data of this service have no answer to the example: ${example.message}</p>`, true)
  if (example.state === 'pending') return note(html`<p>It is being computed. Reload the page in a moment.</p>`)
  const [plot] = (example.plots ?? []).map(plotFrame)
  return html`${answerLead(query, example.answer, plot)}${cited && html`<p class="quiet breaking">${fullCitation(cited)}</p>`}`
}

const statistic = (query: AnyQuery, example: Example, facts: LakeFacts | null, { base_url }: Site): Markup => {
  const id = `${query.group}-${query.name}`
  const cited =
    facts && example.state === 'answered'
      ? { query, params: example.params, answer: example.answer, facts, base_url }
      : null
  return html`<h3 class="sub" id="${id}">${titleOf(query)}</h3>
<p>${withCode(meaningOf(query))} <a href="${pagePath(query)}">Population, null rule, sources and form</a></p>
<details class="operation"><summary>Live answer <code>${pathWith(apiPath(query), example.params)}</code></summary>
${liveAnswer(query, example, cited)}</details>
`
}

/** What every statistic means, by its definition, each with an answer of this service that can be cited. */
export const statisticsPage = async (
  facts: LakeFacts | null,
  exampleOf: (query: AnyQuery) => Example,
  site: Site,
): Promise<PageContent> => {
  const parts = await inTurn(statistics, (query) => statistic(query, exampleOf(query), facts, site))
  return {
    title: 'What the statistics mean | Shelfmark',
    description: 'What each statistic of retail prices means, with a live plot and how to cite it.',
    entry: 'statistics',
    facts,
    body: html`<section aria-labelledby="title"><h1 id="title">What the statistics mean</h1>
<p class="lead">The texts are the definitions by which answers are computed. Prices are posted ones: nothing is weighted by what is bought.</p>
<ul class="toc" aria-label="On this page">${OF_STATISTICS.map((group) => html`<li><a href="#${group}">${capitalised(group)}</a></li>`)}</ul></section>
${OF_STATISTICS.map((group) =>
  section(
    group,
    capitalised(group),
    parts.filter((_, i) => statistics[i]!.group === group),
    groupTags[group],
  ),
)}`,
  }
}

/** The same as Markdown, without plots; without a lake each request is the documented one, and nothing is cited. */
export const statisticsMarkdown = (
  base_url: string,
  facts: LakeFacts | null,
  paramsOf: (query: AnyQuery) => Readonly<Record<string, string>>,
): string => {
  const parts = statistics.map((query) => {
    const params = paramsOf(query)
    return [
      `## ${titleOf(query)}`,
      meaningOf(query),
      `GET ${base_url}${pathWith(apiPath(query), params)}`,
      `Definition: ${base_url}${pagePath(query)}`,
      ...(facts ? [`Cite: ${fullCitation({ query, params, answer: {}, facts, base_url })}`] : []),
    ].join('\n\n')
  })
  return ['# What the statistics mean', ...parts, ''].join('\n\n')
}
