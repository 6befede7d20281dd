import { readFileSync } from 'node:fs'
import type { Texts } from './texts.ts'

/** A listing with its newest price: money in cents, times in seconds since 1970. */
export type KnownListing = {
  listing_id: number
  product_uid: string
  entity_uid: string | null
  product_id: string
  product_name: string | null
  brand: string | null
  retailer_id: number
  condition: string
  url: string | null
  star_rating: number | null
  review_count: number | null
  gpc_id: number | null
  gpc_precision: string | null
  gpc_source: string | null
  price: number
  list_price: number | null
  promo_flag: boolean | null
  in_stock: boolean | null
  observed_at: number
  scraped_at: number
  /** Null where no price was ever observed. */
  last_day: string | null
}

/** In the order of known-listing.sql. */
const columns = [
  'listing_id',
  'product_uid',
  'entity_uid',
  'product_id',
  'product_name',
  'brand',
  'retailer_id',
  'condition',
  'url',
  'star_rating',
  'review_count',
  'gpc_id',
  'gpc_precision',
  'gpc_source',
  'price',
  'list_price',
  'promo_flag',
  'in_stock',
  'observed_at',
  'scraped_at',
  'last_day',
] as const satisfies readonly (keyof KnownListing)[]

export const knownListingSql = readFileSync(new URL('./known-listing.sql', import.meta.url), 'utf8')

/** Reads the listing at a position: an array of its values, since names would double the texts. */
export const knownListing = (texts: Texts, position: number): KnownListing => {
  const values = JSON.parse(texts.at(position)) as unknown[]
  return Object.fromEntries(columns.map((column, at) => [column, values[at]])) as KnownListing
}
