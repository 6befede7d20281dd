import type { Engine } from '../../engine/index.ts'
import type { Listing as ListingInMemory } from '../../engine/search/listings.ts'
import { listingKey } from './oracle.ts'
import type { Listing } from './rows.ts'

export type NumberedListing = ListingInMemory & { number: number }

/** The listings of an engine's snapshot by their keys, as its memory holds them. */
export const numberedListings = async (engine: Engine): Promise<Map<string, NumberedListing>> => {
  const catalog = await engine.catalog()
  const all = new Map<string, NumberedListing>()
  for (const country of ['us', 'ca'] as const) {
    const { places, listing } = await catalog.search(country)
    for (const number of places.row.keys()) {
      const held = listing(number)
      const platform = catalog.platforms.get(held.retailer_id)!
      const key = listingKey({ platform, country, listing_id: held.product_id } as Listing)
      all.set(key, { ...held, number })
    }
  }
  return all
}
