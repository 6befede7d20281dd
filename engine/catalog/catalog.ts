import type { Countries } from '../lake/countries.ts'
import type { Listings } from '../search/listing-columns.ts'
import type { ListingTable } from '../search/listings.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { CategoryResolver } from './category.ts'
import type { MonthPrices } from './month-prices.ts'
import type { ObservedScope } from './observed.ts'
import type { OfficialSeries } from './official-series.ts'
import type { PackedDay } from './packed-days.ts'
import type { ProductNumbers } from './product-numbers.ts'
import type { Reference } from './reference.ts'
import type { PlatformDays } from './social-feeds.ts'

/** A brand: its key, its most frequent spelling and how many listings carry it. Placeholders are not brands. */
export type Brand = { brand_id: number; brand_norm: string; brand: string; product_count: number }

export type Retailer = {
  retailer_id: number
  platform: string
  countries: readonly string[]
  product_count: number
  last_observed_at: string | null
}

/** The quality of a shelf depends on its observations in this many days. */
export const COVERAGE_DAYS = 90

/** The coverage of a retailer in one department and country at `as_of`: a shelf. */
export type CoverageCell = {
  platform: string
  country: string
  category_root: string
  priced_product_count: number
  recent_priced_product_count: number
  known_brand_product_count: number
  quality_status: 'serving' | 'thin' | 'stale'
  is_serving_eligible: boolean
  last_observed_at: string | null
}

/** The quality of a shelf at a moment, on which the eligibility of its retailer depends. */
export type ShelfQuality = Pick<
  CoverageCell,
  'platform' | 'country' | 'category_root' | 'quality_status' | 'is_serving_eligible'
>

/**
 * The data that planning uses: one snapshot at one moment, in memory or, of its listings, in files. What a
 * function promises is read first if it is not there yet.
 */
export type Catalog = {
  snapshot_id: string
  published_at: string
  /** The damaged snapshot that this one replaces, or `unknown`; null normally. */
  fallback_for: string | null
  /** Rows of each table, as counted by the refresh; unique_products if entities are resolved. */
  counts: Readonly<Record<string, number>>
  /** The tables that the snapshot has; one of an earlier refresh may lack some. */
  tables: ReadonlySet<string>
  /** The countries that queries accept. */
  countries: Countries
  as_of: Date
  /** Whether as_of is after every observation, so that the newest price of a listing is its price at as_of. */
  is_latest: boolean
  categories: CategoryResolver
  brands: ReadonlyMap<string, Brand>
  brandsById: ReadonlyMap<number, Brand>
  retailers: ReadonlyMap<string, Retailer>
  /** Platform keys of retailers by id. */
  platforms: ReadonlyMap<number, string>
  reference: Reference
  coverage(): Promise<readonly CoverageCell[]>
  /** The quality of shelves before a day: by `coverage` for the day of as_of, else by shelf-history.ts. */
  qualityBefore(day: string): Promise<readonly ShelfQuality[]>
  /** When a scope was last observed before as_of, RFC 3339; null if never. See observed.ts for brands and types. */
  newestObserved(scope: ObservedScope): Promise<string | null>
  /** The current prices of a country; null if they are not in memory as of as_of. */
  prices(country: string): Listings | null
  /** The products of these. */
  products(country: string): Promise<ProductNumbers>
  /** Its listing-months; null if none are in memory. */
  months(country: string): MonthPrices | null
  /** The days on which a listing was observed, of a country's year; null where only the nodes of a cluster have them. */
  history: ((country: string, year: string) => Promise<(listing_id: number) => readonly PackedDay[]>) | null
  /** The listings of a country as of the newest observation, whatever as_of. */
  listings(country: string): Promise<ListingTable>
  /** The search index of a country, with its listings. */
  search(country: string): Promise<SearchIndex>
  /** The days that the feed of each social platform covers before a day, for a department. */
  socialFeeds(category_root: string, before: string): Promise<PlatformDays[]>
  /** The series of statistical offices, of any country and whenever they were released. */
  officialSeries(): Promise<readonly OfficialSeries[]>
}

/** The part of a catalog that does not depend on the moment. */
export type CatalogNames = Pick<
  Catalog,
  'categories' | 'brands' | 'brandsById' | 'retailers' | 'platforms' | 'reference'
>
