/** A sale ends within so many days, and its start was seen within so many days of the price before. */
export const MAX_SALE_DAYS = 42
/** What a sale is, for definitions. */
export const SALE =
  `a fall below the regular price that was seen within ${MAX_SALE_DAYS} days of the price before is a sale if the first later ` +
  `price that is not below it equals it and comes at most ${MAX_SALE_DAYS} days after the fall; until then the listing keeps its regular price`
/** Fewer pairs of months have no frequency. */
export const MIN_PAIRS = 30

export const priceSettingMacros = `
CREATE MACRO max_sale_days() AS ${MAX_SALE_DAYS};
`

/** How many price relatives there are, how many of them rise and fall, and the sizes of these in basis points, with counts. */
export type PriceChanges = {
  pairs: number
  increases: number
  decreases: number
  sizes: ReadonlyMap<number, number>
}

/** The quantile at a half of counted values, between the two middle ones; null without any. */
const medianOf = (counted: ReadonlyMap<number, number>): number | null => {
  const sorted = [...counted].sort(([a], [b]) => a - b)
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
export const priceSettingOf = ({ pairs, increases, decreases, sizes }: PriceChanges) => {
  const changes = increases + decreases
  const frequency = pairs === 0 ? null : changes / pairs
  const size = medianOf(sizes)
  return {
    frequency_pct: frequency === null ? null : 100 * frequency,
    share_of_increases_pct: changes === 0 ? null : (100 * increases) / changes,
    median_size_pct: size === null ? null : size / 100,
    // The mean duration of a price whose chance to change is the same at each moment; without a change it is unknown.
    implied_duration_months:
      frequency === null || frequency === 0 ? null : frequency === 1 ? 0 : -1 / Math.log1p(-frequency),
  }
}
