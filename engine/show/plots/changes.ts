import { addDays } from '../../contract/days.ts'
import type { Answer } from '../../queries/query.ts'
import type { changes } from '../../queries/shopper/changes.ts'
import { counted, number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { drawSeries, seriesKey } from './lines.ts'
import { plottedPeriods } from './periods.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'
import type { SeriesPlot } from './series.ts'

/** How many prices rise and, below zero, fall by day, to the newest observed day. */
export const changePlots = (answer: Answer<typeof changes>): Drawing[] => {
  const { window, by_day, change_count, rise_count, fall_count, flapping_count, meta, resolved } = answer
  const days: string[] = []
  for (let day = window.from; day <= meta.price_observed_at_max.slice(0, 10); day = addDays(day, 1)) days.push(day)
  if (days.length < 2 || change_count === 0) return []
  const byDate = new Map(by_day.map((day) => [day.date, day]))
  const format = (value: number | null) => number(Math.abs(value ?? 0))
  const plot: SeriesPlot = {
    granularity: 'daily',
    periods: plottedPeriods(
      days.map((date) => ({ date, partial: false })),
      'daily',
    ),
    lines: [
      { name: 'Rises', values: days.map((day) => byDate.get(day)?.rise_count ?? 0), format },
      { name: 'Falls', values: days.map((day) => -(byDate.get(day)?.fall_count ?? 0)), format, isComparison: true },
    ],
    reference: 0,
    tickFormat: (tick, digits) => number(Math.abs(tick), digits),
  }
  return [
    {
      title: `Changes of prices${resolved ? ` of ${subject(answer)}` : ''}`,
      unit: unitLine('Listings by day', 'falls below zero', countryOf(answer)),
      key: seriesKey(plot, ['prices that rise', 'that fall']),
      note: `${number(flapping_count)} of ${counted(change_count, 'change')} are taken back within days.`,
      finding: `Line plot, ${windowDays(answer)}. ${counted(rise_count, 'price')} rose and ${number(fall_count)} fell.`,
      draw: drawSeries(plot),
    },
  ]
}
