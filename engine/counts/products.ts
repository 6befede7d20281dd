import type { Catalog } from '../catalog/catalog.ts'
import { currentRows, rowsWhere, sliceOf } from '../catalog/current-prices.ts'
import type { ProductNumbers } from '../catalog/product-numbers.ts'
import type { Bindings } from '../duckdb/pool.ts'
import { IS_NEW, type Listings } from '../search/listing-columns.ts'
import { SQUARE_UNIT } from '../statistics/price-levels.ts'
import { LOG_UNIT, logRelative } from '../statistics/price-relative.ts'
import type { Counted } from './count.ts'
import { rangeOfListings } from './listing-columns.ts'
import type { MemoryRelations } from './read.ts'
import type { Relation } from './relations.ts'
import { BLOCK } from './vectors.ts'
import { blockOf, blockOfLong, countWritten, unlessCancelled, type WrittenRows, writtenRows } from './written-rows.ts'

/** Current new listings by their rows, and the products of all listings. */
type NewListings = { listings: Listings; rows: Int32Array; numbers: ProductNumbers }

/** Whether each product is sold by two retailers or more. */
const joinedProducts = ({ listings, rows, numbers }: NewListings, of: 'entity' | 'likely'): Uint8Array => {
  const sellers = new Int32Array(numbers.greatest + 1).fill(-1)
  const joined = new Uint8Array(numbers.greatest + 1)
  for (let i = 0; i < rows.length; i += 1) {
    const product = numbers[of][rows[i]!]!
    const retailer = listings.retailer_id[rows[i]!]!
    if (product === 0) continue
    if (sellers[product] === -1) sellers[product] = retailer
    else if (sellers[product] !== retailer) joined[product] = 1
  }
  return joined
}

const newListings = (all: NewListings): WrittenRows => {
  const { listings, rows, numbers } = all
  const [joined, likelyJoined] = [joinedProducts(all, 'entity'), joinedProducts(all, 'likely')]
  const columns = blockOf('retailer_id', 'is_identified', 'is_joined', 'is_likely_joined', 'observed_at')
  function* blocks() {
    for (let begin = 0; begin < rows.length; begin += BLOCK) {
      const some = rows.subarray(begin, begin + BLOCK)
      for (let i = 0; i < some.length; i += 1) {
        const row = some[i]!
        columns.retailer_id[i] = listings.retailer_id[row]!
        columns.is_identified[i] = numbers.entity[row]! > 0 ? 1 : 0
        columns.is_joined[i] = joined[numbers.entity[row]!]!
        columns.is_likely_joined[i] = likelyJoined[numbers.likely[row]!]!
        columns.observed_at[i] = listings.observed_at[row]!
      }
      yield some.length
    }
  }
  return writtenRows(columns, { retailer_id: () => rangeOfListings(listings.retailer_id) }, rows.length, blocks)
}

/** What retailers ask for the same product, a product after the other: the lowest price of each. */
type SoldProducts = { starts: number[]; retailers: number[]; prices: number[] }

/** The rows of products, one after the other. */
const byProduct = ({ rows, numbers }: NewListings, of: 'entity' | 'likely'): Int32Array => {
  const next = new Int32Array(numbers.greatest + 2)
  const product = numbers[of]
  for (let i = 0; i < rows.length; i += 1) next[product[rows[i]!]! + 1]! += 1
  const unknown = next[1]!
  for (let number = 1; number < next.length; number += 1) next[number]! += next[number - 1]!
  const ordered = new Int32Array(rows.length)
  for (let i = 0; i < rows.length; i += 1) ordered[next[product[rows[i]!]!]!++] = rows[i]!
  return ordered.subarray(unknown)
}

const soldProducts = (all: NewListings, of: 'entity' | 'likely'): SoldProducts => {
  const { retailer_id, price } = all.listings
  const sold: SoldProducts = { starts: [], retailers: [], prices: [] }
  let last = 0
  for (const row of byProduct(all, of)) {
    const product = all.numbers[of][row]!
    if (product !== last) sold.starts.push(sold.prices.length)
    last = product
    const at = sold.retailers.indexOf(retailer_id[row]!, sold.starts.at(-1))
    if (at >= 0) sold.prices[at] = Math.min(sold.prices[at]!, price[row]!)
    else {
      sold.retailers.push(retailer_id[row]!)
      sold.prices.push(price[row]!)
    }
  }
  sold.starts.push(sold.prices.length)
  return sold
}

