import * as Plot from '@observablehq/plot'
import type { Drawing, PlotColumn } from './draw.ts'
import { periodNoun } from './format.ts'
import {
  ACCENT,
  apart,
  type EndLabel,
  endLabels,
  FONT_SIZE,
  GREY,
  hatched,
  MUTED,
  referenceY,
  timeAxis,
  yAxis,
} from './marks.ts'
import { isAfterGap, type PlottedPeriod } from './periods.ts'
import type { KeyEntry } from './plot.ts'
import type { SeriesLine, SeriesPlot } from './series.ts'
import { widestOf } from './text.ts'
import { type NumberScale, numberScale, timeTicks } from './ticks.ts'

const TOP = 14
const BOTTOM = 40
const MIN_DOT_GAP = 8
/** Lines with more periods than pixels for them are thin. */
const MIN_LINE_GAP = 3
const isPresent = (value: number | null | undefined): value is number => value !== null && value !== undefined

/** The parts of a line between gaps, each with the positions of its values in the series. */
export const runsOf = (present: readonly boolean[], periods: readonly PlottedPeriod[]): number[][] => {
  const runs: number[][] = []
  for (const [i, isThere] of present.entries()) {
    if (!isThere) continue
    if (i > 0 && present[i - 1] && !isAfterGap(periods, i)) runs.at(-1)!.push(i)
    else runs.push([i])
  }
  return runs
}

const extentOf = ({ lines, reference }: SeriesPlot): [number, number] => {
  const values = lines.flatMap(({ values, intervals = [] }) => [
    ...values.filter(isPresent),
    ...intervals.flatMap((bounds) => (bounds ? [bounds.low, bounds.high] : [])),
  ])
  if (reference !== undefined) values.push(reference)
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity])
}

/** The scale of a series for a column. */
export const seriesScale = (plot: SeriesPlot, { isNarrow }: PlotColumn): NumberScale =>
  numberScale(...extentOf(plot), isNarrow ? 4 : 5)

const bandMarks = ({ intervals = [] }: SeriesLine, periods: readonly PlottedPeriod[]): Plot.Markish[] => {
  const runs = runsOf(
    periods.map((_, i) => Boolean(intervals[i])),
    periods,
  )
  const rows = runs.flatMap((run, z) => run.map((i) => ({ at: periods[i]!.middle, ...intervals[i]!, z })))
  const single = runs.flatMap((run) =>
    run.length === 1 ? [{ at: periods[run[0]!]!.middle, ...intervals[run[0]!]! }] : [],
  )
  const last = rows.filter(({ low, high }) => high > low).at(-1)
  return [
    Plot.areaY(rows, { x: 'at', y1: 'low', y2: 'high', z: 'z', fill: ACCENT, fillOpacity: 0.17 }),
    Plot.ruleX(single, { x: 'at', y1: 'low', y2: 'high', stroke: ACCENT, strokeOpacity: 0.35, strokeWidth: 6 }),
    Plot.ruleX(last ? [last] : [], { x: 'at', y1: 'low', y2: 'high', stroke: ACCENT, strokeWidth: 2 }),
  ]
}

const colourOf = ({ isComparison, colour }: SeriesLine): string =>
  isComparison ? GREY : colour ? `var(--${colour})` : ACCENT

const lineMarks = (line: SeriesLine, periods: readonly PlottedPeriod[], gap: number): Plot.Markish[] => {
  const { values, isComparison } = line
  const strokeWidth = gap < MIN_LINE_GAP ? 1 : isComparison ? 1.5 : 2.25
  const areDotsDrawn = gap >= MIN_DOT_GAP
  const stroke = colourOf(line)
  const runs = runsOf(values.map(isPresent), periods)
  const row = (i: number, z: number) => ({ at: periods[i]!.middle, value: values[i]!, z })
  const rows = runs.flatMap((run, z) => run.map((i) => row(i, z)))
  const bridges = runs.slice(1).flatMap((run, z) => [row(runs[z]!.at(-1)!, z), row(run[0]!, z)])
  const single = runs.filter((run) => run.length === 1).map(([i]) => row(i!, 0))
  const channels = { x: 'at', y: 'value', z: 'z', stroke } as const
  return [
    Plot.lineY(bridges, { ...channels, strokeWidth: 1.5, strokeDasharray: '1 4' }),
    Plot.lineY(rows, { ...channels, strokeWidth, ...(isComparison ? { strokeDasharray: '5 4' } : {}) }),
    Plot.dot(areDotsDrawn && !isComparison ? rows : single, {
      x: 'at',
      y: 'value',
      r: 2.5,
      fill: stroke,
      stroke: 'none',
    }),
  ]
}

