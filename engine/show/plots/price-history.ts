import type { Answer } from '../../queries/query.ts'
import type { priceHistory } from '../../queries/shopper/price-history.ts'
import { day } from '../words.ts'
import type { Drawing } from './draw.ts'
import { counted, periodNoun } from './format.ts'
import { plottedPeriods } from './periods.ts'
import type { KeyEntry } from './plot.ts'
import { countryOf, moneyOf, moneyTick, unitLine, windowDays } from './scope.ts'
import { drawSteps, hasGap, type PriceSteps } from './steps.ts'

type History = Answer<typeof priceHistory>

const keyOf = (plot: PriceSteps): KeyEntry[] => {
  const has = (isSo: (price: PriceSteps['prices'][number]) => boolean) => plot.prices.some(isSo)
  return [
    { mark: 'line', colour: 'accent', text: 'posted price' },
    ...(has(({ isPromoted }) => isPromoted) ? [{ mark: 'dot', colour: 'second', text: 'on promotion' } as const] : []),
    ...(has(({ isInStock }) => !isInStock) ? [{ mark: 'hollow', colour: 'grey', text: 'out of stock' } as const] : []),
    { mark: 'dashed', colour: 'second', text: 'lowest' },
    ...(hasGap(plot) ? [{ mark: 'dashed', colour: 'grey', text: 'dotted: not observed' } as const] : []),
  ]
}

/** The prices of a product as steps; none where it was observed once. */
export const priceHistoryPlots = (answer: History): Drawing[] => {
  const { time_series, granularity, current_price, lowest_seen, lowest_seen_date, member_count, window } = answer
  if (time_series.length < 2) return []
  const money = moneyOf(answer)
  const periods = plottedPeriods(time_series, granularity)
  const isLowest = ({ from, to }: (typeof periods)[number]) =>
    from <= Date.parse(lowest_seen_date) && Date.parse(lowest_seen_date) < to
  const plot: PriceSteps = {
    prices: time_series.map(({ min_price, promo_count, in_stock_count }, i) => ({
      at: Math.max(periods[i]!.from, Date.parse(window.from)),
      price: min_price,
      isPromoted: promo_count > 0,
      isInStock: in_stock_count > 0,
    })),
    to: Math.min(periods.at(-1)!.to, Date.parse(window.to)),
    lowest: {
      at: Math.max(periods.find(isLowest)?.from ?? periods[0]!.from, Date.parse(window.from)),
      price: lowest_seen,
      text: `Lowest ${money(lowest_seen)}\n${day(lowest_seen_date)}`,
    },
    endText:
      current_price === null ? `${money(time_series.at(-1)!.min_price)}\nlast seen` : `${money(current_price)}\nnow`,
    tickFormat: moneyTick(answer),
    granularity,
  }
  const prices = plot.prices.map(({ price }) => price)
  return [
    {
      title: `Price of ${answer.product_name ?? answer.query}`,
      unit: unitLine(
        `${answer.currency}, ${countryOf(answer)}`,
        `lowest price of a ${periodNoun[granularity]}, held until the next observation`,
        member_count > 1 && `of ${counted(member_count, 'listing')}`,
      ),
      key: keyOf(plot),
      note: `${windowDays(answer)}: ${counted(answer.observation_count, 'observed day')}.${answer.insufficient_history ? ' Fewer than 3 days have a price: this is not a trend.' : ''}`,
      finding:
        `Step line of prices from ${money(prices[0])} to ${money(prices.at(-1))}, ${windowDays(answer)}. ` +
        `The lowest was ${money(lowest_seen)} on ${day(lowest_seen_date)}, the highest ${money(answer.highest_seen)} on ${day(answer.highest_seen_date)}.`,
      draw: drawSteps(plot),
    },
  ]
}
