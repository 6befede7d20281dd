import type { priceSetting } from '../../queries/analyst/price-setting.ts'
import type { Answer } from '../../queries/query.ts'
import { number } from '../text.ts'
import { sizesPlot } from './distribution.ts'
import type { Drawing } from './draw.ts'
import { share } from './format.ts'
import { drawSeries, seriesKey } from './lines.ts'
import { plottedPeriods } from './periods.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'
import type { SeriesPlot } from './series.ts'

/** Shares of prices that rise and, below zero, that fall, by month. */
export const priceSettingPlots = (answer: Answer<typeof priceSetting>): Drawing[] => {
  const { time_series, posted, regular } = answer
  if (time_series.length < 2) return []
  const falls = time_series.map(({ decrease_pct }) => (decrease_pct === null ? null : -decrease_pct))
  const format = (value: number | null) => share(value === null ? null : Math.abs(value))
  const plot: SeriesPlot = {
    granularity: 'monthly',
    periods: plottedPeriods(time_series, 'monthly'),
    lines: [
      { name: 'Rises', values: time_series.map(({ increase_pct }) => increase_pct), format },
      { name: 'Falls', values: falls, format, isComparison: true },
    ],
    reference: 0,
    tickFormat: (tick, digits) => `${number(Math.abs(tick), digits)}%`,
  }
  return [
    {
      title: `How often prices of ${subject(answer)} change`,
      unit: unitLine('Share of listings from one month to the next, per cent', 'falls below zero', countryOf(answer)),
      key: seriesKey(plot, ['posted prices that rise', 'that fall']),
      note: `Of all pairs of months ${share(posted.frequency_pct)} change, without sales ${share(regular.frequency_pct)}.`,
      finding: `Line plot, ${windowDays(answer)}. ${share(posted.frequency_pct)} of posted prices change from one month to the next, by ${share(posted.median_size_pct)} in the median.`,
      draw: drawSeries(plot),
      series: {
        title: 'Prices that rise',
        unit: unitLine('Share of listings from one month to the next, per cent', countryOf(answer)),
        plot,
      },
    },
    ...sizesPlot(answer),
  ]
}
