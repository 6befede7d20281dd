import { groups, queries } from '../../engine/index.ts'
import { groupTags } from '../contract/openapi.ts'
import { networkTitles } from '../ops/networks.ts'
import { dollars, prices } from '../ops/prices.ts'
import { pagePath } from './calls.ts'
import { type HtmlContent, html, joined } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { facts as factList, section, wordTable } from './parts.ts'
import type { Site } from './site.ts'

const groupTable = ({ payment }: Site): HtmlContent =>
  wordTable(
    'Price of an answer by group of queries',
    [
      { key: 'group', label: 'Group', isRowHead: true },
      { key: 'price', label: 'Price', unit: 'USD an answer', isNumeric: true },
      { key: 'about', label: 'About' },
      { key: 'queries', label: 'Queries' },
    ],
    groups.map((group) => ({
      cells: {
        group,
        price: payment && prices[group] > 0 ? `$${dollars(prices[group])}` : 'free',
        about: groupTags[group],
        queries: joined(
          queries
            .filter((query) => query.group === group)
            .map((query) => html`<a href="${pagePath(query)}">${query.name}</a>`),
          ', ',
        ),
      },
    })),
  )

/** What an answer costs, how it is paid for, and what is never charged. */
export const pricesPage = (facts: LakeFacts | null, site: Site): PageContent => {
  const { payment } = site
  const terms =
    payment &&
    section(
      'terms',
      'Payment',
      factList([
        [
          'Networks',
          `${payment.accepted.map((name) => networkTitles[name]).join(', ')}, by ${payment.ways}, in dollar tokens.${payment.mode === 'test money' ? ' Here they are local chains with test money.' : ''}`,
        ],
        [
          'Steps',
          html`Send the request. The 402 has the price and the offers; pay one of them and send the request again with the payment. <a href="/llms.txt">llms.txt</a> has the same for agents.`,
        ],
        [
          'Once',
          html`A payment buys one answer. Sent again within ten minutes it returns the same answer. Payments with one <code>Idempotency-Key</code> buy one answer a day.`,
        ],
        [
          'In doubt',
          'A payment whose outcome is unclear is settled in the background; the answer is then owed to the same payer, who is not charged again.',
        ],
      ]),
    )
  const free = section(
    'free',
    'Never charged',
    factList([
      [
        'Refusals',
        'Invalid parameters, names that match nothing, shelves that cannot be served, days without observations.',
      ],
      ['Failures', 'An answer that cannot be computed or a service that is busy.'],
      ['304', html`A request with the <code>ETag</code> of an answer that is still valid.`],
      ['Public lists', 'Categories, brands, retailers, coverage and the size of the catalogue.'],
    ]),
  )
  return {
    title: 'Prices | Shelfmark',
    description: 'What an answer costs, how it is paid for, and what is never charged.',
    entry: 'prices',
    facts,
    body: html`<section aria-labelledby="title"><h1 id="title">Prices</h1><p class="lead">${payment ? 'A price an answer, whatever its parameters. No account, no subscription, no key.' : 'Every answer of this service is free.'}</p><div class="block">${groupTable(site)}</div></section>
${terms}
${free}`,
  }
}
