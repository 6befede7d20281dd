import { pathWith } from '../http/address.ts'
import { answerLead } from './answer-view.ts'
import { pagePath } from './calls.ts'
import { type Cited, citedTitle } from './citation.ts'
import type { PlottedAnswer } from './examples.ts'
import { html, type Markup } from './html.ts'
import { plotFrame } from './plot-frame.ts'

/** A page for an iframe of another site: the first plot of an answer, or its headline without one, with its source. */
export const embedPage = (cited: Cited, { answer, plots }: PlottedAnswer, styles: string): Markup => {
  const { query, params, facts, base_url } = cited
  const [plot] = (plots ?? []).map(plotFrame)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${citedTitle(cited)} | Shelfmark</title>
<link rel="stylesheet" href="${styles}">
</head>
<body class="embed">
<main>
<h1 class="visually-hidden">${citedTitle(cited)}</h1><h2 class="visually-hidden">Answer</h2>
${plot ?? answerLead(query, answer, null) ?? html`<p>The answer has no plot.</p>`}
<p class="plot-note"><a href="${base_url}${pathWith(pagePath(query), params)}" target="_blank" rel="noopener">Shelfmark, ${query.group}/${query.name}</a>${facts.isSample && ', sample data'}; snapshot ${facts.snapshot_id}</p>
</main>
</body>
</html>
`
}
