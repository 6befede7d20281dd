import * as Plot from '@observablehq/plot'
import { DAY_MS } from '../../contract/time.ts'
import { ageText, number } from '../text.ts'
import { day } from '../words.ts'
import type { Drawing } from './draw.ts'
import { FONT_SIZE, MUTED, SECOND } from './marks.ts'
import { type PlotRow, positions, rowLayout } from './rows.ts'
import { unitLine } from './scope.ts'

/** When a retailer's newest price was observed, RFC 3339; null without one. */
export type NewestPrice = { name: string; last_observed_at: string | null }

/** Older prices are not current. */
const STALE_DAYS = 90
/** Younger ones are drawn at the start of the logarithmic axis. */
const MIN_DAYS = 1
const TICKS = [1, 7, 30, 90, 365, 1825]
const ROW_HEIGHT = 24
const TOP = 4
const BOTTOM = 32

const drawAges =
  (rows: readonly (PlotRow & { days: number | null })[]): Drawing['draw'] =>
  (column) => {
    const { marks, ...margins } = rowLayout(rows, column)
    const dots = rows.flatMap(({ days }, y) => (days === null ? [] : [{ y, days, at: Math.max(MIN_DAYS, days) }]))
    const max_days = Math.max(STALE_DAYS * 1.5, ...dots.map(({ at }) => at * 1.15))
    const ticks = TICKS.filter((tick) => tick <= max_days)
    return {
      height: rows.length * ROW_HEIGHT + TOP + BOTTOM,
      ...margins,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { type: 'log', domain: [MIN_DAYS * 0.85, max_days], axis: null },
      y: { type: 'point', domain: positions(rows), padding: 0.5, axis: null },
      marks: [
        Plot.rect([{}], { x1: STALE_DAYS, x2: max_days, fill: SECOND, fillOpacity: 0.1 }),
        Plot.gridX(ticks, { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.gridY(positions(rows), { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.ruleX([STALE_DAYS], { stroke: SECOND, strokeWidth: 1.5 }),
        Plot.text(ticks, {
          x: (tick: number) => tick,
          frameAnchor: 'bottom',
          dy: 18,
          text: (tick: number) => `${number(tick)} d`,
          fontSize: FONT_SIZE,
          fill: MUTED,
        }),
        Plot.dot(dots, { x: 'at', y: 'y', r: 4.5, fill: ({ days }) => (days > STALE_DAYS ? SECOND : 'var(--accent)') }),
        marks,
      ],
    }
  }

/** How old each retailer's newest price is, against the newest of all. */
export const agePlots = (retailers: readonly NewestPrice[]): Drawing[] => {
  const times = retailers.flatMap(({ last_observed_at }) => last_observed_at ?? [])
  if (times.length < 2) return []
  const newest = times.reduce((a, b) => (a > b ? a : b))
  const rows = retailers
    .map(({ name, last_observed_at }) => ({
      name,
      age: last_observed_at === null ? null : Date.parse(newest) - Date.parse(last_observed_at),
    }))
    .sort((a, b) => (a.age ?? Infinity) - (b.age ?? Infinity))
    .map(({ name, age }) => ({
      name,
      days: age === null ? null : age / DAY_MS,
      figure: age === null ? '–' : ageText(age),
    }))
  const stale = rows.filter(({ days }) => days !== null && days > STALE_DAYS)
  return [
    {
      title: 'Age of the newest price, by retailer',
      unit: unitLine(`Days before the newest of all, ${day(newest)}, logarithmic`, 'ages under 1 day at 1 day'),
      key: [
        { mark: 'dot', colour: 'accent', text: 'newest price' },
        ...(stale.length > 0
          ? [{ mark: 'dot', colour: 'second', text: `older than ${STALE_DAYS} days: not current` } as const]
          : []),
      ],
      finding:
        `Dot plot of ${rows.length} retailers. ` +
        (stale.length === 0
          ? `All have prices of the last ${STALE_DAYS} days.`
          : `${stale.map(({ name, figure }) => `${name} (${figure})`).join(', ')} without a current price.`),
      draw: drawAges(rows),
    },
  ]
}
