import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import type { PlotColour } from './plot.ts'
import { drawRows } from './row-plot.ts'
import type { PlotRow } from './rows.ts'
import type { TickFormat } from './ticks.ts'

/** A bar from zero; a value that is withheld has no bar. */
export type BarRow = PlotRow & { value: number | null; colour?: PlotColour }

const ROW_HEIGHT = 24

/** Bars from zero, one below the other. */
export const drawBars = (rows: readonly BarRow[], tickFormat: TickFormat, isCount = false): Drawing['draw'] => {
  const bars = rows.map((row, y) => ({ ...row, y })).filter(({ value }) => value !== null)
  const values = rows.flatMap(({ value }) => value ?? [])
  return drawRows(rows, { shape: 'bars', rowHeight: ROW_HEIGHT, values, tickFormat, isCount }, [
    Plot.barX(bars, {
      x1: 0,
      x2: 'value',
      y: 'y',
      fill: ({ colour = 'accent' }: BarRow) => `var(--${colour})`,
      fillOpacity: 0.8,
    }),
  ])
}
