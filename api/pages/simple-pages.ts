import { html } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { note } from './parts.ts'

/** A refusal as a page. */
export const refusalPage = (facts: LakeFacts | null, status: number, title: string, message: string): PageContent => ({
  title: `${title} | Shelfmark`,
  description: title,
  facts,
  body: html`<section aria-labelledby="title"><h1 id="title">${String(status)}: ${title}</h1><p class="lead">${message}</p>
<ul class="toc" aria-label="Where to go"><li><a href="/">Queries</a></li><li><a href="/prices">Prices</a></li><li><a href="/coverage">Coverage</a></li><li><a href="/reference">API reference</a></li></ul></section>`,
})

const links = html`<p>The same contract without this page: <a href="/openapi.json">openapi.json</a> (types and prices), <a href="/openapi.full.json">openapi.full.json</a> (definitions, units and examples).</p>`

/** The contract document, by Swagger UI; `isInstalled` says whether its optional package is. */
export const referencePage = (facts: LakeFacts | null, isInstalled: boolean, installLine: string): PageContent => ({
  title: 'API reference | Shelfmark',
  description: 'Every operation of the service with its parameters, answers and refusals.',
  entry: 'reference',
  facts,
  ...(isInstalled
    ? { styles: ['/reference/swagger-ui.css'], scripts: ['/reference/swagger-ui-bundle.js', '/reference.js'] }
    : {}),
  body: html`<section aria-labelledby="title"><h1 id="title">API reference</h1>
<div class="lead">${links}</div>
${isInstalled ? html`<noscript>${note(html`<p>The reference is drawn with JavaScript. Each query also has a page without it: see <a href="/#queries">the list of queries</a>.</p>`)}</noscript>` : html`<div class="block">${note(html`<p>The reference needs the optional package @fastify/swagger-ui, which is not installed: ${installLine} installs it. Each query also has a page: see <a href="/#queries">the list of queries</a>.</p>`, true)}</div>`}</section>
${isInstalled && html`<div id="reference" class="reference"></div>`}`,
})
