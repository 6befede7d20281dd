import { createHash } from 'node:crypto'
import {
  groupBy,
  inScope,
  isPromo,
  type ListingDay,
  listingKey,
  mean,
  money,
  observedBetween,
  pct,
  quantile7,
  ratio,
  sum,
} from './oracle.ts'
import { type CurrentAsk, currentPrices } from './oracle-current.ts'
import { labelsOf } from './oracle-labels.ts'
import { lownessOfYear } from './oracle-shopper.ts'

const shelfOf = (days: readonly ListingDay[], ask: CurrentAsk): ListingDay[] =>
  currentPrices(days, ask).filter(({ listing }) => inScope(listing, ask))

const pricesOf = (rows: readonly ListingDay[]): number[] => rows.map(({ price }) => price)

/** Rows by the brand's key, those with most rows first, ties by key; rows without a brand are in none. */
const byBrand = (rows: readonly ListingDay[]): [string, ListingDay[]][] =>
  [
    ...groupBy(
      rows.filter(({ listing }) => listing.brand !== null),
      ({ listing }) => listing.brand!,
    ),
  ].sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))

/** The statistics of marketing/share-of-shelf; null where nothing is current. */
export const shareOfShelf = (days: readonly ListingDay[], ask: CurrentAsk) => {
  const rows = shelfOf(days, ask)
  if (rows.length === 0) return null
  const labels = labelsOf(days)
  const brands = byBrand(rows)
  const total = sum(brands.map(([, own]) => own.length))
  const some = (value: () => number | null) => (total === 0 ? null : value())
  return {
    total_products: total,
    unbranded_products: rows.length - total,
    hhi: some(() => ratio(sum(brands.map(([, own]) => (own.length / total) ** 2)))),
    cr4_pct: some(() => pct((100 * sum(brands.slice(0, 4).map(([, own]) => own.length))) / total)),
    brands: brands.map(([brand, own]) => ({
      brand: labels.get(brand),
      product_count: own.length,
      share_pct: pct((100 * own.length) / total),
    })),
    meta: observedBetween(rows),
  }
}

