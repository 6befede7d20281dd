import type { ListingDay } from './oracle.ts'
import { connectTo } from './prepared.ts'
import type { Listing } from './rows.ts'

type Fact = Record<'platform' | 'country' | 'product_id' | 'path' | 'condition' | 'day' | 'observed_at', string> & {
  brand_norm: string | null
  star_rating: number | null
  price: number
  list_price: number | null
  promo_flag: boolean | null
  in_stock: boolean | null
}

const FACTS = `
  SELECT platform, observation.country, product_id, path, condition, brand_norm, listing.star_rating::DOUBLE AS star_rating,
         day::VARCHAR AS day, strftime(day + to_seconds(observed_second), '%Y-%m-%dT%H:%M:%SZ') AS observed_at,
         observation.price, observation.list_price, observation.promo_flag, observation.in_stock
  FROM observation JOIN observation_time USING (country, month, category_id, listing_id, day)
       JOIN listing USING (country, category_id, listing_id)
       JOIN category USING (category_id) JOIN retailer ON retailer.retailer_id = listing.retailer_id
       LEFT JOIN brand ON brand.brand_id = listing.brand_id`

export type Shelf = { path: string; shelf: readonly string[] }

/** The parts of a path; accessory shelves are named as the oracle knows them. */
const shelfOf = (path: string, accessories: ReadonlySet<string>): string[] => {
  const parts = path.split('/')
  return parts.map((part, i) => (accessories.has(parts.slice(0, i + 1).join('/')) ? `${part} Parts` : part))
}

/** The observations of a snapshot as plain rows for the oracle, and its shelves. */
export const rowsOf = async (snapshot: string): Promise<{ days: ListingDay[]; shelves: Shelf[] }> => {
  const connection = await connectTo(snapshot)
  const rows = async <T>(sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS() as T[]
  const nodes = await rows<{ path: string; is_accessory: boolean }>('SELECT path, is_accessory FROM category')
  const accessories = new Set(nodes.filter(({ is_accessory }) => is_accessory).map(({ path }) => path))
  const listings = new Map<string, Listing>()
  const listingOf = ({ platform, country, product_id, path, brand_norm, condition, star_rating }: Fact): Listing => {
    const key = [platform, country, product_id].join('|')
    const listing = listings.get(key) ?? {
      platform,
      country: country as 'us' | 'ca',
      listing_id: product_id,
      shelf: shelfOf(path, accessories),
      brand: brand_norm,
      spelling: undefined,
      is_new: condition === 'new',
      product_name: '',
      condition,
      star_rating,
    }
    listings.set(key, listing)
    return listing
  }
  const days = (await rows<Fact>(FACTS)).map((fact) => ({
    listing: listingOf(fact),
    observed_at: fact.observed_at,
    day: fact.day,
    price: fact.price,
    list_price: fact.list_price ?? undefined,
    promo_flag: fact.promo_flag ?? undefined,
    in_stock: fact.in_stock ?? undefined,
  }))
  connection.closeSync()
  return { days, shelves: nodes.map(({ path }) => ({ path, shelf: shelfOf(path, accessories) })) }
}
