import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import { PAPER } from './marks.ts'
import type { PlotColour } from './plot.ts'
import { drawRows } from './row-plot.ts'
import type { PlotRow } from './rows.ts'
import type { IntervalBounds } from './series.ts'
import type { TickFormat } from './ticks.ts'

/** A value with its interval; without one its dot is hollow. A value that is withheld has no dot. */
export type ForestRow = PlotRow & {
  value: number | null
  interval?: IntervalBounds | null
  colour?: PlotColour
  isFilled?: boolean
}

const ROW_HEIGHT = 28

/** Values beside a reference, each with its interval. */
export const drawForest = (rows: readonly ForestRow[], reference: number, tickFormat: TickFormat): Drawing['draw'] => {
  const values = rows.flatMap(({ value, interval }) =>
    [value ?? [], interval ? [interval.low, interval.high] : []].flat(),
  )
  const dots = rows
    .map((row, y) => ({ ...row, y, fill: `var(--${row.colour ?? 'accent'})` }))
    .filter(({ value }) => value !== null)
  const intervals = dots.flatMap(({ interval, ...row }) => (interval ? [{ ...row, ...interval }] : []))
  const plot = { shape: 'dots', rowHeight: ROW_HEIGHT, values, reference, tickFormat, isRemarkOptional: true } as const
  return drawRows(rows, plot, [
    Plot.ruleY(intervals, { x1: 'low', x2: 'high', y: 'y', stroke: 'fill', strokeOpacity: 0.35, strokeWidth: 6 }),
    Plot.dot(dots, {
      x: 'value',
      y: 'y',
      r: 4.5,
      fill: ({ interval, fill, isFilled }) => (interval || isFilled ? fill : PAPER),
      stroke: 'fill',
      strokeWidth: 1.75,
    }),
  ])
}
