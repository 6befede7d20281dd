import { dayNumber } from '../contract/days.ts'
import { orNull, share, type ToMoney } from '../contract/round.ts'
import { isBuyable, type ProductDay } from './posted-prices.ts'

/** Where there is no current price. */
export const NO_LOWNESS = { percentile_in_history: null, days_since_lower: null, previous_price: null }

/** Fewer observed days than this are no history. */
export const MIN_DAYS = 3

/** What the observed days of a listing say of a price, as a refresh stores it of the newest. */
export type PriceHistory = {
  /** The days on which it was observed, not out of stock. */
  observed_days: number | null
  /** Those of them on which it cost less, and the last of these. */
  lower_days: number | null
  last_lower_day: string | null
  /** The price of the last of them on which it cost something else. */
  previous_price: number | null
}

/** What `days`, the observed days of a listing in their order, say of a price. */
export const priceHistoryOf = (price: number, days: readonly ProductDay[]): PriceHistory => {
  const history = days.filter(isBuyable)
  const lower = history.filter((day) => day.price < price)
  return {
    observed_days: history.length,
    lower_days: lower.length,
    last_lower_day: lower.at(-1)?.day ?? null,
    previous_price: history.findLast((day) => day.price !== price)?.price ?? null,
  }
}

/** How low a price is. `today` is the number of the day to count from. */
export const lownessOf = (
  { observed_days, lower_days, last_lower_day, previous_price }: PriceHistory,
  today: number,
  money: ToMoney,
) => ({
  percentile_in_history: (observed_days ?? 0) < MIN_DAYS ? null : share(lower_days!, observed_days!),
  days_since_lower: last_lower_day === null ? null : today - dayNumber(last_lower_day),
  previous_price: orNull(money, previous_price),
})
