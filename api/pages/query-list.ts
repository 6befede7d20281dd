import { capitalised, type Group, groups, queries } from '../../engine/index.ts'
import { pagePath } from './calls.ts'
import { html, type Markup } from './html.ts'
import { priceOf, type Site } from './site.ts'

const groupList = (group: Group, site: Site): Markup => {
  const ofGroup = queries.filter((query) => query.group === group)
  const price = ofGroup[0] ? priceOf(ofGroup[0], site) : null
  return html`<div><h3>${capitalised(group)} <span class="price">${price === null ? 'free' : `$${price}`}</span></h3>
<ul>${ofGroup.map((query) => html`<li><a href="${pagePath(query)}">${query.name}</a> <span class="quiet">${query.summary}</span></li>`)}</ul></div>
`
}

/** Every query by group, with the price of an answer. */
export const queryList = (site: Site): Markup =>
  html`<div class="query-list">${groups.map((group) => groupList(group, site))}</div>`
