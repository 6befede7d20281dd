import type { Plot } from '../../engine/index.ts'
import { type HtmlContent, html, type Markup, trusted } from './html.ts'

const keyList = (key: Plot['key']): HtmlContent =>
  key.length > 0 &&
  html`<ul class="key">${key.map(({ mark, colour, text }) => html`<li><span class="swatch swatch-${mark} ink-${colour}" aria-hidden="true"></span>${text}</li>`)}</ul>`

/** A plot with its title, unit and key; drawn twice, of which the style sheet shows the one that fits. */
export const plotFrame = ({ title, unit, key, wide, narrow, note }: Plot): Markup => html`<figure class="frame">
<figcaption><h3 class="plot-title">${title}</h3>${unit && html`<p class="plot-unit">${unit}</p>`}${keyList(key)}</figcaption>
<div class="plot">${trusted(wide)}${trusted(narrow)}</div>
${note && html`<p class="plot-note">${note}</p>`}
</figure>`
