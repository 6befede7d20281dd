import type { Catalog } from '../catalog/catalog.ts'
import type { Bindings, Row } from '../duckdb/pool.ts'
import { firstByKey } from '../search/first-rows.ts'
import type { Listings } from '../search/listing-columns.ts'
import { isPricedWithin, type Listing } from '../search/listings.ts'
import { type AnyList, isList, type Reads } from './count.ts'
import type { Interpreter } from './read.ts'
import { orderOf, pageOf } from './sql.ts'

/** The part of the list price that is saved; 0 without one above the price. */
const discountOf = (price: number, list_price: number): number =>
  list_price > price ? (list_price - price) / list_price : 0

type SortColumns = Pick<Listings, 'price' | 'list_price' | 'review_count' | 'listing_id'>

/** The columns that lists are sorted by, but product_uid. */
const sortKeys: Readonly<Record<string, (columns: SortColumns, row: number, bindings: Bindings) => number>> = {
  listing_id: ({ listing_id }, row) => listing_id[row]!,
  price: ({ price }, row) => price[row]!,
  reviews: ({ review_count }, row) => Math.max(0, review_count[row]!),
  discount: ({ price, list_price }, row) => discountOf(price[row]!, list_price[row]!),
  score: ({ price, list_price }, row, { min_price }) =>
    discountOf(price[row]!, list_price[row]!) * Math.log(price[row]! / (Number(min_price) / 5)),
}

/** Compares rows by the order of a list, but by product_uid, its last column. */
const comparatorOf = (list: AnyList, listings: Listings, bindings: Bindings) => {
  const keys = orderOf(list, bindings)
    .filter((by) => by !== 'product_uid')
    .map((by) => (by.startsWith('-') ? { keyOf: sortKeys[by.slice(1)]!, sign: -1 } : { keyOf: sortKeys[by]!, sign: 1 }))
  return (a: number, b: number): number => {
    for (const { keyOf, sign } of keys) {
      const difference = sign * (keyOf(listings, a, bindings) - keyOf(listings, b, bindings))
      if (difference !== 0) return difference
    }
    return 0
  }
}

const hundredths = (stars: number | null): number | null => stars && Math.round(100 * stars)

const rowOf = (listing: Listing, columns: readonly string[]): Row => {
  const row: Row = {}
  for (const name of columns)
    row[name] = name === 'rating' ? hundredths(listing.star_rating) : listing[name as keyof Listing]
  return row
}

/** The rows of a list with a limit, of some rows of listings that are in memory. */
export const listRows = (
  list: AnyList,
  rows: Int32Array,
  listings: Listings,
  bindings: Bindings,
  listingAt: (row: number) => Listing,
): readonly Row[] => {
  const { start, end } = pageOf(list, bindings)
  const page = firstByKey(listings, rows, end, comparatorOf(list, listings, bindings), listingAt).slice(start)
  return page.map((row) => rowOf(listingAt(row), list.columns))
}

/**
 * Reads the newest prices of the listings that a search found, by their numbers in its index. Null where other prices than
 * the newest are needed, or more than these listings.
 */
export const foundInterpreter = async (
  reads: Reads,
  bindings: Bindings,
  catalog: Catalog,
): Promise<Interpreter | null> => {
  const { listing_numbers, country, since, before } = bindings
  if (typeof listing_numbers !== 'string' || !catalog.is_latest) return null
  if (!Object.values(reads).every((read) => isList(read) && read.from === 'listed_price')) return null
  const { listing } = await catalog.search(String(country))
  return {
    count: () => Promise.resolve({}),
    rows: async (read) =>
      listing_numbers
        .split(',')
        .filter(Boolean)
        .map((number) => listing(Number(number)))
        .filter(isPricedWithin(String(since), String(before)))
        .sort((a, b) => a.listing_id - b.listing_id)
        .map((one) => rowOf(one, (read as AnyList).columns)),
  }
}
