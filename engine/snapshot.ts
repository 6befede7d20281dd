import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type Brand, type Catalog, COVERAGE_DAYS, type CoverageCell, type Retailer } from './catalog/catalog.ts'
import { type CategoryNode, createCategoryResolver } from './catalog/category.ts'
import { readReference } from './catalog/reference.ts'
import { loadSearchIndex, type SearchIndex } from './catalog/search-index.ts'
import { currentDays } from './catalog/window.ts'
import { EngineError } from './errors.ts'
import { type Manifest, readManifest, snapshotFolder, verifySnapshot } from './manifest.ts'
import { GENERAL, pathFor, schemas } from './path.ts'
import { Pool, type Row, type RunOptions } from './pool.ts'
import type { Bindings } from './query.ts'

export type SnapshotOptions = {
  /** DuckDB threads; default every core. */
  threads?: number | undefined
  /** DuckDB memory limit, such as `2GiB`. */
  memory_limit?: string | undefined
  /** Connections, that is statements that run side by side. */
  connections?: number | undefined
  /** Whether file hashes are checked before anything is served. Default true. */
  verify?: boolean | undefined
  /** Whether the search index is read at once, rather than with the first question about a product. Default false. */
  warm?: boolean | undefined
}

const read = (name: string): string => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')
/** In the order in which they build on each other. */
const parts =
  'statistics schema reference search current scope coverage listing-type listing-period series observed product social'
const setup = parts.split(' ').map(read).join('\n')
const coverageSql = `SELECT * FROM coverage_cell($since::DATE, $before::DATE)
  ORDER BY platform, country, category_root`

/** Moments whose shelves are remembered; a service asks about one day, tests about several. */
const CATALOGS_KEPT = 8

type Names = Pick<Catalog, 'categories' | 'brands' | 'retailers' | 'platforms' | 'reference'>

const COUNTRIES = ['us', 'ca'] as const

/** The promise kept under a key, else a new one, which is forgotten if it fails. */
const remembered = <T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> => {
  const found = known.get(key)
  if (found) return found
  const made = make()
  known.set(key, made)
  made.catch(() => known.delete(key))
  return made
}

/** One published snapshot, open for reading: its files never change, so neither do its answers. */
export class Snapshot {
  readonly manifest: Manifest
  readonly #instance: DuckDBInstance
  readonly #pool: Pool
  readonly #names: Names
  readonly #coverage = new Map<string, Promise<CoverageCell[]>>()
  readonly #search = new Map<string, Promise<SearchIndex>>()
  #running = 0
  #retired = false

  private constructor(manifest: Manifest, instance: DuckDBInstance, pool: Pool, names: Names) {
    this.manifest = manifest
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
    const snapshot = new Snapshot(manifest, instance, pool, await readNames(pool))
    if (options.warm) for (const country of COUNTRIES) await snapshot.#searchIn(country)
    return snapshot
  }

  /** The names and the shelves as they stood at `as_of`. */
  async catalog(as_of: Date): Promise<Catalog> {
    const coverage = await this.#coverageAt(as_of)
    const { snapshot_id, published_at, counts } = this.manifest
    return {
      snapshot_id,
      published_at,
      counts,
      as_of,
      is_latest: this.#isLatest(currentDays(as_of, 0).before),
      coverage,
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

  #searchIn(country: string): Promise<SearchIndex> {
    return remembered(this.#search, country, () => this.use(() => loadSearchIndex(this.#pool, country)))
  }

  #coverageAt(as_of: Date): Promise<CoverageCell[]> {
    const days = currentDays(as_of, COVERAGE_DAYS)
    const cells = remembered(this.#coverage, days.before, async () => {
      const rows = await this.#ask(coverageSql, days, days.before)
      return rows as CoverageCell[]
    })
    const [oldest] = this.#coverage.keys()
    if (this.#coverage.size > CATALOGS_KEPT && oldest) this.#coverage.delete(oldest)
    return cells
  }
}

/** Defines views and macros. From here on only the snapshot's own folder can be read and no setting be changed. */
const prepare = async (instance: DuckDBInstance, folder: string, { thin_below }: Manifest): Promise<void> => {
  const connection = await instance.connect()
  await connection.run('SET VARIABLE snapshot = $folder::VARCHAR', { folder })
  await connection.run(`CREATE MACRO thin_below() AS ${thin_below}`)
  await connection.run(schemas.map((name) => `CREATE SCHEMA ${name};`).join(' '))
  await connection.run(`SET search_path = '${GENERAL}'`)
  await connection.run(setup)
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
