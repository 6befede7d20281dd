import { dayNumber } from '../contract/days.ts'
import { field } from '../contract/field.ts'
import { orNull, share, type ToMoney } from '../contract/round.ts'
import { isBuyable, type ProductDay } from './posted-prices.ts'

/** How low a price is among those really observed of its listing. */
export const lownessFields = {
  percentile_in_history: field
    .share(
      'Share of the observed days of the listing on which it cost less: 0, it was never seen cheaper. Null with fewer than 3 such days.',
    )
    .nullable(),
  days_since_lower: field
    .days('Days since it was last seen at a lower price; null if it never was in this history.')
    .nullable(),
  previous_price: field.money('The last other price seen of the listing; null if there is none.').nullable(),
}

/** Where there is no current price. */
export const NO_LOWNESS = { percentile_in_history: null, days_since_lower: null, previous_price: null }

/** Fewer observed days than this are no history. */
export const MIN_DAYS = 3

/**
 * How low the current price of a listing is among the prices of its observed `days`, in their order, without those on which
 * it was out of stock. `today` is the number of the day to count from.
 */
export const lownessOf = (price: number, days: readonly ProductDay[], today: number, money: ToMoney) => {
  const history = days.filter(isBuyable)
  const lower = history.filter((day) => day.price < price)
  const lastLower = lower.at(-1)
  return {
    percentile_in_history: history.length < MIN_DAYS ? null : share(lower.length, history.length),
    days_since_lower: lastLower ? today - dayNumber(lastLower.day) : null,
    previous_price: orNull(money, history.findLast((day) => day.price !== price)?.price),
  }
}
