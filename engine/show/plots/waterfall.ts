import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import type { PlotColour } from './plot.ts'
import { drawRows } from './row-plot.ts'
import type { PlotRow } from './rows.ts'
import type { TickFormat } from './ticks.ts'

/** A part from where the parts before it end; the last row is the whole, from zero. */
export type WaterfallRow = PlotRow & { from: number; to: number; colour: PlotColour }

const ROW_HEIGHT = 33

/** Parts that add up to a whole. */
export const drawWaterfall = (rows: readonly WaterfallRow[], tickFormat: TickFormat): Drawing['draw'] =>
  drawRows(
    rows,
    { shape: 'bars', rowHeight: ROW_HEIGHT, values: rows.flatMap(({ from, to }) => [from, to]), tickFormat },
    [
      Plot.barX(rows, {
        x1: 'from',
        x2: 'to',
        y: (_: unknown, i: number) => i,
        fill: ({ colour }: WaterfallRow) => `var(--${colour})`,
      }),
    ],
  )
