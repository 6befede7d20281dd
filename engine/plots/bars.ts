import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import { referenceX, xAxis } from './marks.ts'
import type { PlotColour } from './plot.ts'
import { type PlotRow, positions, rowLayout } from './rows.ts'
import { fittingScale, type TickFormat } from './ticks.ts'

/** A bar from zero; a value that is withheld has no bar. */
export type BarRow = PlotRow & { value: number | null; colour?: PlotColour }

const ROW_HEIGHT = 24
const TOP = 4
const BOTTOM = 28

/** Bars from zero, one below the other. */
export const drawBars =
  (rows: readonly BarRow[], tickFormat: TickFormat, isCount = false): Drawing['draw'] =>
  (column) => {
    const { marks, ...margins } = rowLayout(rows, column)
    const values = rows.flatMap(({ value }) => value ?? [])
    const inner = column.width - margins.marginLeft - margins.marginRight
    const scale = fittingScale(Math.min(0, ...values), Math.max(0, ...values), inner, tickFormat, isCount)
    const bars = rows.map((row, y) => ({ ...row, y })).filter(({ value }) => value !== null)
    return {
      height: rows.length * ROW_HEIGHT + TOP + BOTTOM,
      ...margins,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { domain: scale.domain },
      y: { type: 'band', domain: positions(rows), padding: 0.3, axis: null },
      marks: [
        xAxis(scale, (tick) => tickFormat(tick, scale.digits)),
        Plot.barX(bars, {
          x1: 0,
          x2: 'value',
          y: 'y',
          fill: ({ colour = 'accent' }: BarRow) => `var(--${colour})`,
          fillOpacity: 0.8,
        }),
        referenceX(0),
        marks,
      ],
    }
  }
