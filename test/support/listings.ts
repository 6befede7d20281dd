import type { Engine } from '../../engine/index.ts'
import { listingKey } from './oracle.ts'
import type { Listing } from './rows.ts'

export type Known = { row: number; listing_id: number; category_id: number; product_uid: string; condition: string }

/** The listings of an engine's snapshot by their keys, as the lake knows them. */
export const knownListings = async (engine: Engine): Promise<Map<string, Known>> => {
  const catalog = await engine.catalog()
  await catalog.search('us')
  const rows = await catalog.lookup(
    `SELECT known_listing.rowid::INTEGER AS row, platform, country, product_id, listing_id, category_id, product_uid, condition
     FROM known_listing JOIN retailer USING (retailer_id)`,
    {},
  )
  return new Map(
    rows.map((row) => {
      const {
        platform,
        country,
        product_id: listing_id,
        ...known
      } = row as Known & {
        platform: string
        country: 'us' | 'ca'
        product_id: string
      }
      return [listingKey({ platform, country, listing_id } as Listing), known]
    }),
  )
}
