import { dateTimeOf } from './answer.ts'
import { type Brand, type Catalog, COVERAGE_DAYS, type CoverageCell, type Retailer } from './catalog/catalog.ts'
import { type CategoryNode, createCategoryResolver } from './catalog/category.ts'
import {
  isPartOfShelves,
  loadParts,
  loadShelves,
  newestOf,
  type ObservedParts,
  type ObservedScope,
} from './catalog/observed.ts'
import { readReference } from './catalog/reference.ts'
import { loadSearchIndex, type SearchIndex } from './catalog/search-index.ts'
import { loadShelfHistories, qualityBefore, type ShelfHistory } from './catalog/shelf-history.ts'
import { currentDays } from './catalog/window.ts'
import { watchSnapshot } from './damage.ts'
import type { Attached, Database } from './database.ts'
import { EngineError } from './errors.ts'
import { type Lease, takeLease } from './lease.ts'
import { type Manifest, readSealedManifest } from './manifest.ts'
import { memoize } from './memoize.ts'
import { pathFor } from './path.ts'
import type { Pointer } from './pointer.ts'
import { Pool, type Row, type RunOptions } from './pool.ts'
import type { Bindings } from './query.ts'
import { verifySnapshot } from './verify.ts'
import type { Watch } from './watch.ts'

export type SnapshotOptions = {
  /** Connections, that is statements that run side by side. */
  connections?: number | undefined
  /** Whether what planning needs of products and of past shelves is read at once, rather than when first needed. Default false. */
  warm?: boolean | undefined
}

const coverageSql = `SELECT * FROM coverage_cell($since::DATE, $before::DATE)
  ORDER BY platform, country, category_root`

/** Moments whose shelves are remembered; a service asks about one day, tests about several. */
const CATALOGS_KEPT = 8
/** Of these in both countries, whole shelves and their parts. */
const OBSERVED_KEPT = 4 * CATALOGS_KEPT
/** The key of all days after the newest observation. */
const LATEST = '9999-12-31'

type Names = Pick<Catalog, 'categories' | 'brands' | 'retailers' | 'platforms' | 'reference'>

const NEWEST_POST = "SELECT strftime(max(last_at), '%Y-%m-%dT%H:%M:%SZ') AS newest_post FROM social_day"

const COUNTRIES = ['us', 'ca'] as const

/** Where a snapshot is opened, and with what. */
export type Source = { lake: string; database: Database; id: string; pointer?: Pointer | undefined }

/** What an open snapshot holds until it is closed. */
type Held = { manifest: Manifest; lease: Lease; watch: Watch; attached: Attached }

/** One published snapshot, open for reading: its files never change, so neither do its answers. */
export class Snapshot {
  readonly manifest: Manifest
  /** When its newest price was observed, without prices its newest post; RFC 3339, null where it holds neither. */
  readonly newest_observed_at: string | null
  readonly #held: Held
  readonly #pool: Pool
  readonly #names: Names
  readonly #coverage = new Map<string, Promise<CoverageCell[]>>()
  readonly #search = new Map<string, Promise<SearchIndex>>()
  readonly #histories = new Map<'all', Promise<ShelfHistory[]>>()
  readonly #observed = new Map<string, Promise<ObservedParts>>()
  #running = 0
  #retired = false

  private constructor(held: Held, pool: Pool, names: Names, newest_post: string | null) {
    this.manifest = held.manifest
    this.newest_observed_at = held.manifest.observed_to ?? newest_post
    this.#held = held
    this.#pool = pool
    this.#names = names
  }

  /**
   * Opens a snapshot after checking its files; the pointer, where it is given, vouches for its manifest. Throws
   * EngineError NOT_READY naming a file that is damaged or missing.
   */
  static async open({ lake, database, id, pointer }: Source, options: SnapshotOptions = {}): Promise<Snapshot> {
    const lease = await takeLease(lake, id)
    try {
      const { manifest } = await readSealedManifest(lake, id, pointer)
      // Before the files are checked: what changes meanwhile is looked at again.
      const watch = await watchSnapshot(lake, manifest)
      await verifySnapshot(lake, manifest)
      const attached = await database.attach(manifest)
      return await Snapshot.#read({ manifest, lease, watch, attached }, options)
    } catch (cause) {
      lease.release()
      throw cause
    }
  }

