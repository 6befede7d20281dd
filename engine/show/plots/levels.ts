import type { Granularity } from '../../contract/window.ts'
import type { Drawing } from './draw.ts'
import { periodNoun } from './format.ts'
import { drawSeries, seriesKey, seriesScale } from './lines.ts'
import { plottedPeriods } from './periods.ts'
import { countryOf, moneyOf, moneyTick, subject, unitLine, windowDays } from './scope.ts'
import type { SeriesPlot } from './series.ts'

type Series = {
  country: string
  currency: string
  window: { from: string; to: string }
  time_series: readonly { date: string; partial: boolean; avg_price: number; stable_avg_price: number | null }[]
}

/** Average prices over time: of the listings priced in every period, where there are any, and of all. */
export const levels = (answer: Series, granularity: Granularity): Drawing[] => {
  const { time_series } = answer
  if (time_series.length < 2) return []
  const noun = periodNoun[granularity]
  const money = moneyOf(answer)
  const hasBasket = time_series.some(({ stable_avg_price }) => stable_avg_price !== null)
  const all = time_series.map(({ avg_price }) => avg_price)
  const basket = time_series.map(({ stable_avg_price }) => stable_avg_price)
  const tick = moneyTick(answer)
  const plot: SeriesPlot = {
    granularity,
    periods: plottedPeriods(time_series, granularity),
    lines: hasBasket
      ? [
          { name: 'Stable basket', values: basket, format: money },
          { name: 'All listings', values: all, format: money, isComparison: true },
        ]
      : [{ name: 'All listings', values: all, format: money }],
    tickFormat: tick,
  }
  const scale = seriesScale(plot, { width: 0, isNarrow: false })
  const [start] = scale.domain
  const first = (values: readonly (number | null)[]) => money(values[0])
  const last = (values: readonly (number | null)[]) => money(values.at(-1))
  return [
    {
      title: `Average price of ${subject(answer)} by ${noun}`,
      unit: unitLine(
        `${answer.currency} per listing, ${countryOf(answer)}`,
        start !== 0 && 'the axis does not start at zero',
      ),
      key: seriesKey(plot, hasBasket ? [`listings priced every ${noun}`, 'all listings'] : ['all listings']),
      note: hasBasket
        ? 'Expensive listings weigh most in averages; that of all listings also moves with what is on the shelf.'
        : `No listing was priced every ${noun}. The average also moves with what is on the shelf.`,
      finding:
        `Line plot of average prices by ${noun}, ${windowDays(answer)}. ` +
        (hasBasket ? `The stable basket went from ${first(basket)} to ${last(basket)}, all` : 'All') +
        ` listings from ${first(all)} to ${last(all)}.`,
      draw: drawSeries(plot),
      series: {
        title: `Average price by ${noun}, ${hasBasket ? `listings priced every ${noun}` : 'all listings'}`,
        unit: unitLine(`${answer.currency} per listing, ${countryOf(answer)}`),
        plot,
      },
    },
  ]
}
