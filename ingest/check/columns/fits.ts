import type { Column } from '../../feeds/columns.ts'
import type { SampledColumn } from '../read/sample.ts'
import { countryOf } from './countries.ts'
import { guessTimes } from './dates.ts'
import { guessPrices } from './prices.ts'
import * as is from './values.ts'

/** How well values fit a canonical column, from 0 to 1, and a description for the reason. */
export type Fit = { share: number; what: string }

type Test = (profile: is.Profile, column: SampledColumn) => Fit

const every =
  (test: (value: string) => boolean, what: string): Test =>
  ({ filled }) => {
    const share = is.shareOf(filled, test)
    return { share, what: `${is.percent(share)} ${what}` }
  }

/** An empty column counts as a moderate fit. */
const orEmpty =
  (test: Test, share = 0.4): Test =>
  (profile, column) =>
    profile.filled.length === 0 && profile.rows > 0 ? { share, what: 'no value in the sample' } : test(profile, column)

const text: Test = ({ filled, fill }) => {
  const share = is.shareOf(filled, (value) => is.hasLetters(value) && !is.isNested(value))
  return { share: share * (0.5 + 0.5 * fill), what: `${is.percent(share)} texts` }
}

const title: Test = (profile) => {
  const { filled, distinct, rows } = profile
  const mean = filled.reduce((sum, { length }) => sum + length, 0) / Math.max(1, filled.length)
  const { share, what } = text(profile, { name: '', values: [] })
  // Titles vary from row to row; classes repeat, and descriptions are longer.
  const varied = Math.min(1, 0.5 + (2 * distinct) / Math.max(1, rows))
  return { share: share * varied * (mean > 150 ? 0.5 : 1), what }
}

const brand: Test = (profile) => {
  const { distinct, rows } = profile
  const { share, what } = text(profile, { name: '', values: [] })
  return distinct < 3 && rows > 100 ? { share: share * 0.2, what: `only ${distinct} different texts` } : { share, what }
}

const platform: Test = ({ filled, distinct, fill, rows }) => {
  const few = distinct <= Math.max(20, rows / 20)
  const words = is.shareOf(filled, (value) => is.hasLetters(value) && !is.isUrl(value))
  const share = fill * (0.25 + 0.75 * words) * (few ? 1 : 0.3)
  return { share, what: `${distinct} different ${words > 0.5 ? 'names' : 'numbers'}` }
}

const identifier: Test = ({ filled, fill, distinct, rows }) => {
  const shaped = is.shareOf(filled, is.isId)
  // A constant does not identify listings.
  const varied = distinct > 1 || rows < 20 ? 1 : 0.2
  return { share: fill * shaped * varied, what: `${is.percent(fill * shaped)} ids, ${distinct} different` }
}

const time: Test = ({ fill }, { values, type }) => {
  const { share, formats, isNative } = guessTimes(values, type)
  const form = !isNative && formats.length > 0 ? ` as ${formats.join(', ')}` : ''
  return { share: share * (0.5 + 0.5 * fill), what: `${is.percent(share)} times${form}` }
}

const price: Test = (_, { values, type }) => {
  const { share, positive } = guessPrices(values, type)
  return { share: share < 0.3 ? 0 : 0.1 * share + 0.9 * positive, what: `${is.percent(positive)} prices above 0` }
}

const barcode: Test = ({ filled }) => {
  const digits = filled.filter(is.isDigits)
  const share = is.shareOf(digits, is.isBarcode)
  return { share, what: `${is.percent(share)} with a valid check digit` }
}

const stock = every(
  (value) =>
    is.stockOf(value) !== undefined || is.isYesNo(value) || is.isInteger(value) || /^(?:https?:\/\/schema)/.test(value),
  'stock words, yes or no, or counts',
)
const count = every(is.isCount, 'counts')
const yesNo = every((value) => is.isYesNo(value) || is.isPromo(value), 'yes or no, or promotions')
const short = every((value) => value.length <= 64, 'short texts')

/** The values that canonical columns need; others take any text. */
export const FITS: Readonly<Partial<Record<Column, Test>>> = {
  platform,
  country: every((value) => countryOf(value) !== undefined, 'countries'),
  listing_id: identifier,
  post_id: identifier,
  observed_at: time,
  scraped_at: time,
  first_seen_at: time,
  last_seen_at: time,
  delisted_at: time,
  posted_at: time,
  collected_at: time,
  price,
  list_price: orEmpty(price),
  recommended_price: orEmpty(price),
  unit_price: orEmpty(short, 0.6),
  shipping_price: orEmpty(price),
  currency: every(is.isCurrencyCode, 'currency codes'),
  promo_flag: yesNo,
  is_ad: yesNo,
  is_bundle: yesNo,
  availability: stock,
  star_rating: orEmpty(every(is.isRating, 'from 0 to 5')),
  review_count: orEmpty(count),
  views: count,
  likes: count,
  comments: count,
  shares: count,
  multipack: count,
  pack_count: every((value) => is.isInteger(value) && Number(value) <= 1000, 'counts'),
  product_name: title,
  brand,
  gtin: barcode,
  category_path: text,
  condition: every(is.isCondition, 'conditions'),
  url: orEmpty(every(is.isUrl, 'addresses')),
  size_value: every(is.isSize, 'sizes'),
  size_unit: every(is.isUnit, 'units'),
  gpc_code: every((value) => /^\d{8}$/.test(value), 'codes of eight digits'),
  seller_id: every((value) => is.hasLetters(value) && !is.isUnit(value), 'names'),
  promo_text: text,
}

/** The minimum share of fitting values; below it the name is ignored. */
export const MIN_FIT: Readonly<Partial<Record<Column, number>>> = {
  price: 0.15,
  list_price: 0.1,
  recommended_price: 0.1,
  platform: 0.3,
  brand: 0.25,
  gtin: 0.5,
  product_name: 0.3,
  category_path: 0.3,
  listing_id: 0.3,
  url: 0.3,
  size_value: 0.4,
  promo_flag: 0.8,
  country: 0.9,
  observed_at: 0.5,
}
export const DEFAULT_MIN_FIT = 0.6

/** Columns that can be recognised only by values, and the share of fitting values required. */
export const BY_VALUES: readonly (readonly [column: Column, from: number])[] = [
  ['observed_at', 0.98],
  ['collected_at', 0.98],
  ['gtin', 0.95],
  ['url', 0.95],
  ['currency', 0.98],
  ['country', 0.98],
]