  static async #read(held: Held, options: SnapshotOptions): Promise<Snapshot> {
    const pool = await Pool.open(held.attached.connect, options.connections ?? 4)
    try {
      const [posts] = (await pool.run(NEWEST_POST, {})) as { newest_post: string | null }[]
      const snapshot = new Snapshot(held, pool, await readNames(pool), posts?.newest_post ?? null)
      if (options.warm) await snapshot.#warm()
      return snapshot
    } catch (cause) {
      pool.close()
      held.attached.detach()
      throw cause
    }
  }

  get id(): string {
    return this.manifest.snapshot_id
  }

  /** Why no lease is held on the snapshot, so that it may be removed while it is open; null where one is. */
  get lease_problem(): string | null {
    return this.#held.lease.problem
  }

  /** Tells which of its files have changed since they were hashed. */
  get watch(): Watch {
    return this.#held.watch
  }

  /** The names and the shelves as they stood at `as_of`. */
  async catalog(as_of: Date): Promise<Omit<Catalog, 'fallback_for'>> {
    const coverage = await this.#coverageAt(as_of)
    const { before } = currentDays(as_of, 0)
    const { snapshot_id, published_at, counts, thin_below } = this.manifest
    return {
      snapshot_id,
      published_at,
      counts,
      as_of,
      is_latest: this.#isLatest(before),
      coverage,
      qualityBefore: async (day) =>
        day === before ? coverage : qualityBefore(await this.#shelfHistories(), day, thin_below),
      newestObserved: (scope) => this.#newestObserved(scope, before),
      ...this.#names,
      lookup: (sql, bindings) => this.run(sql, bindings, as_of),
      search: (country) => this.#searchIn(country),
    }
  }

  get versions() {
    const { gpc, map_version } = this.#names.reference
    return { gpc_release: gpc.release, map_version }
  }

  /** Runs one statement as of a moment: behind the newest observation the listings hold the current prices. */
  async run(sql: string, bindings: Bindings, as_of: Date, options: RunOptions = {}): Promise<Row[]> {
    return this.#ask(sql, bindings, currentDays(as_of, 0).before, options)
  }

  /** Whether every observation lies before this day. */
  #isLatest(before: string): boolean {
    return before > (this.manifest.observed_to?.slice(0, 10) ?? '')
  }

  #ask(sql: string, bindings: Bindings, before: string, options: RunOptions = {}): Promise<Row[]> {
    const path = pathFor(bindings, this.#isLatest(before))
    return this.use(() => this.#pool.run(sql, bindings, { ...options, path }))
  }

  /** Keeps the snapshot open until the work is done. Throws EngineError NOT_READY once it is closed. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#retired && this.#running === 0) throw new EngineError('NOT_READY', 'The snapshot is closed.')
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#retired) this.retire()
    }
  }

  /** Closes the snapshot once the last statement under way has ended. */
  retire(): void {
    this.#retired = true
    if (this.#running > 0) return
    this.#pool.close()
    this.#held.attached.detach()
    this.#held.lease.release()
  }

  async #warm(): Promise<void> {
    for (const country of COUNTRIES) {
      await this.#searchIn(country)
      for (const load of [loadShelves, loadParts]) await this.#observedBefore(LATEST, country, load)
    }
    await this.#shelfHistories()
  }

  async #newestObserved(scope: ObservedScope, before: string): Promise<string | null> {
    const load = isPartOfShelves(scope) ? loadParts : loadShelves
    const moment = this.#isLatest(before) ? LATEST : before
    const newest = newestOf(await this.#observedBefore(moment, scope.country, load), scope)
    return newest === null ? null : dateTimeOf(newest)
  }

  #observedBefore(before: string, country: string, load: typeof loadShelves): Promise<ObservedParts> {
    const read = () => this.use(() => load((sql, bindings) => this.#pool.columns(sql, bindings), country, before))
    return memoize(this.#observed, `${load.name} ${country} ${before}`, read, OBSERVED_KEPT)
  }

  #shelfHistories(): Promise<ShelfHistory[]> {
    return memoize(this.#histories, 'all', () => this.use(() => loadShelfHistories(this.#pool)))
  }

  #searchIn(country: string): Promise<SearchIndex> {
    return memoize(this.#search, country, () => this.use(() => loadSearchIndex(this.#pool, country)))
  }

  #coverageAt(as_of: Date): Promise<CoverageCell[]> {
    const days = currentDays(as_of, COVERAGE_DAYS)
    const read = async () => (await this.#ask(coverageSql, days, days.before)) as CoverageCell[]
    return memoize(this.#coverage, days.before, read, CATALOGS_KEPT)
  }
}

const readNames = async (pool: Pool): Promise<Names> => {
  const [categories, brands, retailers, reference] = await Promise.all([
    pool.run('SELECT * FROM category ORDER BY category_id', {}) as Promise<CategoryNode[]>,
    pool.run('SELECT * FROM brand ORDER BY brand_id', {}) as Promise<Brand[]>,
    pool.run(
      'SELECT * REPLACE (last_observed_at::VARCHAR AS last_observed_at) FROM retailer ORDER BY platform',
      {},
    ) as Promise<Retailer[]>,
    readReference(pool),
  ])
  return {
    categories: createCategoryResolver(categories),
    brands: new Map(brands.map((brand) => [brand.brand_norm, brand])),
    retailers: new Map(retailers.map((retailer) => [retailer.platform, retailer])),
    platforms: new Map(retailers.map(({ retailer_id, platform }) => [retailer_id, platform])),
    reference,
  }
}
