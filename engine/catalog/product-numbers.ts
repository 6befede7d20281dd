import type { Bindings, Columns } from '../duckdb/pool.ts'
import type { Listings } from '../search/listing-columns.ts'
import { rowsByIdOf } from './current-prices.ts'

/** The products of the new listings of a country by row, as numbers from 1; 0 where none is known. */
export type ProductNumbers = {
  /** The entity. */
  entity: Int32Array
  /** The likely product, or the entity without one. */
  likely: Int32Array
  /** The greatest number. */
  greatest: number
}

/** A likely product and an entity with one name have one number. */
const NUMBERS = `WITH known AS (
    SELECT listing_id, entity_uid, coalesce(likely_uid, entity_uid) AS likely_uid FROM listing
    WHERE country = $country::VARCHAR AND condition = 'new' AND coalesce(likely_uid, entity_uid) IS NOT NULL
  ), named AS (
    SELECT uid, row_number() OVER ()::INTEGER AS number
    FROM (SELECT entity_uid AS uid FROM known WHERE entity_uid IS NOT NULL UNION SELECT likely_uid FROM known)
  )
  SELECT listing_id, coalesce(own.number, 0)::INTEGER AS entity, likely.number AS likely
  FROM known JOIN named AS likely ON likely.uid = likely_uid LEFT JOIN named AS own ON own.uid = entity_uid`

type ListedNumbers = { listing_id: Int32Array; entity: Int32Array; likely: Int32Array }

/** Reads the products of the listings of a country. */
export const loadProductNumbers = async (
  columns: (sql: string, bindings: Bindings) => Promise<Columns>,
  country: string,
  listings: Listings,
): Promise<ProductNumbers> => {
  const { listing_id, entity, likely } = (await columns(NUMBERS, { country })) as ListedNumbers
  const rowsById = rowsByIdOf(listings)
  const length = listings.listing_id.length
  const numbers = { entity: new Int32Array(length), likely: new Int32Array(length), greatest: 0 }
  for (let i = 0; i < listing_id.length; i += 1) {
    const row = rowsById[listing_id[i]!]!
    numbers.entity[row] = entity[i]!
    numbers.likely[row] = likely[i]!
    numbers.greatest = Math.max(numbers.greatest, entity[i]!, likely[i]!)
  }
  return numbers
}
