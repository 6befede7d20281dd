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
  /** The first and the last day observed; null where no price ever was. */
  first_day: string | null
  last_day: string | null
}

/** In the order of known-listing.sql. */
type Values = [
  listing_id: KnownListing['listing_id'],
  product_uid: KnownListing['product_uid'],
  entity_uid: KnownListing['entity_uid'],
  product_id: KnownListing['product_id'],
  product_name: KnownListing['product_name'],
  brand: KnownListing['brand'],
  retailer_id: KnownListing['retailer_id'],
  condition: KnownListing['condition'],
  url: KnownListing['url'],
  star_rating: KnownListing['star_rating'],
  review_count: KnownListing['review_count'],
  gpc_id: KnownListing['gpc_id'],
  gpc_precision: KnownListing['gpc_precision'],
  gpc_source: KnownListing['gpc_source'],
  price: KnownListing['price'],
  list_price: KnownListing['list_price'],
  promo_flag: KnownListing['promo_flag'],
  in_stock: KnownListing['in_stock'],
  observed_at: KnownListing['observed_at'],
  scraped_at: KnownListing['scraped_at'],
  first_day: KnownListing['first_day'],
  last_day: KnownListing['last_day'],
]

export const knownListingSql = readFileSync(new URL('./known-listing.sql', import.meta.url), 'utf8')

/** Reads the listing at a position: an array of its values, since names would double the texts. */
export const knownListing = (texts: Texts, position: number): KnownListing => {
  const values = JSON.parse(texts.at(position)) as Values
  return {
    listing_id: values[0],
    product_uid: values[1],
    entity_uid: values[2],
    product_id: values[3],
    product_name: values[4],
    brand: values[5],
    retailer_id: values[6],
    condition: values[7],
    url: values[8],
    star_rating: values[9],
    review_count: values[10],
    gpc_id: values[11],
    gpc_precision: values[12],
    gpc_source: values[13],
    price: values[14],
    list_price: values[15],
    promo_flag: values[16],
    in_stock: values[17],
    observed_at: values[18],
    scraped_at: values[19],
    first_day: values[20],
    last_day: values[21],
  }
}
