import type { officialComparison } from '../../queries/analyst/official-comparison.ts'
import type { Answer } from '../../queries/query.ts'
import { number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { change, signed } from './format.ts'
import { indexPlot } from './index-plot.ts'
import { drawSeries, seriesKey } from './lines.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'

/** The index beside the official figure. */
export const officialComparisonPlots = (answer: Answer<typeof officialComparison>): Drawing[] => {
  const { time_series, series, series_title, lags, gap_pp, index_change_pct, official_change_pct } = answer
  if (time_series.length < 2 || time_series.every((point) => point.index === null)) return []
  const plot = indexPlot(time_series, { name: 'Official', valueOf: ({ official_index }) => official_index })
  const unit = unitLine('GEKS-Jevons, first common month 1.00', countryOf(answer), 'the axis does not start at zero')
  const together = lags.find(({ lag }) => lag === 0)?.correlation ?? null
  const correlation = together === null ? 'not computed' : number(together, 2)
  return [
    {
      title: `Prices of ${subject(answer)} beside ${series_title ?? series}`,
      unit,
      key: seriesKey(plot, ['posted prices', `official: ${series}`]),
      note: `Change ${change(index_change_pct)}, official ${change(official_change_pct)}: a gap of ${signed(gap_pp)} points. Correlation of monthly changes ${correlation}. A comparison, not a nowcast.`,
      finding: `Line plot, ${windowDays(answer)}. The index changed by ${change(index_change_pct)}, the official figure by ${change(official_change_pct)}.`,
      draw: drawSeries(plot),
      series: { title: 'Official comparison', unit, plot },
    },
  ]
}
