import type { Listing, Observation } from './rows.ts'

/**
 * The definitions of the statistics once more, naively: arrays, sorts and loops over plain rows, sharing no code with the
 * engine. Slow and meant to be read beside the definitions.
 */
export type ListingDay = Observation & { day: string }

export type Ask = {
  country?: 'us' | 'ca' | undefined
  /** Names from the root of the category in the query. */
  shelf: readonly string[]
  retailer?: string | undefined
}

const DAY = 86_400_000

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export const mean = (values: readonly number[]): number => sum(values) / values.length
export const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** Hyndman and Fan's type 7: linear between the order statistics, at 1 + (n - 1) p. */
export const quantile7 = (values: readonly number[], p: number): number => {
  const sorted = ascending(values)
  const position = (sorted.length - 1) * p
  const below = sorted[Math.floor(position)]!
  const above = sorted[Math.ceil(position)]!
  return below + (position - Math.floor(position)) * (above - below)
}

/** The lower middle: always one of the values. */
export const discreteMedian = (values: readonly number[]): number =>
  ascending(values)[Math.ceil(values.length / 2) - 1]!

export const groupBy = <T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(key(value))
    if (group) group.push(value)
    else groups.set(key(value), [value])
  }
  return groups
}

/** Half away from zero; what lies within the noise of doubles of a half counts as one. Minus zero is zero. */
export const rounded = (value: number, decimals: number): number => {
  const scaled = Math.floor(Math.abs(value) * 10 ** decimals + 0.5 + 1e-7)
  return scaled === 0 ? 0 : (Math.sign(value) * scaled) / 10 ** decimals
}
const when = (decimals: number) => (value: number | null) => (value === null ? null : rounded(value, decimals))
export const pct = when(2)
export const ratio = when(4)
/** Cents as currency units. */
export const money = (cents: number | null): number | null => (cents === null ? null : rounded(cents / 100, 2))

export const listingKey = ({ platform, country, listing_id }: Listing): string =>
  [platform, country, listing_id].join('|')

/** One observation a listing and UTC day: the latest; of two at once the later in the rows. */
export const listingDays = (rows: readonly Observation[]): ListingDay[] => {
  const latest = new Map<string, ListingDay>()
  for (const row of rows) {
    const day = row.observed_at.slice(0, 10)
    const key = `${listingKey(row.listing)}|${day}`
    const previous = latest.get(key)
    if (!previous || row.observed_at >= previous.observed_at) latest.set(key, { ...row, day })
  }
  return [...latest.values()]
}

/** Whether a listing is on the shelf of the query or beneath it, in its country. */
export const onShelf = (of: Listing, { country = 'us', shelf }: Ask): boolean =>
  of.country === country && shelf.every((name, i) => of.shelf[i] === name)

export const inScope = (of: Listing, ask: Ask): boolean =>
  onShelf(of, ask) && (ask.retailer === undefined || of.platform === ask.retailer)

/** The flag, or a list price that is 5 to 70 % above it. */
export const isPromo = ({ price, list_price, promo_flag }: Observation): boolean => {
  if (promo_flag === true) return true
  if (list_price === undefined) return false
  const hundredths = 100 * (list_price - price)
  return hundredths >= 5 * list_price && hundredths <= 70 * list_price
}

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** The first day after `as_of` of which nothing can have been observed yet. */
export const unseenDay = (as_of: string): string => addDays(new Date(Date.parse(as_of) - 1).toISOString(), 1)

/** When the oldest and the newest of some observations were made; the latest of a day represents it. */
export const observedBetween = (days: readonly ListingDay[]) => {
  const times = days.map(({ observed_at }) => observed_at).sort()
  return { price_observed_at_min: times[0], price_observed_at_max: times.at(-1) }
}
