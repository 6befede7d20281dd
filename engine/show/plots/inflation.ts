import * as Plot from '@observablehq/plot'
import type { inflation } from '../../queries/analyst/inflation.ts'
import type { Answer } from '../../queries/query.ts'
import { dayRange } from '../words.ts'
import { distributionPlot } from './distribution.ts'
import type { Drawing } from './draw.ts'
import { drawForest, type ForestRow } from './forest.ts'
import { change, periodNoun, signed } from './format.ts'
import { levels } from './levels.ts'
import { drawSeries, seriesKey } from './lines.ts'
import { type PlottedPeriod, plottedPeriods } from './periods.ts'
import type { PlotColour } from './plot.ts'
import { drawRows } from './row-plot.ts'
import type { PlotRow } from './rows.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'
import type { IntervalBounds, SeriesPlot } from './series.ts'
import type { TickFormat } from './ticks.ts'

type InflationAnswer = Answer<typeof inflation>

/** A part from where the parts before it end; the last row is the whole, from zero. */
type WaterfallRow = PlotRow & { from: number; to: number; colour: PlotColour }

const PART_HEIGHT = 33

/** Parts that add up to a whole. */
const drawWaterfall = (rows: readonly WaterfallRow[], tickFormat: TickFormat): Drawing['draw'] =>
  drawRows(
    rows,
    { shape: 'bars', rowHeight: PART_HEIGHT, values: rows.flatMap(({ from, to }) => [from, to]), tickFormat },
    [
      Plot.barX(rows, {
        x1: 'from',
        x2: 'to',
        y: (_: unknown, i: number) => i,
        fill: ({ colour }: WaterfallRow) => `var(--${colour})`,
      }),
    ],
  )

export const percentTick = (tick: number, digits: number): string => (tick === 0 ? '0%' : change(tick, digits))
const boundsOf = (of: { low: number | null; high: number | null } | null): IntervalBounds | null =>
  of && of.low !== null && of.high !== null ? { low: of.low, high: of.high } : null

/** The interval of a figure in words; empty without one. */
const intervalText = (bounds: IntervalBounds | null): string =>
  bounds ? `, 95% interval ${change(bounds.low)} to ${change(bounds.high)}` : ''

/** The days of the first period that the window leaves. */
const firstDays = ({ window }: InflationAnswer, { from, to }: PlottedPeriod): string =>
  dayRange(Math.max(from, Date.parse(window.from)), Math.min(to, Date.parse(window.to)))

const changePlot = (answer: InflationAnswer, periods: readonly PlottedPeriod[]): Drawing => {
  const { time_series, naive_overall_change_pct, lfl_change_pct, lfl_ci, lfl_note, granularity } = answer
  const base = time_series[0]!.avg_price
  const last = time_series.length - 1
  const averages = time_series.map(({ avg_price }, i) =>
    i === last ? naive_overall_change_pct : 100 * (avg_price / base - 1),
  )
  const bounds = time_series.map(({ lfl }) => boundsOf(lfl))
  const hasChange = time_series.some(({ lfl }) => lfl && lfl.change_pct !== null)
  // The first period is the base: by definition its change is zero.
  const changes = time_series.map(({ lfl }, i) => (i === 0 && hasChange ? 0 : (lfl?.change_pct ?? null)))
  const intervals = bounds.map((of, i) => (i === 0 && bounds[1] ? { low: 0, high: 0 } : of))
  const plot: SeriesPlot = {
    granularity,
    periods,
    lines: [
      { name: 'Like-for-like', values: changes, format: change, intervals },
      { name: 'Average price', values: averages, format: change, isComparison: true },
    ],
    reference: 0,
    tickFormat: percentTick,
  }
  const what = `prices of ${subject(answer)}`
  const unit = unitLine(
    `Change since ${firstDays(answer, periods[0]!)}, per cent`,
    countryOf(answer),
    `by ${periodNoun[granularity]}`,
  )
  return {
    title: `Price change of ${subject(answer)}`,
    unit,
    key: seriesKey(plot, ['like-for-like change', 'change of the average price']),
    note:
      lfl_note ??
      'Like-for-like compares each listing with itself; the average price also moves with what is on the shelf.',
    finding:
      `Line plot, ${windowDays(answer)}. ` +
      (lfl_change_pct === null
        ? `The like-for-like change of ${what} is withheld. `
        : `Like-for-like, ${what} changed by ${change(lfl_change_pct)}${intervalText(boundsOf(lfl_ci))}. `) +
      `The average price changed by ${change(naive_overall_change_pct)}.`,
    draw: drawSeries(plot),
    series: { title: 'Like-for-like price change', unit, plot },
  }
}

