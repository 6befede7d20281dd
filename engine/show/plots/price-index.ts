import type { priceIndex } from '../../queries/analyst/price-index.ts'
import type { Answer } from '../../queries/query.ts'
import { counted } from '../text.ts'
import { distributionPlot } from './distribution.ts'
import type { Drawing } from './draw.ts'
import { change, signed } from './format.ts'
import { indexPlot } from './index-plot.ts'
import { drawSeries, seriesKey } from './lines.ts'
import { ranking } from './ranked.ts'
import { indexTick } from './retailer-index.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'

const methodNames = { geks_jevons: 'GEKS-Jevons', tpd: 'time-product dummies' } as const

/** The index beside the chained one, and what its change consists of. */
export const priceIndexPlots = (answer: Answer<typeof priceIndex>): Drawing[] => {
  const { time_series, method, change_pct, drift_pp, contributions, contributions_by, window_change_pct } = answer
  if (time_series.length < 2 || time_series.every((point) => point.index === null)) return []
  const plot = indexPlot(time_series, { name: 'Chained', valueOf: ({ chained_index }) => chained_index })
  const unit = unitLine(
    `${methodNames[method]}, first month 1.00`,
    countryOf(answer),
    'the axis does not start at zero',
  )
  return [
    {
      title: `Price index of ${subject(answer)}`,
      unit,
      key: seriesKey(plot, [methodNames[method], 'chained from month to month, which drifts']),
      note: `Change ${change(change_pct)}; the chained index differs by ${signed(drift_pp)} points. ${counted(answer.set_aside_count, 'implausible price')} set aside.`,
      finding: `Line plot, ${windowDays(answer)}. The index changed by ${change(change_pct)}.`,
      draw: drawSeries(plot),
      series: { title: 'Price index', unit, plot },
    },
    ...ranking({
      title: `What the change of ${change(window_change_pct)} consists of`,
      unit: unitLine(`Contribution by ${contributions_by}, points`, countryOf(answer)),
      rows: contributions.map(({ contributor, contribution_pp }) => ({
        name: contributor ?? 'without a brand',
        value: contribution_pp,
        figure: signed(contribution_pp),
        colour: contribution_pp < 0 ? 'second' : 'accent',
      })),
      things: 'contributions',
      tickFormat: indexTick,
    }),
    ...distributionPlot(
      `How much prices of ${subject(answer)} change in a month`,
      unitLine('Listings by their change from a month to the next', countryOf(answer), windowDays(answer)),
      answer.change_distribution,
    ),
  ]
}
