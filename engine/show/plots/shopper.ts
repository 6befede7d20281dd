import type { competitiveLandscape } from '../../queries/marketing/competitive-landscape.ts'
import type { Answer } from '../../queries/query.ts'
import type { basket } from '../../queries/shopper/basket.ts'
import type { bestPrice } from '../../queries/shopper/best-price.ts'
import type { dealFinder } from '../../queries/shopper/deal-finder.ts'
import type { priceDropAlert } from '../../queries/shopper/price-drop-alert.ts'
import { counted } from '../text.ts'
import { day } from '../words.ts'
import { type BarRow, drawBars } from './bars.ts'
import type { Drawing } from './draw.ts'
import { change, listed, share } from './format.ts'
import { ranking } from './ranked.ts'
import { countryOf, moneyOf, moneyTick, subject, unitLine, windowDays } from './scope.ts'
import { shareTick } from './shares.ts'

const NEW = 'new'

/** The offers of a product; those that cannot be bought are grey. Offers that may be of several products have their names. */
export const offerPlots = (answer: Answer<typeof bestPrice>): Drawing[] => {
  const money = moneyOf(answer)
  const { prices: offers, ambiguous, query, product_name } = answer
  return ranking({
    title: ambiguous ? `Offers for "${query}"` : `Offers of ${product_name ?? query}`,
    unit: unitLine(`Price, ${answer.currency}, ${countryOf(answer)}`, 'in the order of the answer'),
    rows: offers.map((offer) => ({
      name: ambiguous ? (offer.product_name ?? offer.product_id) : offer.retailer,
      value: offer.price,
      figure: money(offer.price),
      colour: offer.in_stock === false ? 'grey' : 'accent',
      remark: listed([
        ...(ambiguous ? [offer.retailer] : []),
        ...(offer.in_stock === false ? ['out of stock'] : []),
        ...(offer.condition === NEW ? [] : [offer.condition]),
      ]),
    })),
    things: 'offers',
    tickFormat: moneyTick(answer),
    key: offers.some(({ in_stock }) => in_stock === false)
      ? [
          { mark: 'bar', colour: 'accent', text: 'in stock, or not stated' },
          { mark: 'bar', colour: 'grey', text: 'out of stock' },
        ]
      : [],
    note: ambiguous ? 'The text matches more than one product.' : '',
  })
}

/** What a basket costs at each retailer; grey are those that lack something, whose costs are of fewer items. */
export const basketPlots = (answer: Answer<typeof basket>): Drawing[] => {
  const money = moneyOf(answer)
  const { one_stop, split_cost, best_two } = answer
  return ranking({
    title: `A basket of ${counted(answer.items.length, 'item')}`,
    unit: unitLine(`Cost of what a retailer has, ${answer.currency}, ${countryOf(answer)}`),
    rows: one_stop.map(({ retailer, cost, missing }) => ({
      name: retailer,
      value: cost,
      figure: money(cost),
      colour: missing.length > 0 ? 'grey' : 'accent',
      remark: missing.length > 0 ? `${missing.length} missing` : undefined,
    })),
    things: 'retailers',
    tickFormat: moneyTick(answer),
    key: one_stop.some(({ missing }) => missing.length > 0)
      ? [
          { mark: 'bar', colour: 'accent', text: 'has every item' },
          { mark: 'bar', colour: 'grey', text: 'lacks some, so that costs cannot be compared' },
        ]
      : [],
    note: `Split among all retailers ${money(split_cost)}${best_two ? `, at ${best_two.retailer} and ${best_two.other_retailer} ${money(best_two.cost)}` : ''}.`,
  })
}

export const dealPlots = (answer: Answer<typeof dealFinder>): Drawing[] => {
  const money = moneyOf(answer)
  return ranking({
    title: `Deals in ${subject(answer)}`,
    unit: unitLine('Discount off the list price, per cent; price in grey', `${answer.currency}, ${countryOf(answer)}`),
    rows: answer.deals.map(({ product_name, product_id, discount_pct, price }) => ({
      name: product_name ?? product_id,
      value: discount_pct,
      figure: share(discount_pct),
      remark: money(price),
    })),
    things: 'deals',
    total: answer.total_deals_found,
    tickFormat: shareTick,
    note:
      'Highest score first: the discount as a fraction times the natural logarithm of the price. List prices are the ' +
      'retailers’ own.',
  })
}

export const priceDropPlots = (answer: Answer<typeof priceDropAlert>): Drawing[] => {
  const { current_price, avg_price_last_30d, lowest_seen, lowest_seen_date, price_vs_avg_pct } = answer
  const money = moneyOf(answer)
  const row = (name: string, value: number | null, colour: BarRow['colour'] = 'accent', remark = ''): BarRow => ({
    name,
    value,
    figure: money(value),
    colour: colour ?? 'accent',
    remark: remark || undefined,
  })
  return [
    {
      title: `Current price of ${answer.product_name ?? answer.query}`,
      unit: unitLine(`${answer.currency}, ${countryOf(answer)}`, windowDays(answer)),
      key: [],
      note:
        avg_price_last_30d === null
          ? 'No average: the price does not stand in the window.'
          : `Now against the average of the same listing: ${change(price_vs_avg_pct)}.${answer.insufficient_history ? ' Fewer than 3 days of the window have a price.' : ''}`,
      finding: `Bars. The price is ${money(current_price)} now, ${money(avg_price_last_30d)} on average and was ${money(lowest_seen)} at its lowest from ${day(lowest_seen_date)}.`,
      draw: drawBars(
        [
          row('Now', current_price),
          row('Average', avg_price_last_30d, 'grey'),
          row('Lowest', lowest_seen, 'second', day(lowest_seen_date)),
        ],
        moneyTick(answer),
      ),
    },
  ]
}

export const landscapePlots = (answer: Answer<typeof competitiveLandscape>): Drawing[] => {
  const { products, summary, offset, total_products } = answer
  const money = moneyOf(answer)
  return ranking({
    title: `Prices of ${subject(answer)}`,
    unit: unitLine(`Price of a listing, ${answer.currency}, ${countryOf(answer)}`, 'retailer in grey'),
    rows: products.map(({ product_name, product_id, retailer, price }) => ({
      name: product_name ?? product_id,
      value: price,
      figure: money(price),
      remark: retailer,
    })),
    things: 'listings',
    total: total_products - offset,
    tickFormat: moneyTick(answer),
    note: `All ${total_products} listings: median ${money(summary.median_price)}, from ${money(summary.min_price)} to ${money(summary.max_price)}.`,
  })
}
