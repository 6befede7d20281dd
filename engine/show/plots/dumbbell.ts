import * as Plot from '@observablehq/plot'
import { number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { PAPER } from './marks.ts'
import { drawRows } from './row-plot.ts'
import type { PlotRow } from './rows.ts'

/** A number before and now; `colour` is an attribute. */
export type DumbbellRow = PlotRow & { before: number; now: number; colour: string }

const ROW_HEIGHT = 24

/** Two numbers a row: a hollow dot before, a filled one now. */
export const drawDumbbells = (rows: readonly DumbbellRow[]): Drawing['draw'] => {
  const placed = rows.map((row, y) => ({ ...row, y }))
  const values = rows.flatMap(({ before, now }) => [before, now])
  const tickFormat = (tick: number) => number(tick)
  return drawRows(rows, { shape: 'dots', rowHeight: ROW_HEIGHT, values, tickFormat, isCount: true }, [
    Plot.ruleY(placed, { x1: 'before', x2: 'now', y: 'y', stroke: 'colour', strokeWidth: 2.25 }),
    Plot.dot(placed, { x: 'before', y: 'y', r: 4, fill: PAPER, stroke: 'colour', strokeWidth: 1.75 }),
    Plot.dot(placed, { x: 'now', y: 'y', r: 4, fill: 'colour', stroke: 'colour', strokeWidth: 1.75 }),
  ])
}
