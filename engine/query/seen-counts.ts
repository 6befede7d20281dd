import type { Days } from '../catalog/catalogs.ts'
import { count } from '../counts/count.ts'
import type { Interpreter } from '../counts/read.ts'
import { countriesOf } from '../lake/countries.ts'
import type { Manifest } from '../lake/manifest.ts'

const seen = count({ from: 'covered_listing', by: { retailer: 'retailer_id', category: 'category_id' } })

/** How many listings of a retailer, country and category were observed in some days. */
export type SeenCount = { retailer_id: number; country: string; category_id: number; listing_count: number }

/** Counts the listings that were observed in some days by the nodes of a cluster, which have the observations of past moments. */
export const seenCounts = async (
  cluster: Interpreter,
  manifest: Manifest,
  { since, before }: Days,
): Promise<SeenCount[]> => {
  const counts: SeenCount[] = []
  for (const country of countriesOf(manifest).keys()) {
    const { seen: shelves } = await cluster.count({ seen }, { country, since, before }, {})
    const { n, key } = shelves!
    for (const [group, listing_count] of n.entries())
      counts.push({
        retailer_id: key.retailer![group]!,
        country,
        category_id: key.category![group]!,
        listing_count,
      })
  }
  return counts
}
