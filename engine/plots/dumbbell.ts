import * as Plot from '@observablehq/plot'
import type { Drawing } from './draw.ts'
import { number } from './format.ts'
import { PAPER, referenceX, xAxis } from './marks.ts'
import { type PlotRow, positions, rowLayout } from './rows.ts'
import { fittingScale } from './ticks.ts'

/** A number before and now; `colour` is an attribute. */
export type DumbbellRow = PlotRow & { before: number; now: number; colour: string }

const ROW_HEIGHT = 24
const TOP = 4
const BOTTOM = 28

/** Two numbers a row: a hollow dot before, a filled one now. */
export const drawDumbbells =
  (rows: readonly DumbbellRow[]): Drawing['draw'] =>
  (column) => {
    const { marks, ...margins } = rowLayout(rows, column)
    const inner = column.width - margins.marginLeft - margins.marginRight
    const highest = Math.max(...rows.flatMap(({ before, now }) => [before, now]))
    const scale = fittingScale(0, highest, inner, (tick) => number(tick), true)
    const placed = rows.map((row, y) => ({ ...row, y }))
    return {
      height: rows.length * ROW_HEIGHT + TOP + BOTTOM,
      ...margins,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { domain: scale.domain },
      y: { type: 'point', domain: positions(rows), padding: 0.5, axis: null },
      marks: [
        xAxis(scale, (tick) => number(tick)),
        referenceX(0),
        Plot.ruleY(placed, { x1: 'before', x2: 'now', y: 'y', stroke: 'colour', strokeWidth: 2.25 }),
        Plot.dot(placed, { x: 'before', y: 'y', r: 4, fill: PAPER, stroke: 'colour', strokeWidth: 1.75 }),
        Plot.dot(placed, { x: 'now', y: 'y', r: 4, fill: 'colour', stroke: 'colour', strokeWidth: 1.75 }),
        marks,
      ],
    }
  }
