import { type BarRow, drawBars } from './bars.ts'
import type { Drawing } from './draw.ts'
import { MAX_ROWS } from './rows.ts'

/** A table as bars: what is ranked in plural, and how its ticks are written. */
export type Ranking = {
  title: string
  unit: string
  rows: readonly BarRow[]
  /** The things of the rows in plural, such as brands. */
  things: string
  /** Where the answer has more rows than it lists. */
  total?: number
  tickFormat: (tick: number, digits: number) => string
  isCount?: boolean
  note?: string
  finding?: string | undefined
  key?: Drawing['key']
}

const remainder = (rows: number, { things, total = rows }: Ranking): string =>
  total > MAX_ROWS || rows > MAX_ROWS ? `The first ${Math.min(rows, MAX_ROWS)} of ${total} ${things}.` : ''

/** Bars of the first rows of a table; no plot without a value. */
export const ranking = (table: Ranking): Drawing[] => {
  const { title, unit, rows, things, tickFormat, isCount = false, note, finding, key = [] } = table
  if (rows.every(({ value }) => value === null)) return []
  const drawnRows = rows.slice(0, MAX_ROWS)
  const notes = [remainder(rows.length, table), note].filter(Boolean).join(' ')
  const first = drawnRows[0]!
  return [
    {
      title,
      unit,
      key,
      ...(notes === '' ? {} : { note: notes }),
      finding: `Bars of ${things}. ${finding ?? `First is ${first.name} with ${first.figure}.`}`,
      draw: drawBars(drawnRows, tickFormat, isCount),
    },
  ]
}
