import { ratio } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import { metaOf, rowsOf } from './sql.ts'

type BasketOffer = { listing_id: number; retailer: string; price: number; is_buyable: boolean; observed_at: number }
type SentItem = { item: string; quantity: number; listings: number[] }
type ShopCost = { shops: string[]; cost: number; missing: number[]; cheapest: number }

/** The newest offers of the items; what shops charge, one by one and in pairs, is gone through by hand. */
export const basket: Floor = {
  statements: (files, values) => [
    `SELECT listing_id, platform AS retailer, price, in_stock IS DISTINCT FROM false AS is_buyable, epoch(observed_at) AS observed_at
     FROM ${files.listings} JOIN ${files.retailers} USING (retailer_id)
     WHERE category_id BETWEEN ${values.first} AND ${values.last} AND listing_id IN (${values.listing_ids})
       AND last_day >= DATE '${values.since}' AND last_day < DATE '${values.before}'`,
  ],
  figures: ([columns], values) => {
    const items = values.basket as unknown as SentItem[]
    const offers = rowsOf<BasketOffer>(columns!)
    const prices = items.map(({ quantity, listings }) => {
      const lowest = new Map<string, number>()
      for (const { listing_id, retailer, price, is_buyable } of offers)
        if (is_buyable && listings.includes(listing_id))
          lowest.set(retailer, Math.min(lowest.get(retailer) ?? Number.POSITIVE_INFINITY, quantity * price))
      return lowest
    })
    const cheapest = prices.map((lowest) => Math.min(...lowest.values()))
    const costOf = (shops: string[]): ShopCost => {
      const costs = prices.map((lowest) =>
        Math.min(...shops.map((shop) => lowest.get(shop) ?? Number.POSITIVE_INFINITY)),
      )
      const had = costs.flatMap((cost, place) => (Number.isFinite(cost) ? place : []))
      const sum = (of: readonly number[]) => had.reduce((all, place) => all + of[place]!, 0)
      const missing = [...items.keys()].filter((place) => !had.includes(place))
      return { shops, cost: sum(costs), missing, cheapest: sum(cheapest) }
    }
    const first = (a: ShopCost, b: ShopCost) =>
      a.missing.length - b.missing.length || a.cost / a.cheapest - b.cost / b.cheapest
    const shops = [...new Set(prices.flatMap((lowest) => [...lowest.keys()]))].sort()
    const split = costOf(shops)
    const [two] = shops.flatMap((a, i) => shops.slice(i + 1).map((b) => costOf([a, b]))).sort(first)
    const texts = (places: readonly number[]) => places.map((place) => items[place]!.item)
    const times = offers.map(({ observed_at }) => observed_at)
    return {
      split_cost: shops.length === 0 ? null : money(split.cost),
      unavailable: texts(split.missing),
      one_stop: shops
        .map((shop) => costOf([shop]))
        .sort(first)
        .slice(0, 50)
        .map(({ shops: [retailer], cost, missing, cheapest: same }) => ({
          retailer,
          cost: money(cost),
          missing: texts(missing),
          same_items_cheapest: money(same),
          cost_index: ratio(cost / same),
        })),
      best_two: two ? { retailer: two.shops[0], other_retailer: two.shops[1], cost: money(two.cost) } : null,
      meta: metaOf(times, times),
    }
  },
}
