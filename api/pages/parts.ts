import type { Sentence } from '../../engine/index.ts'
import { cut, type HtmlContent, html, joined, type Markup } from './html.ts'

/** A column of a table: its label, its unit, and whether its values are numbers or name the row. */
export type HtmlColumn = {
  key: string
  label: HtmlContent
  unit?: string
  isNumeric?: boolean
  isRowHead?: boolean
  isShort?: boolean
}
export type HtmlRow = { cells: Readonly<Record<string, HtmlContent>>; isPartial?: boolean }

const unit = ({ unit }: HtmlColumn): HtmlContent => unit && html` <span class="unit">${unit}</span>`

/** The role of an element that styles take out of the layout of its table. */
const role = (name: string, isNeeded: boolean): HtmlContent => isNeeded && html` role="${name}"`

const headCell = (column: HtmlColumn, isStacked: boolean): Markup =>
  html`<th scope="col"${role('columnheader', isStacked)}${column.isNumeric && html` class="num"`}>${column.label}${unit(column)}</th>`

const bodyCell = (column: HtmlColumn, { cells, isPartial }: HtmlRow, isStacked: boolean): Markup => {
  const { key, isNumeric, isRowHead, isShort } = column
  if (isRowHead)
    return html`<th scope="row"${role('rowheader', isStacked)}${isShort && html` class="short"`}>${cut(cells[key])}${isPartial && html` <span class="partial-mark">partial</span>`}</th>`
  return html`<td${role('cell', isStacked)}${(isNumeric || isShort) && html` class="${isNumeric ? 'num' : 'short'}"`}>${cut(cells[key] ?? '–')}</td>`
}

/** A table with fewer columns does not fill the page. */
const MIN_WIDE_COLUMNS = 4

/**
 * A table of figures. Where the page is too narrow it scrolls in a region of its own, or, stacked, has the name of each row
 * above its figures.
 */
export const figureTable = (
  caption: string,
  columns: readonly HtmlColumn[],
  rows: readonly HtmlRow[],
  isStacked = false,
): Markup => {
  const kind = isStacked ? ' stacked' : columns.length < MIN_WIDE_COLUMNS && ' compact'
  const bodyRow = (row: HtmlRow): Markup =>
    html`<tr${role('row', isStacked)}${row.isPartial && html` class="partial"`}>${columns.map((column) => bodyCell(column, row, isStacked))}</tr>\n`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
<table class="data${kind}"${role('table', isStacked)}><caption>${caption}</caption>
<thead${role('rowgroup', isStacked)}><tr${role('row', isStacked)}>${columns.map((column) => headCell(column, isStacked))}</tr></thead>
<tbody${role('rowgroup', isStacked)}>
${rows.map(bodyRow)}</tbody></table></div>`
}

const cardCell = (column: HtmlColumn, { cells }: HtmlRow): Markup => {
  const { key, label, isNumeric, isRowHead } = column
  if (isRowHead) return html`<th scope="row" role="rowheader">${cut(cells[key])}</th>`
  return html`<td role="cell"${isNumeric && html` class="num"`}><span class="card-label" aria-hidden="true">${label}</span><span>${cut(cells[key])}</span></td>`
}

/** A table of words, whose rows become cards on narrow screens; its roles keep it a table for screen readers. */
export const wordTable = (caption: string, columns: readonly HtmlColumn[], rows: readonly HtmlRow[]): Markup => {
  const heads = columns.map(
    (column) =>
      html`<th scope="col" role="columnheader"${column.isNumeric && html` class="num"`}>${column.label}${unit(column)}</th>`,
  )
  return html`<table class="data cards" role="table"><caption class="visually-hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => html`<tr role="row">${columns.map((column) => cardCell(column, row))}</tr>\n`)}</tbody></table>`
}

/** The main figure of an answer. */
export const headlineBlock = ({ about, value, place, details }: Sentence): Markup => html`<div class="headline">
<p class="headline-label">${cut(about)}</p>
<p class="headline-value">${cut(value)}</p>
${[place, ...details].filter(Boolean).map((text) => html`<p class="headline-detail">${cut(text)}</p>`)}
</div>`

/** Terms with their descriptions. */
export const facts = (items: readonly (readonly [HtmlContent, HtmlContent])[], isTwoColumns = false): Markup =>
  html`<dl class="facts${isTwoColumns && ' facts-two'}">${items.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>`

/** Short terms with a value each, in lines. */
export const comparison = (items: readonly (readonly [HtmlContent, HtmlContent])[]): HtmlContent =>
  items.length > 0 &&
  html`<dl class="comparison">${items.map(([term, text]) => html`<div><dt>${term}</dt><dd>${cut(text)}</dd></div>`)}</dl>`

/** Program text. */
export const codeBlock = (text: string, label: string): Markup =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`

export const note = (body: HtmlContent, isWarning = false): Markup =>
  html`<div class="note${isWarning && ' note-warning'}" role="note">${body}</div>`

/** A section with its heading, which names it. */
export const section = (id: string, title: HtmlContent, body: HtmlContent, lead?: HtmlContent): Markup =>
  html`<section aria-labelledby="${id}"><div class="head"><h2 id="${id}">${cut(title)}</h2>${lead && html`<p>${lead}</p>`}</div>
${body}
</section>`

/** A section that is folded until its heading is chosen. A link to its id, which its content has, opens it. */
export const folded = (id: string, title: HtmlContent, body: HtmlContent, lead?: HtmlContent): Markup =>
  html`<section aria-labelledby="${id}-title"><details><summary><h2 id="${id}-title">${title}</h2>${lead && html` <span class="quiet">${lead}</span>`}</summary>
<div class="folded" id="${id}">${body}</div></details></section>
`

export type Tab = { id: string; label: string; body: HtmlContent }

/** Tabs without script: radio buttons choose a panel. On paper all panels are visible. */
export const tabs = (
  name: string,
  legend: string,
  items: readonly Tab[],
): Markup => html`<div class="tabs"><fieldset><legend class="visually-hidden">${legend}</legend>
${items.map(({ id, label }, i) => html`<input type="radio" name="${name}" id="${name}-${id}"${i === 0 && html` checked`}><label for="${name}-${id}">${label}</label>\n`)}</fieldset>
${items.map(({ id, label, body }) => html`<div class="panel panel-${id}"><p class="panel-name">${label}</p>${body}</div>\n`)}</div>`

/** Texts as code, with commas between. */
export const codes = (texts: readonly string[]): HtmlContent =>
  joined(
    texts.map((text) => html`<code>${text}</code>`),
    ', ',
  )
