import { totalmem } from 'node:os'
import { currentDays } from '../contract/window.ts'
import type { Bindings, Columns, Row, TakeColumns } from '../duckdb/pool.ts'
import { countriesOf } from '../lake/countries.ts'
import { isAllBefore, type Manifest } from '../lake/manifest.ts'
import type { OpenIndexFile } from '../search/files/index-files.ts'
import { LISTING_BYTES, loadListings, openListings } from '../search/listings.ts'
import { INDEX_BYTES, openSearchIndex } from '../search/search-index.ts'
import { dateTimeOf } from './answer.ts'
import { type Catalog, type CatalogNames, COVERAGE_DAYS, type CoverageCell } from './catalog.ts'
import { openHistory } from './history.ts'
import { type Admit, admitAtOnce, createMemory } from './memory.ts'
import { loadMonthPrices } from './month-prices.ts'
import { isPartOfShelves, loadParts, loadShelves, newestOf } from './observed.ts'
import { loadOfficialSeries } from './official-series.ts'
import { loadProductNumbers } from './product-numbers.ts'
import { loadShelfHistories, qualityBefore } from './shelf-history.ts'
import { loadSocialFeeds } from './social-feeds.ts'

/** Runs statements on a snapshot. */
export type SnapshotReader = {
  rows(sql: string, bindings: Bindings): Promise<Row[]>
  columns(sql: string, bindings: Bindings): Promise<Columns>
  each(sql: string, bindings: Bindings, take: TakeColumns): Promise<void>
  /** Opens a file of the index of a country. */
  indexFile: OpenIndexFile
  /** What the nodes of a cluster count of the listings seen in some days, where only they have the observations. */
  seenCounts?: ((days: Days) => Promise<unknown>) | undefined
}

export type CatalogOptions = {
  /** Bytes that the listings and search indexes of all open snapshots may take in memory. */
  memory_budget: number
  /** Whether current prices are answered from memory if they are there. */
  has_prices: boolean
}

/** A catalog without `fallback_for`, which depends on the lake rather than on the snapshot. */
export type SnapshotCatalog = Omit<Catalog, 'fallback_for'>

const COVERAGE = `SELECT * FROM coverage_cell ORDER BY platform, country, category_root`

/** Days whose coverage is cached; a service mostly plans for one day, others come with `as_of`. */
const MAX_COVERAGE_DAYS = 8
/** Beyond the budget only of two days: parts of shelves may be as many as a tenth of the listings. */
const MAX_MOMENT_DAYS_BEYOND_BUDGET = 2
/** Both snapshots are open while one replaces the other. */
export const OPEN_AT_ONCE = 2
/** The default memory budget: half of the memory that the process may use, in bytes. */
export const halfOfMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2

const listingCount = ({ counts }: Manifest): number => counts.listings ?? 0

/** The bytes of a budget that the listings and search index of a snapshot leave. */
const leftOf = (memory_budget: number, manifest: Manifest): number =>
  memory_budget / OPEN_AT_ONCE - listingCount(manifest) * (INDEX_BYTES + LISTING_BYTES)

/** Whether the listings and search indexes of snapshots of this size fit into a budget. */
const fitsInto = (memory_budget: number, manifest: Manifest): boolean => leftOf(memory_budget, manifest) >= 0

/** The days [since, before). */
export type Days = { since: string; before: string }
type CountryMoment = { country: string; before: string }
type CountryYear = { country: string; year: string }

/** All days after the newest observation. */
const LATEST = '9999-12-31'
/** The key of a part that is read as a whole. */
const WHOLE = 'whole'

/**
 * Creates the catalogs of one snapshot. Each part is read into memory when it is first needed, or in advance by `load`.
 * If the listings and their search index do not fit into the memory budget, they are read from their files when they are
 * needed, in the same way.
 */
