import { html } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'

/** A refusal as a page. */
export const refusalPage = (facts: LakeFacts | null, status: number, title: string, message: string): PageContent => ({
  title: `${title} | Shelfmark`,
  description: title,
  facts,
  body: html`<section aria-labelledby="title"><h1 id="title">${String(status)}: ${title}</h1><p class="lead">${message}</p>
<ul class="toc" aria-label="Where to go"><li><a href="/">Queries</a></li><li><a href="/prices">Prices</a></li><li><a href="/coverage">Coverage</a></li><li><a href="/reference">API reference</a></li></ul></section>`,
})
