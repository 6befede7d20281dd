import { dayNumber, dayText } from '../contract/days.ts'
import { STANDS_DAYS } from '../contract/window.ts'
import { list, type ReadBy } from '../counts/count.ts'

/** The days of a product's listings: prices in cents, times in seconds since 1970. */
export const daysOfProduct = list({
  from: 'product_day',
  columns: ['listing_id', 'day', 'price', 'list_price', 'promo_flag', 'in_stock', 'is_promoted', 'observed_second'],
  order: ['day', 'listing_id'],
})
export type ProductDay = ReadBy<{ days: typeof daysOfProduct }>['days'][number]

/** An observation of a listing and the days [from, to), as numbers, on which its price stands. */
export type Posted = ProductDay & { from: number; to: number }

/** Days [from, to), as numbers. */
export type DayRange = { from: number; to: number }

/** Groups values by a key, in the order of its first occurrences. */
export const groupedBy = <T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

/** The observations of one listing in their order, each until the next one and for at most STANDS_DAYS. */
const postedOf = (days: readonly ProductDay[]): Posted[] => {
  const starts = days.map(({ day }) => dayNumber(day))
  return days.map((day, i) => {
    const from = starts[i]!
    const to = Math.min(starts[i + 1] ?? Number.POSITIVE_INFINITY, from + STANDS_DAYS)
    // A literal that begins with a spread would make a hidden class for each day.
    return Object.assign({ from, to }, day)
  })
}

/** Whether one observation repeats what another of its listing says. */
const isRepeated = (a: Posted, b: Posted): boolean =>
  a.price === b.price && a.list_price === b.list_price && a.in_stock === b.in_stock && a.promo_flag === b.promo_flag

/** The prices of one listing in their order, each until something else was observed, or nothing for long. */
const runsOf = (prices: readonly Posted[]): Posted[] => {
  const runs: Posted[] = []
  for (const price of prices) {
    const last = runs.at(-1)
    if (last?.to === price.from && isRepeated(last, price)) runs.splice(-1, 1, { ...last, to: price.to })
    else runs.push(price)
  }
  return runs
}

/** The part of each price that stands in some days. */
export const postedIn = (prices: readonly Posted[], { from, to }: DayRange): Posted[] =>
  prices
    .map((price) => ({ ...price, from: Math.max(price.from, from), to: Math.min(price.to, to) }))
    .filter((price) => price.from < price.to)

/** Whether a listing can be bought, as far as is known. */
export const isBuyable = ({ in_stock }: { in_stock: boolean | null }): boolean => in_stock !== false

/** The prices that count: those in stock or of unknown stock; all of them where none is. */
const counting = (prices: readonly Posted[]): readonly Posted[] => {
  const buyable = prices.filter(isBuyable)
  return buyable.length > 0 ? buyable : prices
}

/** The prices of a product's listings, by listing, in the window [from, to) and on the last day before `before`. */
export const postedPrices = (rows: readonly ProductDay[], days: { from: string; to: string; before: string }) => {
  const window = { from: dayNumber(days.from), to: dayNumber(days.to) }
  const today = dayNumber(days.before) - 1
  const posted = [...groupedBy(rows, ({ listing_id }) => listing_id).values()].map(postedOf)
  const runs = posted.flatMap(runsOf)
  const inWindow = postedIn(runs, window)
  const now = { from: today, to: today + 1 }
  const used = [...postedIn(posted.flat(), window), ...postedIn(posted.flat(), now)]
  return {
    today,
    window: inWindow,
    /** Those of the window that figures of prices are taken from. */
    counting: counting(inWindow),
    now: postedIn(runs, now),
    /** The observations of the window itself. */
    observed: rows.filter(({ day }) => day >= days.from && day < days.to),
    /** When the oldest and the newest of the prices were observed; infinite without any. */
    observed_at: used.reduce(
      ({ min, max }, { observed_second: at }) => ({ min: Math.min(min, at), max: Math.max(max, at) }),
      { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
    ),
  }
}
export type PostedPrices = ReturnType<typeof postedPrices>

export type PriceChange = {
  date: string
  price: number | null
  list_price: number | null
  in_stock: boolean | null
  promo_flag: boolean | null
}

const UNSEEN = { price: null, list_price: null, in_stock: null, promo_flag: null }

/**
 * What one listing posted in a window that ends before `end`: the price that stands at its start, each change, and a row
 * without a price where it had been unobserved for so long that its price no longer stands.
 */
export const changesOf = (prices: readonly Posted[], end: number): PriceChange[] =>
  prices.flatMap(({ from, to, price, list_price, in_stock, promo_flag }, i) => {
    const change = { date: dayText(from), price, list_price, in_stock, promo_flag }
    const isUnseen = to < (prices[i + 1]?.from ?? end)
    return isUnseen ? [change, { date: dayText(to), ...UNSEEN }] : [change]
  })

const laterFrom = (a: Posted, b: Posted): Posted => (b.from > a.from ? b : a)

/** The lowest and the highest of prices, at least one: of equal ones the one posted last. */
export const lowestOf = (prices: readonly Posted[]): Posted =>
  prices.reduce((a, b) => (a.price === b.price ? laterFrom(a, b) : a.price < b.price ? a : b))
export const highestOf = (prices: readonly Posted[]): Posted =>
  prices.reduce((a, b) => (a.price === b.price ? laterFrom(a, b) : a.price > b.price ? a : b))
