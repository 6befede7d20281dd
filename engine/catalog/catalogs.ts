import { totalmem } from 'node:os'
import { dateTimeOf } from '../answer.ts'
import { EngineError } from '../errors.ts'
import { isAllBefore, type Manifest } from '../manifest.ts'
import type { Columns, Row, TakeColumns } from '../pool.ts'
import type { Bindings } from '../query.ts'
import { INDEX_BYTES, loadSearchIndex, type SearchIndex } from '../search/search-index.ts'
import { requireSpace, TemporaryFiles } from '../temporary/temporary-files.ts'
import { type Catalog, type CatalogNames, COVERAGE_DAYS, type CoverageCell } from './catalog.ts'
import { LISTING_BYTES, type ListingTable, loadListings } from './listings.ts'
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
import { storeListings } from './stored-listings.ts'
import type { Texts } from './texts.ts'
import { currentDays } from './window.ts'

export const COUNTRIES: readonly Country[] = ['us', 'ca']

/** Runs statements on a snapshot. */
export type SnapshotReader = {
  rows(sql: string, bindings: Bindings): Promise<Row[]>
  columns(sql: string, bindings: Bindings): Promise<Columns>
  longColumns(sql: string, bindings: Bindings): Promise<Columns>
  each(sql: string, bindings: Bindings, take: TakeColumns): Promise<void>
  texts(sql: string, bindings: Bindings): Promise<Texts>
}

export type CatalogOptions = {
  /** Bytes that the listings and search indexes of all open snapshots may take in memory. */
  memory_budget: number
  /** Whether current prices are answered from memory if they are there. */
  has_prices: boolean
  /** The folder for temporary files; default the system's. */
  temporary_folder?: string | undefined
}

/** A catalog without `fallback_for`, which depends on the lake rather than on the snapshot. */
export type SnapshotCatalog = Omit<Catalog, 'fallback_for'>

const COVERAGE = `SELECT * FROM coverage_cell ORDER BY platform, country, category_root`

/** Days whose coverage is cached; a service mostly plans for one day, others come with `as_of`. */
const MAX_DAYS = 8
/** For each of these days two countries, each by shelf and by part of a shelf. */
const MAX_OBSERVED = 4 * MAX_DAYS
/** Beyond the budget only of two days: parts of shelves may be as many as a tenth of the listings. */
const MAX_OBSERVED_BEYOND_BUDGET = 8
/** Both snapshots are open while one replaces the other. */
const OPEN_AT_ONCE = 2
/** Estimated size of the temporary files, in bytes per listing. */
const TEMPORARY_BYTES = 500
/** The default memory budget: half of the memory that the process may use, in bytes. */
export const halfOfMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2

const listingCount = ({ counts }: Manifest): number => counts.listings ?? 0

const temporaryBytesOf = (manifest: Manifest): number => listingCount(manifest) * TEMPORARY_BYTES

/** Whether the listings and search indexes of snapshots of this size fit into a budget. */
const fitsInto = (memory_budget: number, manifest: Manifest): boolean =>
  OPEN_AT_ONCE * listingCount(manifest) * (INDEX_BYTES + LISTING_BYTES) <= memory_budget

/** Throws EngineError NOT_READY if a snapshot needs temporary files and their folder has no space for them. */
export const requireTemporarySpace = (
  manifest: Manifest,
  { memory_budget, temporary_folder }: Omit<CatalogOptions, 'has_prices'>,
): void => {
  if (fitsInto(memory_budget, manifest)) return
  requireSpace({ folder: temporary_folder, expected_bytes: temporaryBytesOf(manifest) })
}

/** The key of all days after the newest observation. */
const LATEST = '9999-12-31'

/**
 * Creates the catalogs of one snapshot. Each part is read into memory when it is first needed, or in advance by `load`;
 * a catalog throws NotLoaded for a part that is not loaded yet. If the listings and their search index do not fit into
 * the memory budget, they are written to temporary files instead and read from there, in the same way.
 */
export const createCatalogs = (
  manifest: Manifest,
  names: CatalogNames,
  reader: SnapshotReader,
  { memory_budget, has_prices, temporary_folder }: CatalogOptions,
) => {
  const isWithinBudget = fitsInto(memory_budget, manifest)
  const coverage = createMemory<CoverageCell[]>(MAX_DAYS)
  const observed = createMemory<ObservedParts>(isWithinBudget ? MAX_OBSERVED : MAX_OBSERVED_BEYOND_BUDGET)
  const search = createMemory<SearchIndex>()
  const listings = createMemory<ListingTable>()
  const histories = createMemory<ShelfHistory[]>()
  const social = createMemory<SocialFeeds>()

  const openFiles = (): TemporaryFiles =>
    new TemporaryFiles({
      folder: temporary_folder,
      expected_bytes: temporaryBytesOf(manifest),
      onDamage() {
        temporary.close()
        temporary = openFiles()
        search.clear()
        listings.clear()
      },
    })
  let temporary = openFiles()

  const isLatest = (before: string): boolean => isAllBefore(manifest, before)

  const coverageOf = (as_of: Date) => {
    const days = currentDays(as_of, COVERAGE_DAYS)
    return [days.before, async () => (await reader.rows(COVERAGE, days)) as CoverageCell[]] as const
  }
  const observedOf = (before: string, country: Country, load: typeof loadShelves) => {
    const moment = isLatest(before) ? LATEST : before
    return [`${load.name} ${country} ${moment}`, () => load(reader.columns, country, moment)] as const
  }
  const loadTable = (country: Country): Promise<ListingTable> => {
    return isWithinBudget ? loadListings(reader, country) : storeListings(reader, country, temporary)
  }
  const listingsOf = (country: Country) => [country, () => loadTable(country)] as const
  const loadSearch = async (country: Country) => {
    const table = await listings.load(...listingsOf(country))
    const files = temporary
    const { brandsById } = names
    const index = await loadSearchIndex(reader, country, { table, brandsById }, isWithinBudget ? null : files)
    // Files were found damaged meanwhile, and all of them closed.
    if (files !== temporary) throw new EngineError('NOT_READY', 'The search index is being made again. Retry later.')
    return index
  }
  const searchOf = (country: Country) => [country, () => loadSearch(country)] as const
  const historiesOf = () => ['all', () => loadShelfHistories(reader.columns, names)] as const
  const socialOf = () => ['all', () => loadSocialFeeds(reader)] as const

  const newestObserved = (scope: ObservedScope, before: string): string | null => {
    const load = isPartOfShelves(scope) ? loadParts : loadShelves
    const newest = newestOf(observed.get(...observedOf(before, scope.country, load)), scope)
    return newest === null ? null : dateTimeOf(newest)
  }

  return {
    /** Whether listings and search indexes fit into the memory budget. */
    isWithinBudget,

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
        prices: (country) => (has_prices && isLatest(before) ? (listings.peek(country)?.in_memory ?? null) : null),
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

    /** Closes the temporary files. */
    close: (): void => temporary.close(),
  }
}

export type Catalogs = ReturnType<typeof createCatalogs>
