import { compareBytes } from '../catalog/brand-counts.ts'
import type { CatalogNames } from '../catalog/catalog.ts'
import type { Bindings, Row } from '../pool.ts'
import type { Shards } from './sharded.ts'

/** A listing of one shard that may be on a page: the key that it is sorted by, and its uid. */
export type PageCandidate = { listing_id: number; sort_key: number; product_uid: string }

/** Sorts the candidates of all shards as a statement sorts those of one: by key, then by uid. */
export const sortCandidates = <C extends PageCandidate>(candidates: C[]): C[] =>
  candidates.sort((a, b) => a.sort_key - b.sort_key || compareBytes(a.product_uid, b.product_uid))

const LISTED = 'SELECT * FROM listed_price'

/** The texts and newest prices of current listings, in the order of their ids. */
export const listedPrices = async (
  shards: Shards,
  bindings: Bindings,
  listing_ids: readonly number[],
): Promise<Row[]> => {
  if (listing_ids.length === 0) return []
  const rows = await shards.rows(LISTED, { ...bindings, listing_ids })
  const places = new Map(listing_ids.map((id, place) => [id, place]))
  return rows.sort((a, b) => places.get(Number(a.listing_id))! - places.get(Number(b.listing_id))!)
}

/** The fields of a listed price that the answers of several queries have. */
export const listedFields = (row: Row, place: number, { platforms }: CatalogNames): Row => {
  const { listing_id, brand_id, retailer_id, gpc_id, gpc_precision, gpc_source, ...fields } = row
  return {
    place,
    ...fields,
    retailer: platforms.get(Number(retailer_id)),
    match_type: row.entity_uid === null ? 'title' : 'entity',
  }
}
