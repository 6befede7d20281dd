import * as Plot from '@observablehq/plot'
import { readableLine } from '../readable.ts'
import type { PlotColumn } from './draw.ts'
import { FONT_SIZE, INK, MUTED } from './marks.ts'
import { truncated, widestOf } from './text.ts'

/** A row of a plot with its name on the left, and on the right its figure and what else is said of it. */
export type PlotRow = { name: string; figure: string; remark?: string | undefined }

/** The most rows that are drawn; the rest is in a note. */
export const MAX_ROWS = 15

/** The part of a column that names may take. */
const NAME_SHARE = { wide: 0.36, narrow: 0.32 }
const GAP = 12

/** The room that names and figures need, and the marks that draw them. */
export type RowLayout = { marginLeft: number; marginRight: number; marks: Plot.Markish[] }

const text = (value: string) => ({ text: () => value })

/** Lays out names and figures of rows whose y is their position; remarks are left out of narrow columns if `isRemarkOptional`. */
export const rowLayout = (
  rows: readonly PlotRow[],
  { width, isNarrow }: PlotColumn,
  { isRemarkOptional = false } = {},
): RowLayout => {
  const size = isNarrow ? FONT_SIZE : FONT_SIZE + 1
  const limit = width * (isNarrow ? NAME_SHARE.narrow : NAME_SHARE.wide)
  const names = rows.map(({ name }) => readableLine(name).trim())
  const cut = names.map((name) => truncated(name, size, limit))
  const hasRemarks = !(isRemarkOptional && isNarrow) && rows.some(({ remark }) => remark !== undefined)
  const remarks = rows.map(({ remark = '' }) => truncated(readableLine(remark), size, limit))
  const figures = rows.map(({ figure }) => figure)
  const figureWidth = Math.ceil(widestOf(figures, size))
  const remarkWidth = hasRemarks ? Math.ceil(widestOf(remarks, size)) + GAP : 0
  const right = (dx: number) =>
    ({ frameAnchor: 'right', textAnchor: 'end', dx, fontSize: size, fontVariant: 'tabular-nums' }) as const
  return {
    marginLeft: Math.ceil(widestOf(cut, size)) + GAP,
    marginRight: figureWidth + remarkWidth + GAP + 4,
    marks: rows.map((row, y) => [
      Plot.text([y], {
        y: (i: number) => i,
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -8,
        ...text(cut[y]!),
        fontSize: size,
        fill: INK,
        ...(cut[y] === names[y] ? {} : { title: () => names[y]! }),
      }),
      Plot.text([y], {
        y: (i: number) => i,
        ...right(figureWidth + GAP),
        ...text(row.figure),
        fontWeight: 600,
        fill: INK,
      }),
      hasRemarks && remarks[y]
        ? Plot.text([y], {
            y: (i: number) => i,
            ...right(figureWidth + remarkWidth + GAP),
            ...text(remarks[y]!),
            fill: MUTED,
          })
        : null,
    ]),
  }
}

/** The positions of rows, as the domain of a y scale. */
export const positions = (rows: readonly unknown[]): number[] => rows.map((_, i) => i)
