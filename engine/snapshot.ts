import { resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Brand, Catalog, Retailer } from './catalog/catalog.ts'
import { type Catalogs, createCatalogs, type Names } from './catalog/catalogs.ts'
import { type CategoryNode, createCategoryResolver } from './catalog/category.ts'
import { readReference } from './catalog/reference.ts'
import { currentDays } from './catalog/window.ts'
import { EngineError } from './errors.ts'
import { type Manifest, readManifest, snapshotFolder, verifySnapshot } from './manifest.ts'
import { GENERAL, pathFor, schemas } from './path.ts'
import { Pool, type Row, type RunOptions } from './pool.ts'
import type { Bindings } from './query.ts'
import { definitionsFor } from './tables.ts'

export type SnapshotOptions = {
  /** DuckDB threads; default every core. */
  threads?: number | undefined
  /** DuckDB memory limit, such as `2GiB`. */
  memory_limit?: string | undefined
  /** Connections, that is statements that run side by side. */
  connections?: number | undefined
  /** Whether file hashes are checked before anything is served. Default true. */
  verify?: boolean | undefined
}

const NEWEST_POST = "SELECT strftime(max(last_at), '%Y-%m-%dT%H:%M:%SZ') AS newest_post FROM social_day"

/** One published snapshot, open for reading: its files never change, so neither do its answers. */
export class Snapshot {
  readonly manifest: Manifest
  /** When its newest price was observed, without prices its newest post; RFC 3339, null where it holds neither. */
  readonly newest_observed_at: string | null
  readonly #instance: DuckDBInstance
  readonly #pool: Pool
  readonly #names: Names
  readonly #catalogs: Catalogs
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
    this.#catalogs = createCatalogs(manifest, names, {
      rows: (sql, bindings, before) => this.#ask(sql, bindings, before),
      columns: (sql, bindings) => this.use(() => pool.columns(sql, bindings)),
      texts: (sql, bindings) => this.use(() => pool.texts(sql, bindings)),
    })
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
    return new Snapshot(manifest, instance, pool, await readNames(pool), posts?.newest_post ?? null)
  }

  /** The names and the shelves as they stood at `as_of`; throws NotLoaded where memory lacks what is consulted. */
  catalog(as_of: Date): Catalog {
    return this.#catalogs.at(as_of)
  }

  /** Reads into memory all that planning at a moment may need. */
  load(as_of: Date): Promise<void> {
    return this.#catalogs.load(as_of)
  }

  get versions() {
    const { gpc, map_version } = this.#names.reference
    return { gpc_release: gpc.release, map_version }
  }

  /** Runs one statement as of a moment: behind the newest observation the listings hold the current prices. */
  async run(sql: string, bindings: Bindings, as_of: Date, options: RunOptions = {}): Promise<Row[]> {
    return this.#ask(sql, bindings, currentDays(as_of, 0).before, options)
  }

  #ask(sql: string, bindings: Bindings, before?: string, options: RunOptions = {}): Promise<Row[]> {
    const path = before === undefined ? undefined : pathFor(bindings, this.#catalogs.isLatest(before))
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
