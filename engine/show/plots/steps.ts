import * as Plot from '@observablehq/plot'
import type { Granularity } from '../../contract/window.ts'
import type { Drawing } from './draw.ts'
import {
  ACCENT,
  apart,
  type EndLabel,
  endLabels,
  FONT_SIZE,
  GREY,
  hatched,
  INK,
  PAPER,
  referenceY,
  SECOND,
  timeAxis,
  yAxis,
} from './marks.ts'
import { textWidth, widestOf } from './text.ts'
import { numberScale, type TickFormat, timeTicks } from './ticks.ts'

/** A price from a moment on, in milliseconds since 1970; null while nothing is known. */
export type PostedPrice = { at: number; price: number | null; isPromoted: boolean; isInStock: boolean }

/** The prices of one seller, with the text at the end of its line. */
export type StepLine = { prices: readonly PostedPrice[]; endText: string }

export type PriceSteps = {
  /** At most as many as there are styles, the most important one first. */
  lines: readonly StepLine[]
  /** Further sellers, drawn as a band from the lowest of them to the highest. */
  others: readonly StepLine[]
  from: number
  to: number
  /** A range of time that is hatched. */
  hatched?: readonly [from: number, to: number] | null
  lowest: { at: number; price: number; text: string }
  tickFormat: TickFormat
  granularity: Granularity
}

const STYLES = [
  { stroke: ACCENT, strokeWidth: 2.25 },
  { stroke: SECOND, strokeWidth: 1.5 },
  { stroke: INK, strokeWidth: 1.5 },
  { stroke: ACCENT, strokeWidth: 1.5, strokeDasharray: '6 3' },
  { stroke: SECOND, strokeWidth: 1.5, strokeDasharray: '6 3' },
  { stroke: INK, strokeWidth: 1.5, strokeDasharray: '6 3' },
] as const
export const MAX_LINES = STYLES.length

const TOP = 16
const BOTTOM = 40
const LABEL_HEIGHT = 34

const isPriced = (posted: PostedPrice): posted is PostedPrice & { price: number } => posted.price !== null

/** The corners of the steps of one seller; `run` tells the parts between gaps apart. */
const cornersOf = ({ prices }: StepLine, to: number) => {
  let run = 0
  return prices.flatMap((posted, i) => {
    if (!isPriced(posted)) return []
    const next = prices[i + 1]
    const until = next?.at ?? to
    const corner = { at: new Date(posted.at), price: posted.price, run }
    if (next && isPriced(next)) return [corner]
    run++
    return [corner, { ...corner, at: new Date(until) }]
  })
}

/** The lowest and the highest price of some sellers from each moment on at which one of them changes. */
const bandOf = (lines: readonly StepLine[], to: number) => {
  const moments = [...new Set(lines.flatMap(({ prices }) => prices.map(({ at }) => at)))].sort((a, b) => a - b)
  const rows = moments.flatMap((at) => {
    const prices = lines.flatMap(({ prices }) => prices.findLast((posted) => posted.at <= at)?.price ?? [])
    return prices.length === 0 ? [] : [{ at: new Date(at), low: Math.min(...prices), high: Math.max(...prices) }]
  })
  const last = rows.at(-1)
  return last ? [...rows, { ...last, at: new Date(to) }] : []
}

const lastPrice = ({ prices }: StepLine): number => prices.findLast(isPriced)?.price ?? 0

/** Prices as steps, one line a seller; the lowest price is marked. */
export const drawSteps =
  (plot: PriceSteps): Drawing['draw'] =>
  ({ width, isNarrow }) => {
    const { lines, others, from, to, lowest, tickFormat, granularity } = plot
    const posted = [...lines, ...others].flatMap(({ prices }) => prices.filter(isPriced))
    const scale = numberScale(0, Math.max(...posted.map(({ price }) => price)), isNarrow ? 4 : 5)
    const format = (tick: number) => tickFormat(tick, scale.digits)
    const bottom = (isNarrow ? 270 : 300) + Math.max(0, lines.length - 3) * 20 - BOTTOM
    const marginLeft = Math.ceil(widestOf(scale.ticks.map(format), FONT_SIZE)) + 12
    const texts = lines.flatMap(({ endText }) => endText.split('\n'))
    const marginRight = Math.ceil(widestOf(texts, FONT_SIZE)) + 14
    const inner = width - marginLeft - marginRight
    const yOf = (price: number) => bottom - (price / scale.domain[1]) * (bottom - TOP)
    const labels = lines.map(
      (line, i): EndLabel => ({
        text: line.endText,
        y: yOf(lastPrice(line)),
        colour: STYLES[i]!.stroke,
        isBold: i === 0,
      }),
    )
    const lowestX = ((lowest.at - from) / (to - from)) * inner
    const half = textWidth(lowest.text.split('\n')[0]!, FONT_SIZE) / 2
    const anchor = lowestX < half ? 'start' : lowestX > inner - half ? 'end' : 'middle'
    const isBelow = bottom - yOf(lowest.price) > LABEL_HEIGHT + 8
    const dot = { x: ({ at }: PostedPrice) => new Date(at), y: 'price', r: 3.5 } as const
    const ofLines = lines.flatMap(({ prices }) => prices.filter(isPriced))
    return {
      height: bottom + BOTTOM,
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
        ...(plot.hatched ? [hatched([plot.hatched])] : []),
        Plot.areaY(bandOf(others, to), {
          x: 'at',
          y1: 'low',
          y2: 'high',
          curve: 'step-after',
          fill: GREY,
          fillOpacity: 0.3,
        }),
        Plot.ruleY([lowest.price], { stroke: SECOND, strokeDasharray: '2 3' }),
        lines
          .map((line, i) =>
            Plot.lineY(cornersOf(line, to), { x: 'at', y: 'price', z: 'run', curve: 'step-after', ...STYLES[i]! }),
          )
          .toReversed(),
        Plot.dot(
          ofLines.filter(({ isPromoted }) => isPromoted),
          { ...dot, fill: SECOND, stroke: PAPER, strokeWidth: 1 },
        ),
        Plot.dot(
          ofLines.filter(({ isInStock }) => !isInStock),
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
        endLabels(apart(labels, 0, bottom), TOP),
      ],
    }
  }
