import type * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import { referenceX, xAxis } from './marks.ts'
import { type PlotRow, positions, rowLayout } from './rows.ts'
import { fittingScale, type TickFormat } from './ticks.ts'

export type RowPlot = {
  /** Bars are drawn under the line of the reference, dots over it. */
  shape: 'bars' | 'dots'
  rowHeight: number
  /** What the scale has to show, besides the reference. */
  values: readonly number[]
  reference?: number
  tickFormat: TickFormat
  isCount?: boolean
  isRemarkOptional?: boolean
}

const TOP = 4
const BOTTOM = 28
const scales = { bars: { type: 'band', padding: 0.3 }, dots: { type: 'point', padding: 0.5 } } as const

/** Rows one below the other on a common scale, each with its name and figure; `drawn` is what is drawn of them. */
export const drawRows =
  (rows: readonly PlotRow[], plot: RowPlot, drawn: readonly Plot.Markish[]): Drawing['draw'] =>
  (column) => {
    const { shape, rowHeight, values, reference = 0, tickFormat, isCount = false, isRemarkOptional = false } = plot
    const { marks, ...margins } = rowLayout(rows, column, { isRemarkOptional })
    const inner = column.width - margins.marginLeft - margins.marginRight
    const scale = fittingScale(
      Math.min(reference, ...values),
      Math.max(reference, ...values),
      inner,
      tickFormat,
      isCount,
    )
    const axis = xAxis(scale, (tick) => tickFormat(tick, scale.digits))
    const line = referenceX(reference)
    return {
      height: rows.length * rowHeight + TOP + BOTTOM,
      ...margins,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { domain: scale.domain },
      y: { ...scales[shape], domain: positions(rows), axis: null },
      marks: shape === 'bars' ? [axis, ...drawn, line, marks] : [axis, line, ...drawn, marks],
    }
  }
