import { ageText, moment, readable } from '../../engine/index.ts'
import { type HtmlContent, html, type Markup, trusted } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'

/** The pages of the menu. */
export const menu = [
  { id: 'queries', label: 'Queries', path: '/#queries' },
  { id: 'statistics', label: 'Statistics', path: '/statistics' },
  { id: 'start', label: 'Start', path: '/start' },
  { id: 'prices', label: 'Prices', path: '/prices' },
  { id: 'coverage', label: 'Coverage', path: '/coverage' },
  { id: 'reference', label: 'Reference', path: '/reference' },
] as const
export type MenuEntry = (typeof menu)[number]['id']

export type PageContent = {
  title: string
  description: string
  /** The entry of the menu that the page is under. */
  entry?: MenuEntry | undefined
  /** The facts of the served snapshot; null while there is none. */
  facts: LakeFacts | null
  body: HtmlContent
  /** What the page has, by schema.org. */
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Scripts of this service, by their paths. */
  scripts?: readonly string[]
}

/** Paths of styles, scripts and pictures change with their content, so that browsers may keep them. */
export type AssetUrl = (path: string) => string

const logo = html`<svg class="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false"><path d="M2 17.5H18M4 15V8M8 15V4M12 15V9.5M16 15V6" fill="none" stroke="currentColor" stroke-width="2"/></svg>`

const sourceOf = ({ isSample, counts }: LakeFacts): HtmlContent =>
  isSample
    ? html`<span class="tag">sample</span> generated, not real shops`
    : html`feeds of ${counts.retailers ?? 0} retailers`

/** Where the data come from and how old they are. */
const strip = (facts: LakeFacts | null): Markup => {
  if (!facts)
    return html`<div class="strip"><dl class="wrap"><div><dt>Data</dt><dd>no snapshot is open yet; retry shortly</dd></div></dl></div>`
  const { newest, now, snapshot_id } = facts
  return html`<div class="strip"><dl class="wrap">
<div><dt>Data</dt><dd>${sourceOf(facts)}</dd></div>
<div><dt>Snapshot</dt><dd><code>${snapshot_id}</code></dd></div>
${
  newest === null
    ? html`<div><dt>Prices through</dt><dd>none yet</dd></div>`
    : html`<div><dt>Prices through</dt><dd><time datetime="${newest}">${moment(newest)}</time></dd></div>
<div><dt>Age</dt><dd>${ageText(now.getTime() - Date.parse(newest))}</dd></div>`
}
</dl></div>`
}

const footer = (facts: LakeFacts | null): Markup => html`<footer class="wrap foot">
${facts && html`<p>Every figure on this page is of snapshot <code>${facts.snapshot_id}</code>, published ${moment(facts.published_at)}. The same query with <code>as_of</code> returns the same bytes.</p>`}
<ul><li><a href="/openapi.json">openapi.json</a></li><li><a href="/openapi.full.json">openapi.full.json</a></li><li><a href="/llms.txt">llms.txt</a></li><li><a href="/reference">API reference</a></li></ul>
</footer>`

/** Metadata as a block of data, which no browser runs. */
const dataBlock = (metadata: Readonly<Record<string, unknown>>): Markup =>
  trusted(
    `<script type="application/ld+json">${readable(JSON.stringify(metadata)).replaceAll('<', '\\u003c')}</script>\n`,
  )

/** A whole page. Previews of links need the whole address of their picture, so the origin of the service. */
export const layout = (
  { title, description, entry, facts, body, metadata, scripts = [] }: PageContent,
  asset: AssetUrl,
  origin: string,
): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${origin}${asset('/card.png')}">
<meta property="og:image:alt" content="Shelfmark, retail price analytics">
<meta name="twitter:card" content="summary_large_image">
${metadata && dataBlock(metadata)}<link rel="icon" href="${asset('/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('/shelfmark.css')}">
${scripts.map((path) => html`<script src="${asset(path)}" defer></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<div class="wrap bar">
<a class="mark" href="/">${logo}Shelfmark</a>
<nav aria-label="Main">
<ul>${menu.map(({ id, label, path }) => html`<li><a href="${path}"${id === entry && html` aria-current="page"`}>${label}</a></li>`)}</ul>
</nav>
</div>
${strip(facts)}
</header>
<main id="main" class="wrap" tabindex="-1">
${body}
</main>
${footer(facts)}
</body>
</html>
`