const methodRows = (answer: InflationAnswer): ForestRow[] => {
  const { lfl_change_pct, lfl_ci, lfl_ci_clustered, lfl_variants, overall_change_pct, naive_overall_change_pct } =
    answer
  const row = (name: string, value: number | null, interval: IntervalBounds | null = null): ForestRow => ({
    name,
    value,
    interval,
    figure: change(value),
    remark: interval ? `${signed(interval.low)} to ${signed(interval.high)}` : undefined,
  })
  return [
    row('Like-for-like', lfl_change_pct, boundsOf(lfl_ci)),
    ...(lfl_ci_clustered ? [row('Clustered', lfl_change_pct, boundsOf(lfl_ci_clustered))] : []),
    ...(lfl_variants
      ? [
          row('Untrimmed', lfl_variants.jevons),
          row('Winsorised', lfl_variants.winsorised),
          row('Median', lfl_variants.median),
          row('No clearance', lfl_variants.excluding_clearance),
          ...(lfl_variants.regular === null ? [] : [row('Without sales', lfl_variants.regular)]),
        ]
      : []),
    { ...row('Chained', overall_change_pct), colour: 'grey' },
    { ...row('Average price', naive_overall_change_pct), colour: 'grey' },
  ]
}

/** How far the choice of method matters; no plot where the headline is withheld. */
const methodsPlot = (answer: InflationAnswer): Drawing[] => {
  if (answer.lfl_change_pct === null) return []
  const rows = methodRows(answer)
  const values = rows.flatMap(({ value }) => value ?? [])
  const withheld = rows.filter(({ value }) => value === null).map(({ name }) => name)
  return [
    {
      title: 'Does the choice of method matter?',
      unit: unitLine(`Change of ${subject(answer)}, per cent`, countryOf(answer), windowDays(answer)),
      key: [
        ...(rows.some(({ interval }) => interval)
          ? [{ mark: 'dot', colour: 'accent', text: 'with 95% interval' } as const]
          : []),
        { mark: 'hollow', colour: 'accent', text: 'without interval' },
        { mark: 'hollow', colour: 'grey', text: 'deprecated as headline' },
      ],
      note:
        'Chained: the product of the changes from period to period, which drifts where listings come and go.' +
        (answer.lfl_ci_clustered ? ' Clustered: prices of one retailer move together.' : '') +
        (withheld.length > 0 ? ` Withheld for too few listings: ${withheld.join(', ')}.` : ''),
      finding: `Dot plot of ${rows.length} methods. They range from ${change(Math.min(...values))} to ${change(Math.max(...values))}; the headline is ${change(answer.lfl_change_pct)}.`,
      draw: drawForest(rows, 0, percentTick),
    },
  ]
}

const decompositionPlot = (answer: InflationAnswer): Drawing[] => {
  const { decomposition } = answer
  if (!decomposition) return []
  const { naive_change_pct, matched, entry, exit } = decomposition
  if (matched === null || entry === null || exit === null) return []
  const row = (name: string, from: number, size: number, colour: 'accent' | 'second' | 'grey') => ({
    name,
    from,
    to: from + size,
    colour,
    figure: signed(size),
  })
  const rows = [
    row('Matched listings', 0, matched, 'accent'),
    row('Entering listings', matched, entry, 'second'),
    row('Leaving listings', matched + entry, exit, 'second'),
    row('Average price', 0, naive_change_pct, 'grey'),
  ]
  return [
    {
      title: 'Why the average price changed',
      unit: unitLine(
        `Percentage points of the first average price of ${subject(answer)}`,
        countryOf(answer),
        windowDays(answer),
      ),
      key: [
        { mark: 'bar', colour: 'accent', text: 'price changes of the same listings' },
        { mark: 'bar', colour: 'second', text: 'listings that enter or leave' },
        { mark: 'bar', colour: 'grey', text: 'both together' },
      ],
      note: `${signed(matched)} ${signed(entry)} ${signed(exit)} = ${signed(naive_change_pct)}, up to rounding. Expensive listings count for more here; in the like-for-like change each listing has one vote.`,
      finding: `Bars that add up. Matched listings contribute ${signed(matched)} points, entering listings ${signed(entry)} and leaving listings ${signed(exit)}; the average price changed by ${change(naive_change_pct)}.`,
      draw: drawWaterfall(rows, (tick, digits) => (tick === 0 ? '0' : signed(tick, digits))),
    },
  ]
}

/** The change since the first period, the level of prices, the methods and the parts of the change. */
export const inflationPlots = (answer: InflationAnswer): Drawing[] => {
  if (answer.time_series.length < 2) return []
  const periods = plottedPeriods(answer.time_series, answer.granularity)
  return [
    changePlot(answer, periods),
    levels(answer, answer.granularity),
    methodsPlot(answer),
    ...decompositionPlot(answer),
    ...distributionPlot(
      `How much prices of ${subject(answer)} changed`,
      unitLine('Matched listings by their change', countryOf(answer), windowDays(answer)),
      answer.lfl_distribution,
    ),
  ].flat()
}
