import type { KnownListing } from '../../engine/catalog/known-listing.ts'
import type { Engine } from '../../engine/index.ts'
import { listingKey } from './oracle.ts'
import type { Listing } from './rows.ts'

export type Known = KnownListing & { number: number; category_id: number }

/** The listings of an engine's snapshot by their keys, as the lake knows them. */
export const knownListings = async (engine: Engine): Promise<Map<string, Known>> => {
  const catalog = await engine.catalog()
  const all = new Map<string, Known>()
  for (const country of ['us', 'ca'] as const) {
    const { listings, known } = catalog.search(country)
    for (const [number, category_id] of listings.category_id.entries()) {
      const listing = known(number)
      const platform = catalog.platforms.get(listing.retailer_id)!
      const key = listingKey({ platform, country, listing_id: listing.product_id } as Listing)
      all.set(key, { ...listing, number, category_id })
    }
  }
  return all
}
