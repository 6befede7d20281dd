import * as Plot from '@observablehq/plot'
import { DAY_MS } from '../../contract/time.ts'
import type { Granularity } from '../../contract/window.ts'
import type { Drawing } from './draw.ts'
import { ACCENT, endLabels, FONT_SIZE, INK, MUTED, PAPER, referenceY, SECOND, timeAxis, yAxis } from './marks.ts'
import { textWidth, widestOf } from './text.ts'
import { numberScale, type TickFormat, timeTicks } from './ticks.ts'

/** A price from a moment on, in milliseconds since 1970. */
export type PostedPrice = { at: number; price: number; isPromoted: boolean; isInStock: boolean }

export type PriceSteps = {
  prices: readonly PostedPrice[]
  /** The end of the last price. */
  to: number
  lowest: { at: number; price: number; text: string }
  endText: string
  tickFormat: TickFormat
  granularity: Granularity
}

const TOP = 16
const BOTTOM = 40
/** Prices that are this far apart are no gap however often others were observed. */
const MIN_GAP_DAYS = 13
const LABEL_HEIGHT = 34

/** How long a price is held, and the time without a price that is a gap: twice the usual time between two. */
export const gapOf = (prices: readonly PostedPrice[]): { hold: number; gap: number } => {
  const between = prices.slice(1).map(({ at }, i) => at - prices[i]!.at)
  const hold = between.toSorted((a, b) => a - b)[Math.floor(between.length / 2)] ?? DAY_MS
  return { hold, gap: Math.max(2 * hold, MIN_GAP_DAYS * DAY_MS) }
}

type Step = { at: Date; price: number; run: number }

/** The corners of the steps by run, and the gaps between the runs. */
const stepsOf = ({ prices, to }: PriceSteps) => {
  const { hold, gap } = gapOf(prices)
  const steps: Step[] = []
  const gaps: { from: Date; to: Date; price: number }[] = []
  let run = 0
  for (const [i, { at, price }] of prices.entries()) {
    steps.push({ at: new Date(at), price, run })
    const next = prices[i + 1]?.at ?? to
    const isLast = i === prices.length - 1
    if (!isLast && next - at <= gap) continue
    const end = Math.min(next, isLast ? to : at + hold)
    steps.push({ at: new Date(end), price, run })
    if (!isLast) gaps.push({ from: new Date(end), to: new Date(next), price })
    run++
  }
  return { steps, gaps }
}

/** Whether nothing was observed for a while between two prices. */
export const hasGap = (plot: PriceSteps): boolean => stepsOf(plot).gaps.length > 0

/** Prices held until the next one; gaps are dotted, the lowest price is marked. */
export const drawSteps =
  (plot: PriceSteps): Drawing['draw'] =>
  ({ width, isNarrow }) => {
    const { prices, to, lowest, endText, tickFormat, granularity } = plot
    const { steps, gaps } = stepsOf(plot)
    const highest = Math.max(...prices.map(({ price }) => price))
    const scale = numberScale(0, highest, isNarrow ? 4 : 5)
    const format = (tick: number) => tickFormat(tick, scale.digits)
    const height = isNarrow ? 270 : 300
    const marginLeft = Math.ceil(widestOf(scale.ticks.map(format), FONT_SIZE)) + 12
    const marginRight = Math.ceil(widestOf([endText], FONT_SIZE)) + 14
    const from = prices[0]!.at
    const inner = width - marginLeft - marginRight
    const bottom = height - BOTTOM
    const yOf = (price: number) => bottom - (price / scale.domain[1]) * (bottom - TOP)
    const lowestX = ((lowest.at - from) / (to - from)) * inner
    const half = textWidth(lowest.text.split('\n')[0]!, FONT_SIZE) / 2
    const anchor = lowestX < half ? 'start' : lowestX > inner - half ? 'end' : 'middle'
    const isBelow = bottom - yOf(lowest.price) > LABEL_HEIGHT + 8
    const dot = { x: ({ at }: PostedPrice) => new Date(at), y: 'price', r: 3.5 } as const
    return {
      height,
      marginLeft,
      marginRight,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { type: 'utc', domain: [new Date(from), new Date(to)] },
      y: { domain: scale.domain },
      marks: [
        yAxis(scale, format),
        timeAxis(timeTicks(from, to, inner, granularity)),
        referenceY(0),
        Plot.ruleY([lowest.price], { stroke: SECOND, strokeDasharray: '2 3' }),
        Plot.lineY(steps, { x: 'at', y: 'price', z: 'run', stroke: ACCENT, strokeWidth: 2.25, curve: 'step-after' }),
        Plot.ruleY(gaps, { y: 'price', x1: 'from', x2: 'to', stroke: MUTED, strokeDasharray: '1 4', strokeWidth: 1.5 }),
        Plot.dot(
          prices.filter(({ isPromoted }) => isPromoted),
          { ...dot, fill: SECOND, stroke: PAPER, strokeWidth: 1 },
        ),
        Plot.dot(
          prices.filter(({ isInStock }) => !isInStock),
          { ...dot, fill: PAPER, stroke: INK, strokeWidth: 1.5 },
        ),
        Plot.text([lowest], {
          x: ({ at }: { at: number }) => new Date(at),
          y: 'price',
          text: 'text',
          textAnchor: anchor,
          lineAnchor: isBelow ? 'top' : 'bottom',
          dy: isBelow ? 9 : -9,
          fontSize: FONT_SIZE,
          fontWeight: 600,
          lineHeight: 1.25,
          fill: SECOND,
          stroke: PAPER,
          strokeWidth: 4,
        }),
        endLabels([{ text: endText, y: yOf(prices.at(-1)!.price), colour: ACCENT, isBold: true }], TOP),
      ],
    }
  }
