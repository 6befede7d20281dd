import type { Catalog } from './catalog.ts'
import { gtin } from './gtin.ts'
import { listingsByKey, type SearchIndex } from './search-index.ts'
import { gtinKey, plainUrl, productIdKey, urlKey } from './search-keys.ts'
import type { Postings } from './search-postings.ts'

const NONE: Postings = new Int32Array()
const UID = /^[pe]_[0-9A-Za-z]+$/
/** GTIN-8 to GTIN-14 and ISBN-10 as printed, and the 11 digits that a lost leading zero leaves. */
const BARCODE = /^\d(?:[ -]?\d){6,12}[ -]?[\dX]$/i
const WEB_ADDRESS = /^(?:https?:\/\/\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S+)$/i
/** Shorter ids are too likely to be a year, a size or a model. */
const ID = /^(?=.*\d)\S{5,64}$/
const ADDRESS_PARTS = /[/?&=]/

const byBarcode = (index: SearchIndex, text: string): Postings => {
  const { gtin14 } = gtin(text)
  return gtin14 === null ? NONE : listingsByKey(index, gtinKey(gtin14))
}

/** Retailers whose name a host's labels begin with: `amazon` for `amazon.com`. */
const retailersAt = (host: string, catalog: Catalog): ReadonlySet<number> => {
  const plain = host.replace(/[^a-z0-9]/g, '')
  const named = [...catalog.retailers.values()].filter(({ platform }) =>
    plain.includes(platform.toLowerCase().replace(/[^a-z0-9]/g, '')),
  )
  return new Set(named.map(({ retailer_id }) => retailer_id))
}

/** By the address; else without its query; else by the retailer's id of the product, where a part of the address is one. */
const byAddress = (index: SearchIndex, text: string, catalog: Catalog): Postings => {
  const address = plainUrl(text)
  for (const known of [address, plainUrl(address.replace(/\?.*$/s, ''))]) {
    const found = listingsByKey(index, urlKey(known))
    if (found.length > 0) return found
  }
  const [host = '', ...parts] = address.split(ADDRESS_PARTS)
  const retailers = retailersAt(host, catalog)
  const { listings, places } = index
  const isTheirs = (listing: number) => retailers.has(listings.retailer_id[places.row[listing]!]!)
  for (const part of parts.filter((part) => ID.test(part)).slice(-8)) {
    const found = listingsByKey(index, productIdKey(part)).filter(isTheirs)
    if (found.length > 0) return found
  }
  return NONE
}

/** The listings that a text names by a uid, barcode, web address or retailer's id; none where it is none of them. */
export const listingsByCode = (index: SearchIndex, text: string, catalog: Catalog): Postings => {
  const code = text.trim()
  if (WEB_ADDRESS.test(code)) return byAddress(index, code, catalog)
  const found = [
    UID.test(code) ? listingsByKey(index, code) : NONE,
    BARCODE.test(code) ? byBarcode(index, code) : NONE,
    ID.test(code) ? listingsByKey(index, productIdKey(code)) : NONE,
  ]
  return found.find((listings) => listings.length > 0) ?? NONE
}
