import { z } from 'zod'
import { field } from '../contract/field.ts'
import { categoryOrDepartment, categoryScope, maximumAge } from '../contract/params.ts'
import { share } from '../contract/round.ts'
import { type Counted, count, groupsOf, total } from '../counts/count.ts'
import type { SellerCounts } from '../statistics/price-levels.ts'

/** The parameters of queries that compare the retailers of a category. */
export const comparedScope = z
  .object({
    category: categoryScope.category,
    department: categoryScope.department,
    country: categoryScope.country,
    days: maximumAge(),
  })
  .superRefine(categoryOrDepartment)

/** The current new listings of a scope by retailer, and how many of them can be compared. */
export const newListings = count({
  from: 'new_listing',
  by: { retailer: 'retailer_id' },
  sums: { identified: 'is_identified', joined: 'is_joined', likely_joined: 'is_likely_joined' },
  min: { observed: 'observed_at' },
  max: { observed: 'observed_at' },
})

/** Products by the retailers that sell them. */
export const productPairs = count({
  from: 'product_pair',
  by: { is_likely: 'is_likely', retailer: 'retailer_id', other: 'other_id', sellers: 'seller_count' },
  sums: { equal: 'is_equal', deviation: 'deviation', square: 'square' },
})

/** The counts of entities, or of likely products, in an order that repeats. */
export const sellersOf = (counted: Counted<typeof productPairs>, is_likely: boolean): SellerCounts[] =>
  groupsOf(counted, (group) => (counted.key.is_likely[group] === 1) === is_likely)
    .map((group) => ({
      retailer: counted.key.retailer[group]!,
      other: counted.key.other[group]!,
      sellers: counted.key.sellers[group]!,
      n: counted.n[group]!,
      equal: counted.sum.equal[group]!,
      deviation: counted.long('deviation', group),
      square: counted.long('square', group),
    }))
    .sort((a, b) => a.retailer - b.retailer || a.other - b.other || a.sellers - b.sellers)

/** The most pairs of retailers that an answer lists. */
export const MAX_PAIRS = 100

type RetailerPair = { ids: readonly [number, number]; names: readonly [string, string]; n: number; equal: number }

/** The pairs of different retailers by their names, those that share most products first. */
export const retailerPairsOf = (
  counts: readonly SellerCounts[],
  platforms: ReadonlyMap<number, string>,
): Map<string, RetailerPair> => {
  const pairs = new Map<string, RetailerPair>()
  for (const { retailer, other, n, equal } of counts) {
    if (retailer === other) continue
    const [a, b] = [platforms.get(retailer)!, platforms.get(other)!]
    const names: [string, string] = a < b ? [a, b] : [b, a]
    const pair = pairs.get(names.join(' ')) ?? { n: 0, equal: 0 }
    const ids: [number, number] = a < b ? [retailer, other] : [other, retailer]
    pairs.set(names.join(' '), { ids, names, n: pair.n + n, equal: pair.equal + equal })
  }
  return new Map([...pairs].sort(([a, { n: m }], [b, { n }]) => n - m || (a < b ? -1 : 1)))
}

/** What an answer about shared products says of what it cannot see. */
export const joinedFields = {
  listing_count: field.count('New listings in scope with a current price.'),
  identified_pct: field.share('Share of them whose product is known (entity_uid); only these can be compared.'),
  joined_pct: field.share('Share of them whose product another retailer sells, too.'),
  likely_joined_pct: field.share('The same by likely products: what is likely the same product counts as one.'),
}

export const joinedOf = (counted: Counted<typeof newListings>) => {
  const listing_count = total(counted)
  const shareOf = (column: Float64Array): number =>
    share(
      column.reduce((sum, n) => sum + n, 0),
      listing_count,
    ) ?? 0
  return {
    listing_count,
    identified_pct: shareOf(counted.sum.identified),
    joined_pct: shareOf(counted.sum.joined),
    likely_joined_pct: shareOf(counted.sum.likely_joined),
  }
}
