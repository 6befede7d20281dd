import type { CategoryResolver } from './category.ts'
import type { Listings } from './listings.ts'
import type { ObservedScope } from './observed.ts'
import type { Reference } from './reference.ts'
import type { SearchIndex } from './search-index.ts'
import type { PlatformDays } from './social-feeds.ts'

/** A brand: its key, its most frequent spelling and how many listings carry it. Placeholders are no brands. */
export type Brand = { brand_id: number; brand_norm: string; brand: string; product_count: number }

export type Retailer = {
  retailer_id: number
  platform: string
  countries: readonly string[]
  product_count: number
  last_observed_at: string | null
}

/** A shelf is judged by what was observed on it in this many days. */
export const COVERAGE_DAYS = 90

/** A retailer's shelf in one department and country, as it stood at `as_of`. */
export type CoverageCell = {
  platform: string
  country: 'us' | 'ca'
  category_root: string
  priced_product_count: number
  recent_priced_product_count: number
  known_brand_product_count: number
  quality_status: 'serving' | 'thin' | 'stale'
  is_serving_eligible: boolean
  last_observed_at: string | null
}

/** How well a shelf is covered at a moment: all that a retailer's eligibility depends on. */
export type ShelfQuality = Pick<
  CoverageCell,
  'platform' | 'country' | 'category_root' | 'quality_status' | 'is_serving_eligible'
>

/**
 * What planning may consult: one snapshot at one moment, in memory. Its functions throw NotLoaded (memory.ts) where a part
 * has to be read first.
 */
export type Catalog = {
  snapshot_id: string
  published_at: string
  /** The damaged snapshot that this one replaces, or `unknown`; null normally. */
  fallback_for: string | null
  /** Rows of each table, as its refresh counted them; unique_products where entities are resolved. */
  counts: Readonly<Record<string, number>>
  as_of: Date
  /** Whether as_of lies behind every observation, so that the newest price of a listing is the one of then. */
  is_latest: boolean
  categories: CategoryResolver
  brands: ReadonlyMap<string, Brand>
  brandsById: ReadonlyMap<number, Brand>
  retailers: ReadonlyMap<string, Retailer>
  /** The names of retailers by their ids. */
  platforms: ReadonlyMap<number, string>
  reference: Reference
  coverage(): readonly CoverageCell[]
  /** The quality of shelves as it was before a day: of as_of that of `coverage`, else that of shelf-history.ts. */
  qualityBefore(day: string): readonly ShelfQuality[]
  /** When a scope was last observed before as_of, RFC 3339; null where it never was. See observed.ts for brands and types. */
  newestObserved(scope: ObservedScope): string | null
  /** The current prices of a country; null where memory does not hold them, or other ones than as of as_of. */
  prices(country: 'us' | 'ca'): Listings | null
  /** The listings of a country after the newest observation, whatever as_of. */
  listings(country: 'us' | 'ca'): Listings
  /** The search index of a country, with what is known of its listings. */
  search(country: 'us' | 'ca'): SearchIndex
  /** What the feed of each social platform covers before a day, seen from a department. */
  socialFeeds(category_root: string, before: string): PlatformDays[]
}