/** Half away from zero, as statements round. */
const rounded = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))

/** Squares are of logs in this unit. */
const ROOT_UNIT = Math.sqrt(SQUARE_UNIT)

const productPairs = (all: NewListings): WrittenRows => {
  const products = [soldProducts(all, 'entity'), soldProducts(all, 'likely')]
  const columns = blockOf('is_likely', 'retailer_id', 'other_id', 'seller_count', 'is_equal')
  const [deviation, square] = [blockOfLong('deviation'), blockOfLong('square')]
  let [most, pairs] = [1, 0]
  for (const { starts } of products)
    for (let i = 1; i < starts.length; i += 1) {
      const sellers = starts[i]! - starts[i - 1]!
      most = Math.max(most, sellers)
      pairs += (sellers * (sellers + 1)) / 2
    }
  let at = 0
  const write = (is_likely: number, retailer: number, other: number, sellers: number, is_equal: boolean): void => {
    columns.is_likely[at] = is_likely
    columns.retailer_id[at] = retailer
    columns.other_id[at] = other
    columns.seller_count[at] = sellers
    columns.is_equal[at] = is_equal ? 1 : 0
  }

  function* blocks() {
    for (const [is_likely, { starts, retailers, prices }] of products.entries())
      for (let product = 1; product < starts.length; product += 1) {
        const start = starts[product - 1]!
        const end = starts[product]!
        const sellers = end - start
        let sum = 0
        for (let i = start; i < end; i += 1) sum += logRelative(1, prices[i]!)
        const mean = Math.round(sum / sellers)
        for (let i = start; i < end; i += 1)
          for (let other = i; other < end; other += 1) {
            const a = retailers[i]!
            const b = retailers[other]!
            write(is_likely, Math.min(a, b), Math.max(a, b), sellers, prices[i] === prices[other])
            if (i === other) {
              const log = logRelative(1, prices[i]!) - mean
              deviation.set(at, log)
              square.set(at, rounded(log / (LOG_UNIT * ROOT_UNIT)) ** 2)
            } else {
              deviation.setUnknown(at)
              square.setUnknown(at)
            }
            at += 1
            if (at < BLOCK) continue
            yield at
            at = 0
          }
      }
    yield at
  }
  const retailers = () => rangeOfListings(all.listings.retailer_id)
  return writtenRows(
    { ...columns, ...deviation.columns, ...square.columns },
    { retailer_id: retailers, other_id: retailers, seller_count: () => ({ low: 0, size: most + 1 }) },
    pairs,
    blocks,
  )
}

const relations: Readonly<Partial<Record<Relation, (all: NewListings) => WrittenRows>>> = {
  new_listing: newListings,
  product_pair: productPairs,
}

/** At most so many listings are compared in memory, where nothing else runs meanwhile. */
const MAX_LISTINGS = 2 ** 18

const isFew = (listings: Listings, bindings: Bindings): boolean => {
  const [begin, end] = sliceOf(listings, bindings)
  return end - begin <= MAX_LISTINGS
}

/** Relations over the current new listings of a country that are in memory. */
export const productRelations = (listings: Listings, catalog: Pick<Catalog, 'products'>): MemoryRelations => ({
  has: (from, bindings) => relations[from] !== undefined && isFew(listings, bindings),
  async count(counts, bindings, options) {
    const numbers = await unlessCancelled(catalog.products(String(bindings.country)), options)
    const rows = rowsWhere(currentRows(listings, bindings), (row) => (listings.flags[row]! & IS_NEW) !== 0)
    const counted: Record<string, Counted> = {}
    for (const from of new Set(Object.values(counts).map((declared) => declared.from))) {
      const same = Object.fromEntries(Object.entries(counts).filter(([, declared]) => declared.from === from))
      const written = relations[from]!({ listings, rows, numbers })
      Object.assign(counted, await countWritten(same, written, bindings, options))
    }
    return counted
  },
})
