import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import { referenceX, xAxis } from './marks.ts'
import type { PlotColour } from './plot.ts'
import { type PlotRow, positions, rowLayout } from './rows.ts'
import { fittingScale, type TickFormat } from './ticks.ts'

/** A part from where the parts before it end; the last row is the whole, from zero. */
export type WaterfallRow = PlotRow & { from: number; to: number; colour: PlotColour }

const ROW_HEIGHT = 33
const TOP = 4
const BOTTOM = 32

/** Parts that add up to a whole. */
export const drawWaterfall =
  (rows: readonly WaterfallRow[], tickFormat: TickFormat): Drawing['draw'] =>
  (column) => {
    const { marks, ...margins } = rowLayout(rows, column)
    const ends = rows.flatMap(({ from, to }) => [from, to])
    const inner = column.width - margins.marginLeft - margins.marginRight
    const scale = fittingScale(Math.min(0, ...ends), Math.max(0, ...ends), inner, tickFormat)
    return {
      height: rows.length * ROW_HEIGHT + TOP + BOTTOM,
      ...margins,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { domain: scale.domain },
      y: { type: 'band', domain: positions(rows), padding: 0.35, axis: null },
      marks: [
        xAxis(scale, (tick) => tickFormat(tick, scale.digits)),
        Plot.barX(rows, {
          x1: 'from',
          x2: 'to',
          y: (_: unknown, i: number) => i,
          fill: ({ colour }: WaterfallRow) => `var(--${colour})`,
        }),
        referenceX(0),
        marks,
      ],
    }
  }
