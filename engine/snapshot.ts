import { resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
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
import { EngineError } from './errors.ts'
import { type Manifest, readManifest, snapshotFolder } from './manifest.ts'
import { memoize } from './memoize.ts'
import { GENERAL, pathFor, schemas } from './path.ts'
import { Pool, type Row, type RunOptions } from './pool.ts'
import type { Bindings } from './query.ts'
import { definitionsFor } from './tables.ts'
import { verifySnapshot } from './verify.ts'

export type SnapshotOptions = {
  /** DuckDB threads; default every core. */
  threads?: number | undefined
  /** DuckDB memory limit, such as `2GiB`. */
  memory_limit?: string | undefined
  /** Connections, that is statements that run side by side. */
  connections?: number | undefined
  /** Whether file hashes are checked before anything is served. Default true. */
  verify?: boolean | undefined
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

/** One published snapshot, open for reading: its files never change, so neither do its answers. */
export class Snapshot {
  readonly manifest: Manifest
  /** When its newest price was observed, without prices its newest post; RFC 3339, null where it holds neither. */
  readonly newest_observed_at: string | null
  readonly #instance: DuckDBInstance
  readonly #pool: Pool
  readonly #names: Names
  readonly #coverage = new Map<string, Promise<CoverageCell[]>>()
  readonly #search = new Map<string, Promise<SearchIndex>>()
  readonly #histories = new Map<'all', Promise<ShelfHistory[]>>()
  readonly #observed = new Map<string, Promise<ObservedParts>>()
  #running = 0
  #retired = false

  private constructor(
    manifest: Manifest,
    instance: DuckDBInstance,
    pool: Pool,
    names: Names,
    newest_post: string | null,
  ) {
    this.manifest = manifest
    this.newest_observed_at = manifest.observed_to ?? newest_post
    this.#instance = instance
    this.#pool = pool
    this.#names = names
  }

  /** Opens a snapshot after checking its files. Throws EngineError NOT_READY naming a file that is damaged or missing. */
  static async open(lake: string, id: string, options: SnapshotOptions = {}): Promise<Snapshot> {
    const manifest = await readManifest(lake, id)
    if (options.verify ?? true) await verifySnapshot(lake, manifest)
    const folder = resolve(snapshotFolder(lake, id))
    const instance = await DuckDBInstance.create(':memory:', {
      ...(options.threads ? { threads: String(options.threads) } : {}),
      ...(options.memory_limit ? { memory_limit: options.memory_limit } : {}),
    })
    await prepare(instance, folder, manifest)
    const pool = await Pool.open(instance, folder, options.connections ?? 4)
    const [posts] = (await pool.run(NEWEST_POST, {})) as { newest_post: string | null }[]
    const snapshot = new Snapshot(manifest, instance, pool, await readNames(pool), posts?.newest_post ?? null)
    if (options.warm) await snapshot.#warm()
    return snapshot
  }

  /** The names and the shelves as they stood at `as_of`. */
  async catalog(as_of: Date): Promise<Catalog> {
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
    this.#instance.closeSync()
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

/** Defines views and macros. From here on only the snapshot's own folder can be read and no setting be changed. */
const prepare = async (instance: DuckDBInstance, folder: string, manifest: Manifest): Promise<void> => {
  const connection = await instance.connect()
  await connection.run('SET VARIABLE snapshot = $folder::VARCHAR', { folder })
  await connection.run(`CREATE MACRO thin_below() AS ${manifest.thin_below}`)
  await connection.run(schemas.map((name) => `CREATE SCHEMA ${name};`).join(' '))
  await connection.run(`SET search_path = '${GENERAL}'`)
  await connection.run(definitionsFor(manifest.files))
  await connection.run(`SET allowed_directories = ['${folder.replaceAll("'", "''")}']`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  connection.closeSync()
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