/** The statistics of marketing/brand-breakdown, departments by their names. Empty where nothing is current. */
export const brandBreakdown = (days: readonly ListingDay[], ask: Omit<CurrentAsk, 'shelf'> & { brand: string }) => {
  const rows = shelfOf(days, { ...ask, shelf: [] }).filter(({ listing }) => listing.brand === ask.brand)
  const departments = [...groupBy(rows, ({ listing }) => listing.shelf[0]!.toLowerCase())]
  const { price_observed_at_min = null, price_observed_at_max = null } = observedBetween(rows)
  const age = price_observed_at_max === null ? null : Date.parse(ask.as_of) - Date.parse(price_observed_at_max)
  return {
    brand: labelsOf(days).get(ask.brand),
    breakdown: departments
      .map(([category_root, own]) => ({ category_root, product_count: own.length }))
      .sort((a, b) => b.product_count - a.product_count || (a.category_root < b.category_root ? -1 : 1)),
    coverage: { products: rows.length, sufficient: rows.length >= 10 },
    freshness: {
      observedThrough: price_observed_at_max,
      staleHours: age === null ? null : Math.round(Math.max(0, age) / 360_000) / 10,
    },
    meta: { price_observed_at_min, price_observed_at_max },
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** `p_` and the first sixteen digits, in RFC 4648's base 32, of the digest of platform, country and id. */
export const productUid = (key: string): string => {
  const bits = [...createHash('sha256').update(key).digest()].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = Array.from({ length: 16 }, (_, i) => DIGITS[Number.parseInt(bits.slice(5 * i, 5 * i + 5), 2)])
  return `p_${digits.join('')}`
}

const discountOf = ({ price, list_price }: ListingDay): number =>
  list_price !== undefined && list_price > price ? (list_price - price) / list_price : 0

export type Sort = 'price' | '-price' | 'discount' | 'reviews'

/** What a product is sorted by, ascending. */
const sortKeys: Record<Sort, (row: ListingDay) => number> = {
  price: ({ price }) => price,
  '-price': ({ price }) => -price,
  discount: (row) => -discountOf(row),
  reviews: ({ listing }) => -(listing.review_count ?? 0),
}

export type LandscapeAsk = CurrentAsk & { sort: Sort; limit: number; offset: number }

/** The statistics of marketing/competitive-landscape; null where nothing is current. */
export const competitiveLandscape = (days: readonly ListingDay[], ask: LandscapeAsk) => {
  const rows = shelfOf(days, ask)
  if (rows.length === 0) return null
  const labels = labelsOf(days)
  const key = sortKeys[ask.sort]
  const products = rows
    .map((row) => ({ row, uid: productUid(listingKey(row.listing)) }))
    .sort((a, b) => key(a.row) - key(b.row) || (a.uid < b.uid ? -1 : 1))
    .slice(ask.offset, ask.offset + ask.limit)
  return {
    total_products: rows.length,
    products: products.map(({ row, uid }) => ({
      product_uid: uid,
      product_id: row.listing.listing_id,
      product_name: row.listing.product_name,
      brand: row.listing.brand === null ? null : labels.get(row.listing.brand),
      retailer: row.listing.platform,
      price: money(row.price),
      list_price: money(row.list_price ?? null),
      discount_pct: discountOf(row) > 0 ? pct(100 * discountOf(row)) : null,
      star_rating: row.listing.star_rating,
      review_count: row.listing.review_count ?? null,
      promo_flag: row.promo_flag ?? null,
      in_stock: row.in_stock ?? null,
      condition: row.listing.is_new ? 'new' : (row.listing.condition ?? 'refurbished'),
      url: row.listing.url ?? null,
      observed_at: row.observed_at,
      scraped_at: row.observed_at,
      ...lownessOfYear(row, days, ask.as_of),
    })),
    limit: ask.limit,
    offset: ask.offset,
    summary: {
      brand_count: byBrand(rows).length,
      retailer_count: new Set(rows.map(({ listing }) => listing.platform)).size,
      avg_price: money(mean(pricesOf(rows))),
      median_price: money(quantile7(pricesOf(rows), 0.5)),
      min_price: money(Math.min(...pricesOf(rows))),
      max_price: money(Math.max(...pricesOf(rows))),
      promo_rate_pct: pct((100 * rows.filter(isPromo).length) / rows.length),
    },
    meta: observedBetween(rows),
  }
}

const tierOf = (median: number, prices: readonly number[]): string => {
  if (median < quantile7(prices, 0.33)) return 'value'
  return median < quantile7(prices, 0.67) ? 'mid' : 'premium'
}

export type PositionAsk = CurrentAsk & { brand: string }

/** The statistics of marketing/price-positioning, of a category where `shelf` names one; null where nothing is current. */
export const pricePositioning = (days: readonly ListingDay[], ask: PositionAsk) => {
  const category = shelfOf(days, ask)
  const own = category.filter(({ listing }) => listing.brand === ask.brand)
  if (own.length === 0) return null
  const labels = labelsOf(days)
  const all = pricesOf(category)
  const median = quantile7(pricesOf(own), 0.5)
  const inCategory = <T>(value: () => T): T | null => (ask.shelf.length === 0 ? null : value())
  const figures = (rows: readonly ListingDay[]) => ({
    product_count: rows.length,
    avg_price: money(mean(pricesOf(rows))),
    price_index: inCategory(() => ratio(mean(pricesOf(rows)) / mean(all))),
  })
  const rivals = byBrand(category).filter(([brand]) => brand !== ask.brand)
  const retailers = [...groupBy(own, ({ listing }) => listing.platform)]
  return {
    brand: labels.get(ask.brand),
    ...figures(own),
    median_price: money(median),
    category_avg_price: inCategory(() => money(mean(all))),
    category_median_price: inCategory(() => money(quantile7(all, 0.5))),
    percentile_rank: inCategory(() => pct((100 * all.filter((price) => price < median).length) / all.length)),
    price_tier: inCategory(() => tierOf(median, all)),
    competitors:
      inCategory(() =>
        rivals.slice(0, 10).map(([brand, rows]) => ({
          brand: labels.get(brand),
          ...figures(rows),
          median_price: money(quantile7(pricesOf(rows), 0.5)),
        })),
      ) ?? [],
    retailers: retailers
      .map(([retailer, rows]) => ({ retailer, ...figures(rows) }))
      .sort((a, b) => b.product_count - a.product_count || (a.retailer < b.retailer ? -1 : 1)),
    meta: observedBetween(own),
  }
}
