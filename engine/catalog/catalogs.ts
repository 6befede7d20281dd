import { totalmem } from 'node:os'
import { dateTimeOf } from '../answer.ts'
import { isAllBefore, type Manifest } from '../manifest.ts'
import type { Columns, Row } from '../pool.ts'
import type { Bindings } from '../query.ts'
import { INDEX_BYTES, loadSearchIndex, type SearchIndex } from '../search/search-index.ts'
import { type Catalog, type CatalogNames, COVERAGE_DAYS, type CoverageCell } from './catalog.ts'
import { LISTING_BYTES, type Listings, loadListings } from './listings.ts'
import { createMemory } from './memory.ts'
import {
  isPartOfShelves,
  loadParts,
  loadShelves,
  newestOf,
  type ObservedParts,
  type ObservedScope,
} from './observed.ts'
import type { Country } from './scope.ts'
import { loadShelfHistories, qualityBefore, type ShelfHistory } from './shelf-history.ts'
import { loadSocialFeeds, type SocialFeeds } from './social-feeds.ts'
import type { Texts } from './texts.ts'
import { currentDays } from './window.ts'

export const COUNTRIES: readonly Country[] = ['us', 'ca']

/** Runs statements on a snapshot. */
export type SnapshotReader = {
  rows(sql: string, bindings: Bindings): Promise<Row[]>
  columns(sql: string, bindings: Bindings): Promise<Columns>
  texts(sql: string, bindings: Bindings): Promise<Texts>
}

/** A catalog without `fallback_for`, which depends on the lake rather than on the snapshot. */
export type SnapshotCatalog = Omit<Catalog, 'fallback_for'>

const COVERAGE = `SELECT * FROM coverage_cell ORDER BY platform, country, category_root`

/** Days whose coverage is cached; a service mostly plans for one day, others come with `as_of`. */
const MAX_DAYS = 8
/** For each of these days two countries, each by shelf and by part of a shelf. */
const MAX_OBSERVED = 4 * MAX_DAYS
/** Both snapshots are open while one replaces the other. */
const OPEN_AT_ONCE = 2
/** The default memory budget: half of the memory that the process may use, in bytes. */
export const halfOfMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2

/** The key of all days after the newest observation. */
const LATEST = '9999-12-31'

/**
 * Creates the catalogs of one snapshot. Each part is read into memory when it is first needed, or in advance by `load`;
 * a catalog throws NotLoaded for a part that is not loaded yet. Listings in memory answer queries for current prices if
 * they fit into `memory_budget`, in bytes.
 */
export const createCatalogs = (
  manifest: Manifest,
  names: CatalogNames,
  reader: SnapshotReader,
  memory_budget: number,
) => {
  const coverage = createMemory<CoverageCell[]>(MAX_DAYS)
  const observed = createMemory<ObservedParts>(MAX_OBSERVED)
  const search = createMemory<SearchIndex>()
  const listings = createMemory<Listings>()
  const histories = createMemory<ShelfHistory[]>()
  const social = createMemory<SocialFeeds>()

  const listing_bytes = (manifest.counts.listings ?? 0) * (INDEX_BYTES + LISTING_BYTES)
  const isWithinBudget = OPEN_AT_ONCE * listing_bytes <= memory_budget

  const isLatest = (before: string): boolean => isAllBefore(manifest, before)

  const coverageOf = (as_of: Date) => {
    const days = currentDays(as_of, COVERAGE_DAYS)
    return [days.before, async () => (await reader.rows(COVERAGE, days)) as CoverageCell[]] as const
  }
  const observedOf = (before: string, country: Country, load: typeof loadShelves) => {
    const moment = isLatest(before) ? LATEST : before
    return [`${load.name} ${country} ${moment}`, () => load(reader.columns, country, moment)] as const
  }
  const listingsOf = (country: Country) => [country, () => loadListings(reader, country)] as const
  const loadSearch = async (country: Country) =>
    loadSearchIndex(reader, country, {
      listings: await listings.load(...listingsOf(country)),
      brandsById: names.brandsById,
    })
  const searchOf = (country: Country) => [country, () => loadSearch(country)] as const
  const historiesOf = () => ['all', () => loadShelfHistories(reader.columns, names)] as const
  const socialOf = () => ['all', () => loadSocialFeeds(reader)] as const

  const newestObserved = (scope: ObservedScope, before: string): string | null => {
    const load = isPartOfShelves(scope) ? loadParts : loadShelves
    const newest = newestOf(observed.get(...observedOf(before, scope.country, load)), scope)
    return newest === null ? null : dateTimeOf(newest)
  }

  return {
    /** The catalog as of a moment. */
    at(as_of: Date): SnapshotCatalog {
      const { before } = currentDays(as_of, 0)
      const { snapshot_id, published_at, counts, thin_below } = manifest
      const currentCoverage = () => coverage.get(...coverageOf(as_of))
      return {
        snapshot_id,
        published_at,
        counts,
        as_of,
        is_latest: isLatest(before),
        coverage: currentCoverage,
        qualityBefore: (day) =>
          day === before ? currentCoverage() : qualityBefore(histories.get(...historiesOf()), day, thin_below),
        newestObserved: (scope) => newestObserved(scope, before),
        ...names,
        prices: (country) => (isWithinBudget && isLatest(before) ? listings.peek(country) : null),
        listings: (country) => listings.get(...listingsOf(country)),
        search: (country) => search.get(...searchOf(country)),
        socialFeeds: (category_root, day) => social.get(...socialOf())(category_root, day),
      }
    },

    /** Loads all that planning at a moment may need. */
    async load(as_of: Date): Promise<void> {
      const { before } = currentDays(as_of, 0)
      for (const country of COUNTRIES) {
        await search.load(...searchOf(country))
        for (const load of [loadShelves, loadParts]) await observed.load(...observedOf(before, country, load))
      }
      await histories.load(...historiesOf())
      await coverage.load(...coverageOf(as_of))
      await social.load(...socialOf())
    },
  }
}

export type Catalogs = ReturnType<typeof createCatalogs>