export const createCatalogs = (
  manifest: Manifest,
  names: CatalogNames,
  reader: SnapshotReader,
  { memory_budget, has_prices }: CatalogOptions,
) => {
  const isWithinBudget = fitsInto(memory_budget, manifest)
  const countries = countriesOf(manifest)
  const tables = new Set(manifest.files.map(({ path }) => /^[^./]+/.exec(path)?.[0] ?? path))
  // Of each of these days all countries.
  const maxMoments = countries.size * (isWithinBudget ? MAX_COVERAGE_DAYS : MAX_MOMENT_DAYS_BEYOND_BUDGET)

  const coverage = createMemory(async (days: Days) => {
    const seen = isLatest(days.before) ? null : await reader.seenCounts?.(days)
    const seen_counts = seen ? JSON.stringify(seen) : null
    return (await reader.rows(COVERAGE, { ...days, seen_counts })) as CoverageCell[]
  }, MAX_COVERAGE_DAYS)
  const shelves = createMemory(
    ({ country, before }: CountryMoment) => loadShelves(reader.columns, country, before),
    maxMoments,
  )
  const parts = createMemory(
    ({ country, before }: CountryMoment) => loadParts(reader.columns, country, before),
    maxMoments,
  )
  const listings = createMemory(async (country: string) => {
    const file = await reader.indexFile('listing_columns', country)
    return isWithinBudget ? loadListings(file) : openListings(file, await reader.indexFile('listing_deals', country))
  })
  const search = createMemory(async (country: string) => {
    const table = await listings.get(country)
    const files = {
      words: await reader.indexFile('search_words', country),
      postings: await reader.indexFile('search_postings', country),
      keys: await reader.indexFile('search_keys', country),
      places: await reader.indexFile('search_places', country),
      texts: await reader.indexFile('listing_texts', country),
    }
    return openSearchIndex(files, { table, brandsById: names.brandsById }, isWithinBudget)
  })
  const months = createMemory(async (country: string) => {
    const { in_memory } = await listings.get(country)
    const share = in_memory!.price.length / Math.max(1, listingCount(manifest))
    const bytes = share * leftOf(memory_budget, manifest)
    const file = await reader.indexFile('month_columns', country)
    const read = { listings: in_memory!, file }
    return loadMonthPrices(reader, country, read, { bytes, hasDays: tables.has('listing_days') })
  })
  const products = createMemory(async (country: string) => {
    const { in_memory } = await listings.get(country)
    return loadProductNumbers(reader.columns, country, in_memory!)
  })
  const days = createMemory(({ country, year }: CountryYear) => openHistory(reader.indexFile, country, year))
  const hasMonths = has_prices && isWithinBudget && !reader.seenCounts
  const histories = createMemory(() => loadShelfHistories(reader.columns, names))
  const social = createMemory(() => loadSocialFeeds(reader))
  const official = createMemory(() => loadOfficialSeries(reader))

  const isLatest = (before: string): boolean => isAllBefore(manifest, before)
  const momentIn = (country: string, before: string): CountryMoment => ({
    country,
    before: isLatest(before) ? LATEST : before,
  })

  return {
    /** Whether listings and search indexes fit into the memory budget. */
    isWithinBudget,

    /** The catalog as of a moment. `admit` decides when its parts are loaded. */
    at(as_of: Date, admit: Admit = admitAtOnce): SnapshotCatalog {
      const { before } = currentDays(as_of, 0)
      const { snapshot_id, published_at, counts, thin_below } = manifest
      const currentCoverage = () => coverage.get(currentDays(as_of, COVERAGE_DAYS), admit)
      return {
        snapshot_id,
        published_at,
        counts,
        tables,
        countries,
        as_of,
        is_latest: isLatest(before),
        coverage: currentCoverage,
        qualityBefore: async (day) =>
          day === before ? currentCoverage() : qualityBefore(await histories.get(WHOLE, admit), day, thin_below),
        async newestObserved(scope) {
          const memory = isPartOfShelves(scope) ? parts : shelves
          const newest = newestOf(await memory.get(momentIn(scope.country, before), admit), scope)
          return newest === null ? null : dateTimeOf(newest)
        },
        ...names,
        prices: (country) => (has_prices && isLatest(before) ? (listings.peek(country)?.in_memory ?? null) : null),
        products: (country) => products.get(country),
        months: (country) => months.peek(country),
        history: reader.seenCounts ? null : (country, year) => days.get({ country, year }),
        listings: (country) => listings.get(country, admit),
        search: (country) => search.get(country, admit),
        socialFeeds: async (category_root, day) => (await social.get(WHOLE, admit))(category_root, day),
        officialSeries: () => official.get(WHOLE, admit),
      }
    },

    /** Loads all that planning at a moment may need, and the prices that are answered from memory. */
    async load(as_of: Date): Promise<void> {
      const { before } = currentDays(as_of, 0)
      for (const country of countries.keys()) {
        await search.get(country)
        await shelves.get(momentIn(country, before))
        await parts.get(momentIn(country, before))
        if (hasMonths) await months.get(country)
      }
      await histories.get(WHOLE)
      await coverage.get(currentDays(as_of, COVERAGE_DAYS))
      await social.get(WHOLE)
      await official.get(WHOLE)
    },
  }
}

export type Catalogs = ReturnType<typeof createCatalogs>
