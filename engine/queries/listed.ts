import type { z } from 'zod'
import { dateTimeOf } from '../catalog/answer.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { priceRow } from '../contract/blocks.ts'
import { dayNumber } from '../contract/days.ts'
import { orNull, percent, round, type ToMoney } from '../contract/round.ts'
import { DAY_SECONDS } from '../contract/time.ts'
import type { RowOf } from '../counts/relations.ts'
import { storedContents } from '../search/contents.ts'
import { lownessOf } from './lowness.ts'

/** The columns of a price row. */
export const LISTED_COLUMNS = [
  'product_uid',
  'entity_uid',
  'product_id',
  'product_name',
  'brand',
  'retailer_id',
  'price',
  'list_price',
  'rating',
  'review_count',
  'promo_flag',
  'in_stock',
  'condition',
  'url',
  'observed_at',
  'scraped_at',
  'recommended_price',
  'size_milli',
  'size_unit',
  'pack_count',
  'observed_days',
  'lower_days',
  'last_lower_day',
  'previous_price',
] as const

/** Bindings of listed prices that are not of a few listings. */
export const ALL_LISTINGS = { first_listing: null, last_listing: null }

/** A listing with its newest price: money in cents, times in seconds since 1970. */
export type ListedPrice = RowOf<'listed_price', (typeof LISTED_COLUMNS)[number]>

/** The size of a listing; null where none is known. */
const sizeOf = (listed: ListedPrice): z.output<typeof priceRow>['size'] => {
  const contents = storedContents(listed)
  return contents && { value: round(contents.amount, 2), unit: contents.unit, pack: contents.pack }
}

/** Whole days from an observation to a moment. */
export const ageInDays = (observed_at: number, as_of: string): number =>
  Math.max(0, Math.floor((Date.parse(as_of) / 1000 - observed_at) / DAY_SECONDS))

/** A price row of an answer at a moment, the days before `before` being over. discount_pct is null without a list price above the price. */
export const priceRowOf = (
  listed: ListedPrice,
  { as_of, before }: { as_of: string; before: string },
  platforms: Catalog['platforms'],
  money: ToMoney,
): z.output<typeof priceRow> => {
  const { price, list_price, rating } = listed
  return {
    product_uid: listed.product_uid,
    entity_uid: listed.entity_uid,
    product_id: listed.product_id,
    product_name: listed.product_name,
    brand: listed.brand,
    retailer: platforms.get(listed.retailer_id)!,
    price: money(price),
    list_price: orNull(money, list_price),
    discount_pct: list_price !== null && list_price > price ? percent((100 * (list_price - price)) / list_price) : null,
    star_rating: rating === null ? null : rating / 100,
    review_count: listed.review_count,
    promo_flag: listed.promo_flag,
    in_stock: listed.in_stock,
    condition: listed.condition,
    url: listed.url,
    match_type: listed.entity_uid === null ? 'title' : 'entity',
    observed_at: dateTimeOf(listed.observed_at),
    scraped_at: dateTimeOf(listed.scraped_at),
    age_days: ageInDays(listed.observed_at, as_of),
    recommended_price: orNull(money, listed.recommended_price),
    size: sizeOf(listed),
    ...lownessOf(listed, dayNumber(before) - 1, money),
  }
}
