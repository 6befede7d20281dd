import { type AnyQuery, capitalised, type Group, groups, lowerFirst, paramFields, queries } from '../../engine/index.ts'
import { groupTags } from '../contract/openapi.ts'
import { pagePath } from './calls.ts'
import { type HtmlContent, html, joined, type Markup } from './html.ts'
import { priceOf, type Site } from './site.ts'

const paramList = (query: AnyQuery): HtmlContent => {
  const params = paramFields(query).filter(({ name }) => name !== 'as_of')
  if (params.length === 0) return html`<span class="quiet">none</span>`
  const names = params.map(({ name, isRequired, default: usual }) =>
    isRequired ? html`<b>${name}</b>` : usual === undefined ? name : `${name}=${usual}`,
  )
  return html`<span class="params-list">${joined(names, ', ')}</span>`
}

const row = (query: AnyQuery, site: Site): Markup => {
  const price = priceOf(query, site)
  return html`<tr role="row"><th scope="row" role="rowheader"><a href="${pagePath(query)}">${query.group}/${query.name}</a></th><td class="summary-cell" role="cell">${query.summary}</td><td class="params-cell" role="cell">${paramList(query)}</td><td class="num" role="cell">${price === null ? 'free' : `$${price}`}</td></tr>\n`
}

const groupRows = (group: Group, site: Site): Markup =>
  html`<tbody role="rowgroup"><tr class="group" role="row"><th scope="rowgroup" role="rowheader" colspan="4">${capitalised(group)}: ${lowerFirst(groupTags[group]).replace(/\.$/, '')}</th></tr>
${queries.filter((query) => query.group === group).map((query) => row(query, site))}</tbody>`

/** Every query with what it answers, its parameters and its price. */
export const queryTable = (
  site: Site,
): Markup => html`<table class="data queries" role="table"><caption class="visually-hidden">Queries, what they answer, parameters and price of an answer</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Query</th><th scope="col" role="columnheader">Answers</th><th scope="col" role="columnheader">Parameters <span class="unit">bold: required; also as_of</span></th><th scope="col" role="columnheader" class="num">Price <span class="unit">USD</span></th></tr></thead>
${groups.map((group) => groupRows(group, site))}</table>`