/** A line without values has a label, too: it shows that the figure is withheld. */
const labelsOf = ({ lines }: SeriesPlot, yOf: (value: number) => number): EndLabel[] =>
  lines.map((line) => {
    const { name, values, format, isComparison = false } = line
    const last = values.findLast(isPresent)
    return {
      text: `${name}\n${format(values.at(-1) ?? null)}`,
      y: last === undefined ? TOP : yOf(last),
      colour: isComparison ? MUTED : colourOf(line),
      isBold: !isComparison,
    }
  })

/** Lines over time with their intervals: gaps break them, and periods that the window cuts are hatched. */
export const drawSeries =
  (plot: SeriesPlot): Drawing['draw'] =>
  (column) => {
    const { periods, lines, reference, tickFormat } = plot
    const scale = seriesScale(plot, column)
    const [low, high] = scale.domain
    const height = column.isNarrow ? 270 : 300
    const bottom = height - BOTTOM
    const yOf = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - TOP)
    const labels = apart(labelsOf(plot, yOf), 0, bottom)
    const format = (tick: number) => tickFormat(tick, scale.digits)
    const marginLeft = Math.ceil(widestOf(scale.ticks.map(format), FONT_SIZE)) + 12
    const texts = labels.map(({ text }) => text)
    const marginRight = Math.ceil(widestOf(texts, FONT_SIZE)) + 14
    const [from, to] = [periods[0]!.from, periods.at(-1)!.to]
    const inner = column.width - marginLeft - marginRight
    return {
      height,
      marginLeft,
      marginRight,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { type: 'utc', domain: [new Date(from), new Date(to)] },
      y: { domain: scale.domain },
      marks: [
        hatched(periods.filter(({ isPartial }) => isPartial).map((period) => [period.from, period.to])),
        yAxis(scale, format),
        timeAxis(timeTicks(from, to, inner, plot.granularity)),
        ...(reference === undefined ? [] : [referenceY(reference)]),
        lines.flatMap((line) => bandMarks(line, periods)),
        lines.toReversed().flatMap((line) => lineMarks(line, periods, inner / periods.length)),
        endLabels(labels, TOP),
      ],
    }
  }

/** The key of a series: its lines by what they are of, intervals, gaps and partial periods where there are any. */
export const seriesKey = ({ periods, lines, granularity }: SeriesPlot, meanings: readonly string[]): KeyEntry[] => {
  const hasGap = lines.some(({ values }) => runsOf(values.map(isPresent), periods).length > 1)
  return [
    ...lines.flatMap(({ isComparison, values, colour = 'accent' }, i): KeyEntry[] => {
      if (!values.some(isPresent)) return []
      return [
        isComparison
          ? { mark: 'dashed', colour: 'grey', text: meanings[i]! }
          : { mark: 'line', colour, text: meanings[i]! },
      ]
    }),
    ...(lines.some(({ intervals }) => intervals?.some(Boolean))
      ? [{ mark: 'band', colour: 'accent', text: '95% interval' } as const]
      : []),
    ...(hasGap ? [{ mark: 'dashed', colour: 'grey', text: 'dotted: no value' } as const] : []),
    ...(periods.some(({ isPartial }) => isPartial)
      ? [{ mark: 'hatch', colour: 'grey', text: `partial ${periodNoun[granularity]}` } as const]
      : []),
  ]
}
