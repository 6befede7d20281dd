import type { Listings } from './listing-columns.ts'
import type { Listing } from './listings.ts'

/** Longer lists are sorted by a statement: sorting them here would delay other queries. */
export const MAX_FIRST = 10_000

/** The first `count` rows in an order, sorted; sorts at most twice as many at a time. */
const firstOf = (rows: Int32Array, count: number, compare: (a: number, b: number) => number): number[] => {
  let kept: number[] = []
  let last: number | null = null
  for (const row of rows) {
    if (last !== null && compare(row, last) >= 0) continue
    kept.push(row)
    if (kept.length < 2 * count) continue
    kept = kept.sort(compare).slice(0, count)
    last = kept.at(-1) ?? null
  }
  return kept.sort(compare).slice(0, count)
}

/** The first `count` rows by a key, ties by product_uid, sorted. */
export const firstByKey = (
  { uid_start }: Listings,
  rows: Int32Array,
  count: number,
  compareKeys: (a: number, b: number) => number,
  listingAt: (row: number) => Listing,
): number[] =>
  firstOf(rows, count, (a, b) => {
    const order = compareKeys(a, b) || uid_start[a]! - uid_start[b]!
    if (order !== 0 || a === b) return order
    return listingAt(a).product_uid < listingAt(b).product_uid ? -1 : 1
  })
