import { type AnyQuery, countryName, number, queries, queryId } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { answerLead } from './answer-view.ts'
import { callTabs, pagePath } from './calls.ts'
import { coverageGrid, coverageKey, shelfCounts } from './coverage-grid.ts'
import type { Example } from './examples.ts'
import { type HtmlContent, html } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { facts as factList, folded, note, section } from './parts.ts'
import { plotFrame } from './plot-frame.ts'
import { queryList } from './query-list.ts'
import { priceOf, type Site } from './site.ts'

/** The query whose example the first page has: the one whose answers have an interval. */
export const featured = queries.find((query: AnyQuery) => 'lfl_ci' in query.answer.shape) ?? queries[0]!

const lead = (facts: LakeFacts | null, site: Site): string => {
  const { observations = 0, listings = 0, retailers = 0 } = facts?.counts ?? {}
  const paid = queries.flatMap((query) => priceOf(query, site) ?? []).sort()
  const data = facts
    ? ` over ${number(observations)} price observations of ${number(listings)} listings at ${number(retailers)} retailers`
    : ''
  const cost =
    paid.length > 0
      ? `Paid answers cost $${paid[0]} to $${paid.at(-1)} each; there is no account and no subscription.`
      : 'All answers are free here.'
  return `${queries.length} queries${data}, by HTTP, command line, library or MCP. ${cost}`
}

const live = (example: Example, site: Site): HtmlContent => {
  const price = priceOf(featured, site)
  const request = html`<p class="request-line"><code>GET ${pathWith(apiPath(featured), example.params)}</code> <span class="price">${price === null ? 'free' : `$${price}`}</span> <a href="${pagePath(featured)}">Definition, parameters and form</a></p>`
  if (example.state !== 'answered')
    return html`${note(html`<p>${example.state === 'refused' ? example.message : 'A live answer is being computed. Reload the page in a moment.'}</p>`)}${request}`
  const [plot] = (example.plots ?? []).map(plotFrame)
  return html`${answerLead(featured, example.answer, plot)}${request}`
}

const coverageSection = (facts: LakeFacts): HtmlContent => {
  const { country } = facts
  const { all, serving, thin, stale } = shelfCounts(facts, country)
  const text = `${number(serving)} of ${number(all)} shelves are serving, ${number(thin)} are thin and ${number(stale)} stale.`
  return folded(
    'coverage',
    `Coverage and freshness, ${countryName(country)}`,
    html`<p>Only serving shelves can be queried by retailer. <a href="/coverage">All countries and details</a></p>${coverageKey}${coverageGrid(facts, country)}`,
    text,
  )
}

const trust = ({ snapshot_id }: LakeFacts): HtmlContent =>
  factList(
    [
      [
        'Snapshot',
        html`<code>${snapshot_id}</code>. Immutable; its id contains a digest of its files, and every answer names it.`,
      ],
      [
        'Age',
        html`Every answer has <code>meta.freshness_seconds</code>, and the first and last observation that it uses.`,
      ],
      [
        'Definitions',
        html`Population, formula, null rule and sources are written down for every query, such as <a href="${pagePath(featured)}#definition">${queryId(featured)}</a>.`,
      ],
      [
        'Uncertainty',
        'Changes of matched prices have a 95% interval. Below 30 pairs it is null, below 10 the change is too, with the reason.',
      ],
      [
        'Reproduction',
        html`Sums are of integers, so neither threads nor row order change a byte. <code>as_of</code> sets the moment that a query takes for now.`,
      ],
      [
        'Limits',
        'Posted prices, not purchases: nothing is weighted by quantity. Online listings of the covered retailers, not a sample of all shops. Not a consumer price index.',
      ],
    ],
    true,
  )

/** The first page: what this is, a live answer, how to send the query, prices, coverage. */
export const homePage = (facts: LakeFacts | null, example: Example, site: Site): PageContent => {
  const price = priceOf(featured, site)
  const tabs = callTabs({
    query: featured,
    params: example.params,
    base_url: site.base_url,
    isPaid: price !== null,
    price: price ?? '0',
  })
  const terms = site.payment
    ? `Prices are per answer, in US dollars, paid in dollar tokens by ${site.payment.ways}. Refusals are free, and the same payment sent again within ten minutes returns the same answer.`
    : 'Every answer is free here.'
  return {
    title: 'Shelfmark: statistics of retail prices',
    description: 'Retail price statistics, by country, with definitions, intervals and provenance.',
    entry: 'queries',
    facts,
    body: html`<section aria-labelledby="title">
<h1 id="title">Statistics of retail prices, by country, each with its definition, its interval and its source.</h1>
<p class="lead">${lead(facts, site)}</p>
</section>
<section aria-labelledby="live"><h2 class="visually-hidden" id="live">A live answer</h2>
${live(example, site)}</section>
${section('queries', 'Queries and prices', queryList(site), html`${terms} <a href="/statistics">What they mean</a> <a href="/prices">Prices and payment</a>`)}
<div class="folds">
${folded('ask', 'Send the query', tabs, 'curl, TypeScript, Python, command line, MCP')}
${facts && coverageSection(facts)}
${facts && folded('trust', 'What a figure rests on', trust(facts), 'Snapshot, age, definitions, uncertainty, limits')}</div>`,
  }
}
