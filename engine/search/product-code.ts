import { gtin } from './gtin.ts'
import { gtinKey, plainUrl, productIdKey, urlKey } from './keys.ts'
import { type ListingNumbers, numbersIn } from './postings.ts'
import type { SearchIndex } from './search-index.ts'

/** The retailers of a snapshot by platform. */
type RetailerNames = { retailers: ReadonlyMap<string, { retailer_id: number; platform: string }> }

const NONE: ListingNumbers = new Int32Array()
const UID = /^[pe]_[0-9A-Za-z]+$/
/** GTIN-8 to GTIN-14 and ISBN-10 as printed, and 11 digits: a GTIN-12 without its leading zero. */
const BARCODE = /^\d(?:[ -]?\d){6,12}[ -]?[\dX]$/i
const URL_TEXT = /^(?:https?:\/\/\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S+)$/i
/** Shorter ids may as well be a year, a size or a model. */
const ID = /^(?=.*\d)\S{5,64}$/
const URL_SEPARATORS = /[/?&=]/

const byBarcode = (index: SearchIndex, text: string): ListingNumbers => {
  const { gtin14 } = gtin(text)
  return gtin14 === null ? NONE : numbersIn(index.withKey(gtinKey(gtin14)))
}

/** The retailers whose name is part of a host name: `amazon` for `amazon.com`. */
const retailersAt = (host: string, catalog: RetailerNames): ReadonlySet<number> => {
  const plain = host.replace(/[^a-z0-9]/g, '')
  const matching = [...catalog.retailers.values()].filter(({ platform }) =>
    plain.includes(platform.toLowerCase().replace(/[^a-z0-9]/g, '')),
  )
  return new Set(matching.map(({ retailer_id }) => retailer_id))
}

/** By the URL; else by the URL without its query string; else by a part of the URL that is a product id of the retailer. */
const byUrl = (index: SearchIndex, text: string, catalog: RetailerNames): ListingNumbers => {
  const address = plainUrl(text)
  for (const url of [address, plainUrl(address.replace(/\?.*$/s, ''))]) {
    const listings = numbersIn(index.withKey(urlKey(url)))
    if (listings.length > 0) return listings
  }
  const [host = '', ...parts] = address.split(URL_SEPARATORS)
  const retailers = retailersAt(host, catalog)
  const { table, places } = index
  const isTheirs = (listing: number) => retailers.has(table.columns.retailer_id[places.row[listing]!]!)
  for (const part of parts.filter((part) => ID.test(part)).slice(-8)) {
    const listings = numbersIn(index.withKey(productIdKey(part)), isTheirs)
    if (listings.length > 0) return listings
  }
  return NONE
}

/** The listings that a text identifies by uid, barcode, URL or product id of a retailer; none for other texts. */
export const listingsByCode = (index: SearchIndex, text: string, catalog: RetailerNames): ListingNumbers => {
  const code = text.trim()
  if (URL_TEXT.test(code)) return byUrl(index, code, catalog)
  const candidates = [
    UID.test(code) ? numbersIn(index.withKey(code)) : NONE,
    BARCODE.test(code) ? byBarcode(index, code) : NONE,
    ID.test(code) ? numbersIn(index.withKey(productIdKey(code))) : NONE,
  ]
  return candidates.find((listings) => listings.length > 0) ?? NONE
}
