import * as Plot from '@observablehq/plot'
import { number } from '../text.ts'
import type { Drawing, PlotColumn } from './draw.ts'
import { ACCENT, FONT_SIZE, INK, MUTED, PAPER, TICK_TEXT, yAxis } from './marks.ts'
import { textWidth, widestOf } from './text.ts'
import { fittingScale, numberScale, type TickFormat } from './ticks.ts'

export type PriceBucket = { from: number; to: number; count: number }
/** A percentile: its name, such as p50, its value and the value as text. */
export type Percentile = { name: string; value: number; text: string }

const BOTTOM = 34
const LINE_HEIGHT = 15
const LABEL_GAP = 6

/** The lines of the labels that are drawn: labels that would cover each other are on different levels. */
const levelsOf = (labels: readonly { x: number; text: string }[]): number[] => {
  const ends: number[] = []
  return labels.map(({ x, text }) => {
    const half = widestOf([text], FONT_SIZE) / 2
    const free = ends.findIndex((end) => end + LABEL_GAP <= x - half)
    const level = free === -1 ? ends.length : free
    ends[level] = x + half
    return level
  })
}

/** Buckets by price with the percentiles as lines: p25 and p75 are the ends of a tinted range. */
export const drawHistogram =
  (buckets: readonly PriceBucket[], percentiles: readonly Percentile[], tickFormat: TickFormat): Drawing['draw'] =>
  (column: PlotColumn) => {
    const { width, isNarrow } = column
    const highest = Math.max(...buckets.map(({ count }) => count))
    // Room for the number above the highest bucket.
    const counts = numberScale(0, highest * 1.08, isNarrow ? 3 : 4, true)
    const ends = [buckets[0]!.from, buckets.at(-1)!.to]
    // Zero is part of the axis unless the prices are so close together that nothing would be seen.
    const isFromZero = ends[1]! - ends[0]! > ends[1]! / 4
    const prices = fittingScale(isFromZero ? 0 : ends[0]!, ends[1]!, width - 80, tickFormat)
    const countTexts = counts.ticks.map((tick) => number(tick))
    const marginLeft = Math.ceil(widestOf(countTexts, FONT_SIZE)) + 14
    const marginRight = Math.ceil(textWidth(tickFormat(prices.domain[1], prices.digits), FONT_SIZE) / 2) + 6
    const [low, high] = prices.domain
    const xOf = (value: number) => marginLeft + ((value - low) / (high - low)) * (width - marginLeft - marginRight)
    const labels = percentiles.map(({ name, value, text }) => ({
      x: xOf(value),
      text: isNarrow ? name : `${name}\n${text}`,
      value,
    }))
    const levels = levelsOf(labels)
    const labelHeight = LINE_HEIGHT * (isNarrow ? 1 : 2)
    const marginTop = (Math.max(0, ...levels) + 1) * labelHeight + 6
    const top = counts.domain[1]
    const percentile = (wanted: string) => percentiles.filter(({ name }) => name === wanted).map(({ value }) => value)
    const rule = (names: readonly string[], options: Plot.RuleXOptions) =>
      Plot.ruleX(names.flatMap(percentile), { y1: 0, y2: top, stroke: INK, ...options })
    const [p25, p75] = [percentile('p25')[0], percentile('p75')[0]]
    return {
      height: marginTop + BOTTOM + (isNarrow ? 190 : 220),
      marginLeft,
      marginRight,
      marginTop,
      marginBottom: BOTTOM,
      x: { domain: prices.domain },
      y: { domain: counts.domain },
      marks: [
        yAxis(counts, (tick) => number(tick)),
        Plot.axisX(prices.ticks, {
          ...TICK_TEXT,
          tickFormat: (tick: number) => tickFormat(tick, prices.digits),
          tickSize: 4,
          stroke: MUTED,
        }),
        p25 === undefined || p75 === undefined
          ? null
          : Plot.rect([{}], { x1: p25, x2: p75, y1: 0, y2: top, fill: ACCENT, fillOpacity: 0.08 }),
        Plot.rectY(buckets, {
          x1: 'from',
          x2: 'to',
          y: 'count',
          fill: ACCENT,
          fillOpacity: 0.75,
          insetLeft: 0.75,
          insetRight: 0.75,
        }),
        Plot.ruleY([0], { stroke: INK }),
        rule(['p10', 'p90'], { strokeDasharray: '2 3' }),
        rule(['p25', 'p75'], { strokeOpacity: 0.6 }),
        rule(['p50'], { strokeWidth: 2 }),
        Plot.text(buckets, {
          x: ({ from, to }: PriceBucket) => (from + to) / 2,
          y: 'count',
          text: ({ count }: PriceBucket) => number(count),
          dy: -9,
          fontSize: FONT_SIZE,
          fill: INK,
          stroke: PAPER,
          strokeWidth: 4,
        }),
        labels.map(({ text, value }, i) =>
          Plot.text([value], {
            x: (x: number) => x,
            frameAnchor: 'top',
            lineAnchor: 'bottom',
            dy: -4 - levels[i]! * labelHeight,
            lineHeight: LINE_HEIGHT / FONT_SIZE,
            text: () => text,
            fontSize: FONT_SIZE,
            fill: INK,
          }),
        ),
      ],
    }
  }
