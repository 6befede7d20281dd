import { z } from 'zod'
import type { Member } from '../catalog/product-scope.ts'
import { dayNumber } from '../contract/days.ts'
import { field } from '../contract/field.ts'
import { orNull, type ToMoney } from '../contract/round.ts'
import { changesOf, groupedBy, isBuyable, type Posted } from './posted-prices.ts'

/** Whether a listing is a product's own or likely the same, and how sure that is. */
export const matchFields = {
  match_type: field.choice(
    ['entity', 'title'],
    'entity: a listing of the product; title: likely the same product by its title, with likely=true.',
  ),
  match_confidence: field.confidence('How sure it is that it is the product: 1 for entity, below 1 for title.'),
}

export const productOffer = z.object({
  product_uid: field.key('Id of the listing.'),
  retailer: field.text('Platform key of the retailer.'),
  product_name: field.text('Title of the listing; null where the feed has none.').nullable(),
  ...matchFields,
  changes: field.list(
    z.object({
      date: field.date('The day from which on this stands; the first day of the window for what stands at its start.'),
      price: field
        .money('Price from then on; null where it was unobserved for so long that it stands no longer.')
        .nullable(),
      list_price: field.money('Reference price of the retailer; null where it states none.').nullable(),
      in_stock: field.flag('Whether it can be bought; null where the retailer says nothing.').nullable(),
      promo_flag: field.flag('Whether it is marked as a promotion; null where the retailer says nothing.').nullable(),
    }),
    'What it posted in the window: the price standing at the start, then each change.',
  ),
})

/** The listings with what they posted in a window that ends before `to`, by their last price, those that can be bought first. */
export const offersOf = (
  window: readonly Posted[],
  to: string,
  members: readonly Member[],
  money: ToMoney,
): z.output<typeof productOffer>[] => {
  const byId = new Map(members.map((member) => [member.listing_id, member]))
  return [...groupedBy(window, ({ listing_id }) => listing_id).values()]
    .map((prices) => ({ prices, last: prices.at(-1)!, member: byId.get(prices[0]!.listing_id)! }))
    .sort(
      (a, b) =>
        Number(isBuyable(b.last)) - Number(isBuyable(a.last)) ||
        a.last.price - b.last.price ||
        (a.member.product_uid < b.member.product_uid ? -1 : 1),
    )
    .map(({ prices, member: { product_uid, platform, product_name, match_type, match_confidence } }) => ({
      product_uid,
      retailer: platform,
      product_name,
      match_type,
      match_confidence,
      changes: changesOf(prices, dayNumber(to)).map((change) => ({
        ...change,
        price: orNull(money, change.price),
        list_price: orNull(money, change.list_price),
      })),
    }))
}
