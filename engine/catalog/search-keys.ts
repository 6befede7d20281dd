import { createHash } from 'node:crypto'
import { unaccented } from './text.ts'

/** What a listing may be asked for by, other than the words of its name. */
export type Identified = {
  product_uid: string
  entity_uid: string | null
  product_id: string
  gtin14: string | null
  url: string | null
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//
const FRAGMENT = /#.*$/s
const WWW = /^(?:www|m)\./
const END = /[/?&\s]+$/

/** An address with its letters rather than their percent-encoding. */
const decoded = (url: string): string => {
  try {
    return url.includes('%') ? decodeURI(url) : url
  } catch {
    return url
  }
}

/** The form in which web addresses meet: in lower case, without marks, scheme, `www.`, fragment and trailing slash. */
export const plainUrl = (url: string): string =>
  unaccented(decoded(url.trim())).replace(SCHEME, '').replace(FRAGMENT, '').replace(WWW, '').replace(END, '')

const withoutBreaks = (text: string): string => text.replace(/\s+/g, ' ')

/** The key of a name: the words it asks for, in their order (search-words.ts). */
export const titleKey = (title: string): string => `name ${title}`
export const productIdKey = (product_id: string): string => `id ${withoutBreaks(unaccented(product_id.trim()))}`
export const gtinKey = (gtin14: string): string => `gtin ${gtin14}`
export const urlKey = (plain: string): string => `url ${withoutBreaks(plain)}`

/** Everything a listing is found by as a whole, as texts without line breaks; `title` are the words of its name. */
export const listingKeys = (listing: Identified, title: string): string[] => {
  const { product_uid, entity_uid, product_id, gtin14, url } = listing
  const keys = [product_uid, productIdKey(product_id), titleKey(title)]
  if (entity_uid !== null) keys.push(entity_uid)
  if (gtin14 !== null) keys.push(gtinKey(gtin14))
  if (url !== null) keys.push(urlKey(plainUrl(url)))
  return keys
}

/** A key as the index stores it: the lower half of its MD5, as DuckDB's `md5_number_lower` (no secret, only short). */
export const keyNumber = (key: string): bigint => createHash('md5').update(key).digest().readBigUInt64LE(8)
