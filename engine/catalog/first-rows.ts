import type { z } from 'zod'
import type { listedPrice } from '../blocks.ts'
import type { Catalog } from './catalog.ts'
import type { CurrentPrices } from './current-prices.ts'
import type { KnownListing } from './known-listing.ts'

/** More rows than this are sorted by a statement: sorting them here would delay other queries. */
export const MAX_FIRST = 10_000

/** The first `count` of some rows in an order, sorted; never sorts more than twice as many at once. */
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

type Known = (row: number) => KnownListing

/** The first `count` of some rows by a key, ties by product_uid, sorted. */
export const firstByKey = (
  { uid_start }: CurrentPrices,
  rows: Int32Array,
  count: number,
  compareKeys: (a: number, b: number) => number,
  knownAt: Known,
): number[] =>
  firstOf(rows, count, (a, b) => {
    const order = compareKeys(a, b) || uid_start[a]! - uid_start[b]!
    if (order !== 0 || a === b) return order
    return knownAt(a).product_uid < knownAt(b).product_uid ? -1 : 1
  })

/** A listing as a row of a statement's list; `place` counts from 1. */
export const listedAs = (known: KnownListing, place: number, { platforms }: Catalog): z.output<typeof listedPrice> => ({
  place,
  product_uid: known.product_uid,
  entity_uid: known.entity_uid,
  product_id: known.product_id,
  product_name: known.product_name,
  brand: known.brand,
  retailer: platforms.get(known.retailer_id)!,
  price: known.price,
  list_price: known.list_price,
  star_rating: known.star_rating,
  review_count: known.review_count,
  promo_flag: known.promo_flag,
  in_stock: known.in_stock,
  condition: known.condition,
  url: known.url,
  match_type: known.entity_uid === null ? 'title' : 'entity',
  observed_at: known.observed_at,
  scraped_at: known.scraped_at,
})
