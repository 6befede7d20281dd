import type { retailerIndex } from '../../queries/analyst/retailer-index.ts'
import type { Answer } from '../../queries/query.ts'
import { number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { index, periodNoun } from './format.ts'
import { drawSeries, seriesKey } from './lines.ts'
import { plottedPeriods } from './periods.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'
import type { SeriesPlot } from './series.ts'

export const indexTick = (tick: number, digits: number): string => number(tick, Math.max(2, digits))

/** A retailer's price level around that of the others: of the same products, and of the averages. */
export const retailerIndexPlots = (answer: Answer<typeof retailerIndex>): Drawing[] => {
  const { time_series, retailer, window } = answer
  if (time_series.length < 2) return []
  const { granularity } = window
  const matched = time_series.map(({ matched_price_index }) => matched_price_index)
  const likely = time_series.map(({ likely_price_index }) => likely_price_index)
  const averages = time_series.map(({ price_index }) => price_index)
  // Without a likely product it is the same line.
  const isLikelyDrawn = likely.some((value, i) => value !== matched[i])
  const plot: SeriesPlot = {
    granularity,
    periods: plottedPeriods(time_series, granularity),
    lines: [
      { name: 'Same products', values: matched, format: index },
      ...(isLikelyDrawn ? [{ name: 'Likely the same', values: likely, format: index, isComparison: true }] : []),
      { name: 'Average price', values: averages, format: index, isComparison: true },
    ],
    reference: 1,
    tickFormat: indexTick,
  }
  const last = matched.at(-1) ?? null
  const what = subject({ ...answer, retailer: null })
  const unit = unitLine(
    'Index against other retailers; above 1.00 is more expensive here',
    countryOf({ ...answer, retailer }),
    `by ${periodNoun[granularity]}`,
    'the axis does not start at zero',
  )
  return [
    {
      title: `Price level of ${retailer} in ${what}`,
      unit,
      key: seriesKey(plot, [
        'same products',
        ...(isLikelyDrawn ? ['products that are likely the same, too'] : []),
        'average price here, by that of the category',
      ]),
      note:
        'No interval is published for these indexes. The ratio of average prices also depends on which products are sold.' +
        (matched.includes(null) ? ' No index of the same products where other retailers sell none of them.' : ''),
      finding:
        `Line plot, ${windowDays(answer)}. ` +
        (last === null
          ? `The last period has no index of ${retailer} for the same products. `
          : `For the same products the last index of ${retailer} is ${index(last)}, where 1 is the price of other retailers. `) +
        (isLikelyDrawn ? `With products that are likely the same it is ${index(likely.at(-1) ?? null)}. ` : '') +
        `The ratio of average prices is ${index(averages.at(-1))}.`,
      draw: drawSeries(plot),
      series: { title: 'Price level for the same products', unit, plot },
    },
  ]
}
