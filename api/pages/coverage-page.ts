import { ageText, capitalised, countryName, number } from '../../engine/index.ts'
import { coverageGrid, coverageKey, shelfCounts } from './coverage-grid.ts'
import type { Example } from './examples.ts'
import { type HtmlContent, html } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { facts as factList, section, wordTable } from './parts.ts'
import { plotFrame } from './plot-frame.ts'

const rules = {
  serving: { rule: 'Enough of its listings were priced in the last 90 days.', effect: 'Can be queried by retailer.' },
  thin: {
    rule: 'Too few of its listings were priced in the last 90 days.',
    effect: 'Refused when named as retailer, before any charge.',
  },
  stale: {
    rule: 'Under a quarter of its listings were priced in the last 90 days.',
    effect: 'Refused likewise; its history remains.',
  },
} as const

const countriesIn = ({ countries }: LakeFacts): string[] => [...countries.accepted.keys()]

const statusTable = (facts: LakeFacts): HtmlContent =>
  wordTable(
    'Shelves by status; a shelf is one retailer in one country and department',
    [
      { key: 'status', label: 'Status', isRowHead: true },
      ...countriesIn(facts).map((country) => ({
        key: country,
        label: countryName(country),
        unit: 'shelves',
        isNumeric: true,
      })),
      { key: 'rule', label: 'Rule' },
      { key: 'effect', label: 'Effect' },
    ],
    (['serving', 'thin', 'stale'] as const).map((status) => ({
      cells: {
        status: capitalised(status),
        ...Object.fromEntries(
          countriesIn(facts).map((country) => [country, number(shelfCounts(facts, country)[status])]),
        ),
        ...rules[status],
      },
    })),
  )

const summary = (facts: LakeFacts): string => {
  const counts = countriesIn(facts).map((country) => shelfCounts(facts, country))
  const sum = (name: 'serving' | 'all') => counts.reduce((total, count) => total + count[name], 0)
  const newest =
    facts.newest === null
      ? 'No price was observed yet.'
      : `The newest price is ${ageText(facts.now.getTime() - Date.parse(facts.newest))} old.`
  return `${number(sum('serving'))} of ${number(sum('all'))} shelves are serving. ${newest}`
}

/** Which retailers and departments are covered, and how fresh their prices are; with the plots of an answer about it. */
export const coveragePage = (facts: LakeFacts | null, example: Example): PageContent => {
  const plots = example.state === 'answered' ? (example.plots ?? []).map(plotFrame) : []
  const live =
    facts &&
    html`<div class="block">${statusTable(facts)}</div>
<p class="request-line"><code>GET /v1/public/coverage</code> <span class="price">free</span> <a href="/queries/public/coverage">Definition, parameters and form</a></p></section>
${countriesIn(facts).map((country) => section(country, countryName(country), html`${coverageKey}${coverageGrid(facts, country)}`, 'Products with a price in the last 90 days; age of the newest price.'))}
<section aria-labelledby="freshness"><div class="head"><h2 id="freshness">Freshness</h2></div>
<div class="small-plots">${plots}</div><div class="block">${factList([
      ['Feeds', 'A refresh makes a new snapshot, or is refused and the one before keeps serving.'],
      [
        'Current',
        'Most queries take a price as current for 90 days after it was observed; their parameter days changes that.',
      ],
      ['In answers', html`<code>meta.freshness_seconds</code> and the header <code>X-Data-Freshness-Hours</code>.`],
    ])}</div>`
  return {
    title: 'Coverage and freshness | Shelfmark',
    description: 'Which retailers and departments are covered, and how fresh their prices are.',
    entry: 'coverage',
    facts,
    body: html`<section aria-labelledby="title"><h1 id="title">Coverage and freshness</h1><p class="lead">${facts ? summary(facts) : 'No snapshot is open yet. Reload the page in a moment.'}</p>
${live}</section>`,
  }
}
