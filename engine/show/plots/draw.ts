import * as Library from '@observablehq/plot'
import { parseHTML } from 'linkedom/worker'
import { NARROW, type Plot, WIDE } from './plot.ts'
import type { ComparableSeries } from './series.ts'
import { cleaned } from './text.ts'
import { escaped } from './xml.ts'

/** A column that a plot is drawn for. */
export type PlotColumn = { width: number; isNarrow: boolean }

/** A plot before it is drawn: `draw` returns the options of Observable Plot for a column. */
export type Drawing = Omit<Plot, 'wide' | 'narrow'> & {
  /** What the plot shows in a sentence or two, for readers who do not see it. */
  finding: string
  draw(column: PlotColumn): Library.PlotOptions & { height: number }
  /** What it shows over time, to be drawn beside that of other answers. */
  series?: ComparableSeries
}

/** The parts of linkedom's elements and texts that are read. */
type SvgNode = {
  nodeType: number
  localName: string
  textContent: string
  childNodes: Iterable<SvgNode>
  attributes: Iterable<{ name: string; value: string }>
}
const ELEMENT = 1

/** Attributes that Observable Plot adds for its own style sheet and labels. */
const isLeftOut = (name: string): boolean => /^(class|style|font-family|aria-.*|xmlns.*)$/.test(name)

/** Cuts numbers to a tenth of a pixel, except opacities and other numbers below 1. */
const rounded = (value: string): string =>
  value.replace(/-?\d*\.\d{2,}(e-\d+)?/g, (digits) => String(Math.round(Number(digits) * 10) / 10 || 0))

const attributeOf = ({ name, value }: { name: string; value: string }): string =>
  ` ${name}="${escaped(name.endsWith('opacity') ? value : rounded(value))}"`

const serialised = (node: SvgNode): string => {
  if (node.nodeType !== ELEMENT) return escaped(node.textContent)
  if (node.localName === 'style') return ''
  const attributes = [...node.attributes].filter(({ name }) => !isLeftOut(name)).map(attributeOf)
  const inner = [...node.childNodes].map(serialised).join('')
  return `<${node.localName}${attributes.join('')}${inner === '' ? '/>' : `>${inner}</${node.localName}>`}`
}

const svgOf = ({ draw, finding }: Drawing, column: PlotColumn, kind: 'wide' | 'narrow'): string => {
  const { document } = parseHTML('<html><body></body></html>') as unknown as { document: never }
  const { width } = column
  const options = draw(column)
  const { height } = options
  const svg = Library.plot({ ...options, document, width }) as unknown as SvgNode
  const head =
    `<svg class="${kind}" role="img" aria-label="${escaped(cleaned(finding))}" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" fill="var(--ink)" font-size="12" text-anchor="middle">`
  return `${head}${[...svg.childNodes].map(serialised).join('')}</svg>`
}

/** Draws a plot for both columns. The same drawing has the same bytes. */
export const drawn = (drawing: Drawing): Plot => {
  const { title, unit, key, note } = drawing
  return {
    title: cleaned(title),
    unit: cleaned(unit),
    key: key.map((entry) => ({ ...entry, text: cleaned(entry.text) })),
    wide: svgOf(drawing, { width: WIDE, isNarrow: false }, 'wide'),
    narrow: svgOf(drawing, { width: NARROW, isNarrow: true }, 'narrow'),
    ...(note === undefined || note === '' ? {} : { note: cleaned(note) }),
  }
}
