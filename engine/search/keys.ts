import { createHash } from 'node:crypto'
import { unaccented } from '../contract/text.ts'

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//
const FRAGMENT = /#.*$/s
const WWW = /^(?:www|m)\./
const END = /[/?&\s]+$/

/** A URL without percent-encoding; unchanged where that is malformed. */
const decoded = (url: string): string => {
  try {
    return url.includes('%') ? decodeURI(url) : url
  } catch {
    return url
  }
}

/** The normal form in which URLs are compared: lower case, without accents, scheme, `www.`, fragment and trailing slash. */
export const plainUrl = (url: string): string =>
  unaccented(decoded(url.trim())).replace(SCHEME, '').replace(FRAGMENT, '').replace(WWW, '').replace(END, '')

const withoutBreaks = (text: string): string => text.replace(/\s+/g, ' ')

/** The key of a name: its significant words, in their order (words.ts). */
export const titleKey = (title: string): string => `name ${title}`
export const productIdKey = (product_id: string): string => `id ${withoutBreaks(unaccented(product_id.trim()))}`
export const gtinKey = (gtin14: string): string => `gtin ${gtin14}`
export const urlKey = (plain: string): string => `url ${withoutBreaks(plain)}`

/** The keys of a listing that are normalized, without line breaks; `title` is its name as significant words. */
export const normalizedKeys = (product_id: string, url: string | null, title: string): string[] => {
  const keys = [productIdKey(product_id), titleKey(title)]
  return url === null ? keys : [...keys, urlKey(plainUrl(url))]
}

/** The hash of a key that the index stores: the lower half of its MD5, as `md5_number_lower` in DuckDB. Not for security. */
export const keyNumber = (key: string): bigint => createHash('md5').update(key).digest().readBigUInt64LE(8)
