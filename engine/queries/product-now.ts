import { z } from 'zod'
import type { Member } from '../catalog/product-scope.ts'
import { gpc, meta, productEcho, window } from '../contract/blocks.ts'
import { dayText } from '../contract/days.ts'
import { field } from '../contract/field.ts'
import { lownessFields } from '../contract/lowness-fields.ts'
import type { ToMoney } from '../contract/round.ts'
import { MIN_DAYS } from './lowness.ts'
import { highestOf, isBuyable, lowestOf, type Posted, type ProductDay } from './posted-prices.ts'
import { unitPrice } from './unit-price.ts'

/** A price that stands now, and the listing that it is of. */
export type PriceNow = { price: Posted; member: Member }

export const pricesNow = (now: readonly Posted[], members: readonly Member[]): PriceNow[] => {
  const byId = new Map(members.map((member) => [member.listing_id, member]))
  return now.map((price) => ({ price, member: byId.get(price.listing_id)! }))
}

/** Listings that can be bought first, as far as is known, then the cheapest; ties by product_uid. */
export const cheapestFirst = (a: PriceNow, b: PriceNow): number =>
  Number(isBuyable(b.price)) - Number(isBuyable(a.price)) ||
  a.price.price - b.price.price ||
  (a.member.product_uid < b.member.product_uid ? -1 : 1)

/** The cheapest price that stands now; undefined without any. */
export const bestNow = (now: readonly Posted[], members: readonly Member[]): PriceNow | undefined =>
  pricesNow(now, members).sort(cheapestFirst)[0]

/** The fields that all answers about the prices of a product in a window have. */
export const historyFields = {
  ...productEcho,
  scope: field.choice(
    ['entity', 'listing', 'likely'],
    "entity: all retailers' listings of the product; listing: one of them; likely: all of the product and those likely the same.",
  ),
  member_count: field.count('Listings that were observed and make up the prices.'),
  unit_price: unitPrice,
  lowest_seen: field.money('Lowest price posted in the window.'),
  lowest_seen_date: field.date('The day of the window since which it stood when it was posted last.'),
  lowest_seen_retailer: field.text('Platform key of the retailer that posted it.'),
  highest_seen: field.money('Highest price posted in the window.'),
  highest_seen_date: field.date('The day of the window since which that stood when it was posted last.'),
  insufficient_history: field.flag('Whether the product was observed on fewer than 3 days of the window.'),
  observation_count: field.count('Days on which listings were observed, added up over the listings.'),
  ...lownessFields,
  window,
  gpc: gpc.nullable(),
  meta,
}
// Registered by id, so that the short contract document has these fields once.
z.object(historyFields).meta({
  id: 'HistoryAnswer',
  description: 'An answer about the prices of a product in a window.',
})

/** The lowest and the highest of prices that count, at least one. */
export const extremesOf = (prices: readonly Posted[], members: readonly Member[], money: ToMoney) => {
  const byId = new Map(members.map((member) => [member.listing_id, member]))
  const uidOf = ({ listing_id }: Posted): string => byId.get(listing_id)!.product_uid
  // Of prices posted on one day, that of the first listing by uid.
  const ordered = prices.toSorted((a, b) => (uidOf(a) < uidOf(b) ? -1 : uidOf(a) > uidOf(b) ? 1 : a.from - b.from))
  const [low, high] = [lowestOf(ordered), highestOf(ordered)]
  return {
    lowest_seen: money(low.price),
    lowest_seen_date: dayText(low.from),
    lowest_seen_retailer: byId.get(low.listing_id)!.platform,
    highest_seen: money(high.price),
    highest_seen_date: dayText(high.from),
  }
}

/** Whether some observations are too few days to be a history. */
export const hasFewDays = (observed: readonly ProductDay[]): boolean =>
  new Set(observed.map(({ day }) => day)).size < MIN_DAYS
