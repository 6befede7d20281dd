import type { CatalogNames } from '../catalog/catalog.ts'
import type { Days } from '../catalog/catalogs.ts'
import { count } from '../counts/count.ts'
import type { Interpreter } from '../counts/read.ts'
import { countriesOf } from '../lake/countries.ts'
import type { Manifest } from '../lake/manifest.ts'

const seen = count({ from: 'covered_listing', by: { retailer: 'retailer_id', category: 'category_id' } })

/** How many listings of a retailer, country and department were observed in some days. */
export type SeenCount = { retailer_id: number; country: string; department: string; listing_count: number }

/** Counts the listings that were observed in some days by the nodes of a cluster, which have the observations of past moments. */
export const seenCounts = async (
  cluster: Interpreter,
  { categories }: Pick<CatalogNames, 'categories'>,
  manifest: Manifest,
  { since, before }: Days,
): Promise<SeenCount[]> => {
  const counts = new Map<string, SeenCount>()
  for (const country of countriesOf(manifest).keys()) {
    const { seen: shelves } = await cluster.count({ seen }, { country, since, before }, {})
    for (const [group, n] of shelves!.n.entries()) {
      const retailer_id = shelves!.key.retailer![group]!
      const [department = ''] = categories.byId(shelves!.key.category![group]!)?.path.split('/') ?? []
      const key = [retailer_id, country, department].join(' ')
      const { listing_count } = counts.get(key) ?? { listing_count: 0 }
      counts.set(key, { retailer_id, country, department, listing_count: listing_count + n })
    }
  }
  return [...counts.values()]
}
