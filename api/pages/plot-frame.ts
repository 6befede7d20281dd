import { type Content, html, type Markup, trusted } from './html.ts'
import type { Plot } from './plots.ts'

const keyList = (key: Plot['key']): Content =>
  key.length > 0 &&
  html`<ul class="key">${key.map(({ mark, colour, text }) => html`<li><span class="swatch swatch-${mark} ink-${colour}" aria-hidden="true"></span>${text}</li>`)}</ul>`

/** A plot with its title, unit and key; drawn twice, of which the style sheet shows the one that fits. */
export const plotFrame = ({ title, unit, key, wide, narrow, note }: Plot): Markup => html`<figure class="frame">
<figcaption><h3 class="plot-title">${title}</h3>${unit && html`<p class="plot-unit">${unit}</p>`}${keyList(key)}</figcaption>
<div class="plot"><div class="wide">${trusted(wide)}</div><div class="narrow">${trusted(narrow)}</div></div>
${note && html`<p class="plot-note">${note}</p>`}
</figure>`
