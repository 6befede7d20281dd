import { dayOf } from '../../contract/days.ts'
import { DAY_MS } from '../../contract/time.ts'
import type { Answer } from '../../queries/query.ts'
import type { priceHistory } from '../../queries/shopper/price-history.ts'
import { counted } from '../text.ts'
import { day } from '../words.ts'
import type { Drawing } from './draw.ts'
import type { KeyEntry } from './plot.ts'
import { countryOf, moneyOf, moneyTick, unitLine, windowDays } from './scope.ts'
import { drawSteps, MAX_LINES, type PriceSteps, type StepLine } from './steps.ts'

type History = Answer<typeof priceHistory>
type HistoryOffer = History['offers'][number]

const timeOf = (date: string): number => Date.parse(date)

/** The end of the last day of the window that is not in the future; of a window up to now, of the day of now. */
const endOf = ({ window, meta }: History): number => {
  const now = Math.ceil(timeOf(meta.computed_at) / DAY_MS) * DAY_MS
  return meta.computed_at.startsWith(window.to) ? now : Math.min(timeOf(window.to), now)
}

const keyOf = ({ lines, others }: PriceSteps): KeyEntry[] => {
  const has = (isSo: (price: StepLine['prices'][number]) => boolean) => lines.some(({ prices }) => prices.some(isSo))
  return [
    { mark: 'line', colour: 'accent', text: lines.length === 1 ? 'posted price' : 'posted price, a line a retailer' },
    ...(others.length > 0 ? [{ mark: 'band', colour: 'grey', text: 'other listings' } as const] : []),
    ...(has(({ isPromoted }) => isPromoted) ? [{ mark: 'dot', colour: 'second', text: 'on promotion' } as const] : []),
    ...(has(({ isInStock }) => !isInStock) ? [{ mark: 'hollow', colour: 'grey', text: 'out of stock' } as const] : []),
    { mark: 'dashed', colour: 'second', text: 'lowest' },
  ]
}

/** The steps of a listing. Its end says the price and, unless that stands now, the last day on which it stood. */
const lineOf = (answer: History, { retailer, changes }: HistoryOffer): StepLine => {
  const end = endOf(answer)
  const last = changes.findLastIndex(({ price }) => price !== null)
  const lastDay = timeOf(changes[last + 1]?.date ?? dayOf(end)) - DAY_MS
  const isNow = lastDay + DAY_MS >= timeOf(answer.meta.computed_at)
  return {
    prices: changes.map(({ date, price, in_stock, promo_flag }) => ({
      at: timeOf(date),
      price,
      isPromoted: promo_flag === true,
      isInStock: in_stock !== false,
    })),
    endText: `${retailer}\n${moneyOf(answer)(changes[last]!.price)} ${isNow ? 'now' : day(dayOf(lastDay))}`,
  }
}

/** The cheapest listing of each retailer, as many as have a line, and all other listings. */
const divided = (offers: readonly HistoryOffer[]): [drawn: HistoryOffer[], others: HistoryOffer[]] => {
  const firsts = offers.filter(({ retailer }, i) => offers.findIndex((other) => other.retailer === retailer) === i)
  const drawn = firsts.slice(0, MAX_LINES)
  return [drawn, offers.filter((offer) => !drawn.includes(offer))]
}

/** The prices of a product as steps, one line for each retailer; none where they are of one day. */
export const priceHistoryPlots = (answer: History): Drawing[] => {
  const { time_series, granularity, lowest_seen, lowest_seen_date, lowest_seen_retailer, highest_seen, window } = answer
  const [from, to] = [timeOf(window.from), endOf(answer)]
  if (to - from <= DAY_MS || time_series.length === 0) return []
  const money = moneyOf(answer)
  const [drawn, others] = divided(answer.offers)
  const plot: PriceSteps = {
    lines: drawn.map((offer) => lineOf(answer, offer)),
    others: others.map((offer) => lineOf(answer, offer)),
    from,
    to,
    lowest: {
      at: timeOf(lowest_seen_date),
      price: lowest_seen,
      text: `Lowest ${money(lowest_seen)}\n${day(lowest_seen_date)}`,
    },
    tickFormat: moneyTick(answer),
    granularity,
  }
  return [
    {
      title: `Price of ${answer.product_name ?? answer.query}`,
      unit: unitLine(
        `${answer.currency}, ${countryOf(answer)}`,
        'each price stands until the next observation, for at most 35 days',
        answer.offers.length > 1 && `${counted(answer.offers.length, 'listing')}`,
      ),
      key: keyOf(plot),
      note: `${windowDays(answer)}: ${counted(answer.observation_count, 'observation')}.${answer.insufficient_history ? ' Fewer than 3 days were observed: this is not a trend.' : ''}`,
      finding:
        `Step lines of ${counted(drawn.length, 'retailer')}, ${windowDays(answer)}: ${drawn
          .map(
            ({ retailer, changes }) => `${retailer} ${money(changes.findLast(({ price }) => price !== null)!.price)}`,
          )
          .join(
            ', ',
          )}. The lowest was ${money(lowest_seen)} at ${lowest_seen_retailer} from ${day(lowest_seen_date)}, ` +
        `the highest ${money(highest_seen)} from ${day(answer.highest_seen_date)}.`,
      draw: drawSteps(plot),
    },
  ]
}
