import * as Plot from '@observablehq/plot'
import type { promoCalendar } from '../../queries/marketing/promo-calendar.ts'
import type { Answer } from '../../queries/query.ts'
import { number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { share } from './format.ts'
import { ACCENT } from './marks.ts'
import { drawRows } from './row-plot.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'

const LAST_WEEK = 53

/** Weeks by retailer, the darker the more of its listing-days are on promotion. */
export const promoCalendarPlots = (answer: Answer<typeof promoCalendar>): Drawing[] => {
  const rows = answer.retailers.map(({ retailer, promo_frequency_pct }) => ({
    name: retailer,
    figure: share(promo_frequency_pct),
  }))
  const cells = answer.retailers.flatMap(({ weeks }, y) =>
    weeks.map(({ week, promo_frequency_pct }) => ({ y, from: week - 1, to: week, value: promo_frequency_pct })),
  )
  const highest = Math.max(...cells.map(({ value }) => value))
  if (highest === 0) return []
  const plot = {
    shape: 'bars',
    rowHeight: 24,
    values: [LAST_WEEK],
    tickFormat: (tick: number) => number(tick),
    isCount: true,
  } as const
  return [
    {
      title: `When ${subject(answer)} is promoted`,
      unit: unitLine('ISO weeks of the year; share of listing-days on promotion at the right', countryOf(answer)),
      key: [{ mark: 'bar', colour: 'accent', text: `the darker the more, up to ${share(highest)}` }],
      note:
        answer.kind === 'seasonal'
          ? 'Weeks are those of all years together.'
          : 'Observed for less than two years: what returns every year is not known.',
      finding: `Heat map of weeks by retailer, ${windowDays(answer)}. Most is promoted in week ${answer.peak_week}: ${share(answer.peak_pct)} of listing-days.`,
      draw: drawRows(rows, plot, [
        Plot.barX(cells, { x1: 'from', x2: 'to', y: 'y', fill: ACCENT, fillOpacity: ({ value }) => value / highest }),
      ]),
    },
  ]
}
