import { LOG_UNIT, logRelative } from './price-relative.ts'

/** A sale ends within so many days, and its start was seen within so many days of the price before. */
export const MAX_SALE_DAYS = 42
/** What a sale is, for definitions. */
export const SALE =
  `a fall below the regular price that was seen within ${MAX_SALE_DAYS} days of the price before is a sale if the first later ` +
  `price that is not below it equals it and comes at most ${MAX_SALE_DAYS} days after the fall; until then the listing keeps its regular price`
/** The days before a day that decide what a price is on it without sales: a sale that has begun, and how long before a price was seen. */
export const SALE_HISTORY_DAYS = 2 * MAX_SALE_DAYS
/** Fewer pairs of months have no frequency. */
export const MIN_PAIRS = 30

export const priceSettingMacros = `
CREATE MACRO max_sale_days() AS ${MAX_SALE_DAYS};
`

/**
 * Writes the prices without sales of the first `length` days of a listing, which are in order. A sale lasts from a fall to the
 * first price that is not below the one before, if that is the same. Returns whether there are sales.
 */
export const writeRegular = (days: Int32Array, prices: Int32Array, length: number, regular: Int32Array): boolean => {
  let hasSales = false
  for (let i = 0; i < length; i += 1) regular[i] = prices[i]!
  for (let i = 1; i < length; i += 1) {
    const before = prices[i - 1]!
    const last = days[i]! + MAX_SALE_DAYS
    if (prices[i]! >= before || days[i]! - days[i - 1]! > MAX_SALE_DAYS) continue
    let end = i + 1
    while (end < length && days[end]! <= last && prices[end]! < before) end += 1
    if (end === length || days[end]! > last || prices[end] !== before) continue
    for (let day = i; day < end; day += 1) regular[day] = Math.max(regular[day]!, before)
    hasSales = true
  }
  return hasSales
}

/** The absolute log of a price relative in basis points; at least one if the price changed. */
export const sizeOf = (before: number, price: number): number =>
  price === before ? 0 : Math.max(1, Math.round(Math.abs(logRelative(before, price)) / (LOG_UNIT / 1e4)))

type SizeCounts = ReadonlyMap<number, number>

/** How many price relatives there are, and those that rise and fall, counted by their size in basis points. */
export type PriceChanges = { pairs: number; rises: SizeCounts; falls: SizeCounts }

/** The bounds between the buckets of sizes, in basis points; a size on a bound is in the bucket below it. */
const SIZE_BOUNDS = [100, 200, 500, 1000, 2000, 5000] as const

/** How many changes were counted. */
export const changesIn = (counted: SizeCounts): number => [...counted.values()].reduce((sum, count) => sum + count, 0)

/** The quantile at a half of counted values, between the two middle ones; null without any. Values may repeat. */
const medianOf = (counted: readonly (readonly [value: number, count: number])[]): number | null => {
  const sorted = counted.toSorted(([a], [b]) => a - b)
  const n = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (n === 0) return null
  const valueAt = (position: number): number => {
    let upTo = 0
    for (const [value, count] of sorted) {
      upTo += count
      if (upTo > position) return value
    }
    throw new RangeError(`there is no position ${position}`)
  }
  return (valueAt(Math.floor((n - 1) / 2)) + valueAt(Math.ceil((n - 1) / 2))) / 2
}

/** How often and by how much prices change, in percent and months; null without a pair, or a change. */
export const priceSettingOf = ({ pairs, rises, falls }: PriceChanges) => {
  const increases = changesIn(rises)
  const changes = increases + changesIn(falls)
  const frequency = pairs === 0 ? null : changes / pairs
  const size = medianOf([...rises, ...falls])
  return {
    frequency_pct: frequency === null ? null : 100 * frequency,
    share_of_increases_pct: changes === 0 ? null : (100 * increases) / changes,
    median_size_pct: size === null ? null : size / 100,
    // The mean duration of a price whose chance to change is the same at each moment; without a change it is unknown.
    implied_duration_months:
      frequency === null || frequency === 0 ? null : frequency === 1 ? 0 : -1 / Math.log1p(-frequency),
  }
}

/** Counts of changes by their size: the same buckets in every answer, in percent. */
export const sizesOf = <N extends string>(counted: Readonly<Record<N, SizeCounts>>) =>
  [0, ...SIZE_BOUNDS].map((from, i) => {
    const to = SIZE_BOUNDS[i] ?? null
    const countIn = (sizes: SizeCounts): number =>
      [...sizes].reduce((sum, [size, count]) => (size > from && (to === null || size <= to) ? sum + count : sum), 0)
    const counts = Object.fromEntries(
      Object.entries<SizeCounts>(counted).map(([name, sizes]) => [name, countIn(sizes)]),
    ) as Record<N, number>
    return { from_pct: from / 100, to_pct: to === null ? null : to / 100, ...counts }
  })
