import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import type { IntervalBounds } from './lines.ts'
import { PAPER, referenceX, xAxis } from './marks.ts'
import type { PlotColour } from './plot.ts'
import { type PlotRow, positions, rowLayout } from './rows.ts'
import { fittingScale, type TickFormat } from './ticks.ts'

/** A value with its interval; without one its dot is hollow. A value that is withheld has no dot. */
export type ForestRow = PlotRow & {
  value: number | null
  interval?: IntervalBounds | null
  colour?: PlotColour
  isFilled?: boolean
}

const ROW_HEIGHT = 28
const TOP = 4
const BOTTOM = 32

/** Values beside a reference, each with its interval. */
export const drawForest =
  (rows: readonly ForestRow[], reference: number, tickFormat: TickFormat): Drawing['draw'] =>
  (column) => {
    const { marks, ...margins } = rowLayout(rows, column, { isRemarkOptional: true })
    const ends = rows.flatMap(({ value, interval }) =>
      [value ?? [], interval ? [interval.low, interval.high] : []].flat(),
    )
    const inner = column.width - margins.marginLeft - margins.marginRight
    const scale = fittingScale(Math.min(reference, ...ends), Math.max(reference, ...ends), inner, tickFormat)
    const dots = rows
      .map((row, y) => ({ ...row, y, fill: `var(--${row.colour ?? 'accent'})` }))
      .filter(({ value }) => value !== null)
    const intervals = dots.flatMap(({ interval, ...row }) => (interval ? [{ ...row, ...interval }] : []))
    return {
      height: rows.length * ROW_HEIGHT + TOP + BOTTOM,
      ...margins,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { domain: scale.domain },
      y: { type: 'point', domain: positions(rows), padding: 0.5, axis: null },
      marks: [
        xAxis(scale, (tick) => tickFormat(tick, scale.digits)),
        referenceX(reference),
        Plot.ruleY(intervals, { x1: 'low', x2: 'high', y: 'y', stroke: 'fill', strokeOpacity: 0.35, strokeWidth: 6 }),
        Plot.dot(dots, {
          x: 'value',
          y: 'y',
          r: 4.5,
          fill: ({ interval, fill, isFilled }) => (interval || isFilled ? fill : PAPER),
          stroke: 'fill',
          strokeWidth: 1.75,
        }),
        marks,
      ],
    }
  }
