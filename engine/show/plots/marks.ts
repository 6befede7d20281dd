import * as Plot from '@observablehq/plot'
import type { NumberScale, TimeTick } from './ticks.ts'

/** Colours as the page or the file defines them. */
export const INK = 'var(--ink)'
export const MUTED = 'var(--muted)'
export const PAPER = 'var(--paper)'
export const ACCENT = 'var(--accent)'
export const SECOND = 'var(--second)'
export const GREY = 'var(--grey)'
const GRID = 'var(--grid)'
const HATCH = 'var(--hatch)'

export const FONT_SIZE = 12
export const TICK_TEXT = { tickSize: 0, label: null, fontSize: FONT_SIZE, fill: MUTED } as const

/** Lines across the plot at the ticks of the y axis, and the labels of the ticks. */
export const yAxis = ({ ticks }: NumberScale, format: (tick: number) => string): Plot.Markish[] => [
  Plot.gridY(ticks, { stroke: GRID, strokeOpacity: 1 }),
  Plot.axisY(ticks, { ...TICK_TEXT, tickPadding: 8, tickFormat: (tick: number) => format(tick) }),
]

/** The same for the x axis. */
export const xAxis = ({ ticks }: NumberScale, format: (tick: number) => string): Plot.Markish[] => [
  Plot.gridX(ticks, { stroke: GRID, strokeOpacity: 1 }),
  Plot.axisX(ticks, { ...TICK_TEXT, tickPadding: 6, tickFormat: (tick: number) => format(tick) }),
]

/** The ticks of a time axis. */
export const timeAxis = (ticks: readonly TimeTick[]): Plot.Markish =>
  Plot.axisX(
    ticks.map(({ at }) => new Date(at)),
    {
      ...TICK_TEXT,
      tickSize: 4,
      tickPadding: 4,
      tickFormat: (_: unknown, i: number) => ticks[i]!.label,
      stroke: MUTED,
      strokeOpacity: 0.6,
    },
  )

/** The reference that values are read against: no change, an equal price, nothing. */
export const referenceY = (value: number): Plot.Markish => Plot.ruleY([value], { stroke: INK, strokeWidth: 1 })
export const referenceX = (value: number): Plot.Markish => Plot.ruleX([value], { stroke: INK, strokeWidth: 1 })

const HATCH_GAP = 8
const SVG = 'http://www.w3.org/2000/svg'

/** Diagonal lines within a rectangle. */
const diagonals = (x1: number, x2: number, y1: number, y2: number): string => {
  const height = y2 - y1
  const lines: string[] = []
  for (let start = Math.ceil((x1 - height) / HATCH_GAP) * HATCH_GAP; start < x2; start += HATCH_GAP) {
    const from = Math.max(start, x1)
    const to = Math.min(start + height, x2)
    if (to > from) lines.push(`M${from},${y2 - (from - start)}L${to},${y2 - (to - start)}`)
  }
  return lines.join('')
}

/** Hatches ranges of a time axis. Lines rather than a pattern, which would need an id that is unique on its page. */
export const hatched = (ranges: readonly (readonly [from: number, to: number])[]): Plot.RenderFunction =>
  ((_index, { x }, _values, { marginTop, marginBottom, height }, { document }) => {
    const path = document.createElementNS(SVG, 'path')
    const scaled = (time: number): number => x!(new Date(time)) as number
    const lines = ranges.map(([from, to]) => diagonals(scaled(from), scaled(to), marginTop, height - marginBottom))
    path.setAttribute('d', lines.join(''))
    path.setAttribute('stroke', HATCH)
    path.setAttribute('stroke-width', '2')
    path.setAttribute('fill', 'none')
    return path
  }) as Plot.RenderFunction

/** A label at the end of a line: its text, in lines, at a height in pixels. */
export type EndLabel = { text: string; y: number; colour: string; isBold: boolean }

const LINE_HEIGHT = 15

/** The labels moved up or down until none covers another, within the plot. */
export const apart = (labels: readonly EndLabel[], top: number, bottom: number): EndLabel[] => {
  const heightOf = ({ text }: EndLabel) => text.split('\n').length * LINE_HEIGHT
  const placed = labels.toSorted((a, b) => a.y - b.y)
  let free = top
  const pushed = placed.map((label) => {
    const y = Math.max(label.y, free + heightOf(label) / 2)
    free = y + heightOf(label) / 2
    return { ...label, y }
  })
  let limit = bottom
  return pushed
    .reverse()
    .map((label) => {
      const y = Math.min(label.y, limit - heightOf(label) / 2)
      limit = y - heightOf(label) / 2
      return { ...label, y }
    })
    .reverse()
}

/** Labels at the right edge of the plot, at their height in pixels. */
export const endLabels = (labels: readonly EndLabel[], top: number): Plot.Markish[] =>
  labels.map(({ text, y, colour, isBold }) =>
    Plot.text([text], {
      frameAnchor: 'top-right',
      textAnchor: 'start',
      lineAnchor: 'middle',
      dx: 8,
      dy: y - top,
      text: (line: string) => line,
      fill: colour,
      fontSize: FONT_SIZE,
      lineHeight: LINE_HEIGHT / FONT_SIZE,
      ...(isBold ? { fontWeight: 600 } : {}),
    }),
  )
