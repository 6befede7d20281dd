import type { Brand, Retailer } from './catalog/catalog.ts'
import { type CatalogNames, type Catalogs, createCatalogs, type SnapshotCatalog } from './catalog/catalogs.ts'
import { type CategoryNode, createCategoryResolver } from './catalog/category.ts'
import { readReference } from './catalog/reference.ts'
import { watchSnapshot } from './damage.ts'
import type { Attached, Database } from './database.ts'
import { EngineError } from './errors.ts'
import { type Lease, takeLease } from './lease.ts'
import { type Manifest, readSealedManifest } from './manifest.ts'
import type { Pointer } from './pointer.ts'
import { Pool, type Row, type RunOptions } from './pool.ts'
import type { Bindings } from './query.ts'
import { variantsFor, withRelations } from './relations.ts'
import { createResolutions } from './resolutions.ts'
import { verifySnapshot } from './verify.ts'
import type { Watch } from './watch.ts'

export type SnapshotOptions = {
  /** Connections, that is statements that run side by side. */
  connections?: number | undefined
  /** Where given, all that planning at this moment needs is read at once, rather than when it is first needed. */
  warm_at?: (() => Date) | undefined
  /** Bytes for names and prices of the snapshots that are open; default half of the memory that the process may use. */
  memory_budget?: number | undefined
}

const NEWEST_POST = "SELECT strftime(max(last_at), '%Y-%m-%dT%H:%M:%SZ') AS newest_post FROM social_day"

/** Where a snapshot is opened, and with what. */
export type Source = { lake: string; database: Database; id: string; pointer?: Pointer | undefined }

/** What an open snapshot holds until it is closed. */
type Held = { manifest: Manifest; lease: Lease; watch: Watch; attached: Attached }

/** One published snapshot, open for reading: its files never change, so neither do its answers. */
export class Snapshot {
  readonly manifest: Manifest
  /** When its newest price was observed, without prices its newest post; RFC 3339, null where it holds neither. */
  readonly newest_observed_at: string | null
  /** Resolves a query unless its resolution is kept. */
  readonly resolve = createResolutions()
  readonly #held: Held
  readonly #pool: Pool
  readonly #names: CatalogNames
  readonly #catalogs: Catalogs
  #running = 0
  #retired = false

  private constructor(held: Held, pool: Pool, names: CatalogNames, newest_post: string | null) {
    this.manifest = held.manifest
    this.newest_observed_at = held.manifest.observed_to ?? newest_post
    this.#held = held
    this.#pool = pool
    this.#names = names
    this.#catalogs = createCatalogs(held.manifest, names, {
      rows: (sql, bindings) => this.run(sql, bindings),
      columns: (sql, bindings) => this.use(() => pool.columns(sql, bindings)),
      texts: (sql, bindings) => this.use(() => pool.texts(sql, bindings)),
    })
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
      if (options.warm_at) await snapshot.load(options.warm_at(), options.memory_budget)
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

  /** Finds which of its files have changed since they were hashed. */
  get watch(): Watch {
    return this.#held.watch
  }

  /** The names and the shelves as they stood at `as_of`; throws NotLoaded where memory lacks what is consulted. */
  catalog(as_of: Date): SnapshotCatalog {
    return this.#catalogs.at(as_of)
  }

  /** Reads into memory all that planning at a moment may need, and current prices where they fit. */
  load(as_of: Date, memory_budget?: number): Promise<void> {
    return this.#catalogs.load(as_of, memory_budget)
  }

  get versions() {
    const { gpc, map_version } = this.#names.reference
    return { gpc_release: gpc.release, map_version }
  }

  /** A statement with the text of the relations that it names, in the variants for these bindings. */
  withRelations(sql: string, bindings: Bindings): string {
    return withRelations(sql, variantsFor(bindings, this.manifest))
  }

  /** Runs one statement, which may name relations (relations.ts). */
  run(sql: string, bindings: Bindings, options: RunOptions = {}): Promise<Row[]> {
    return this.use(() => this.#pool.run(this.withRelations(sql, bindings), bindings, options))
  }

  /** DuckDB's account of a statement: operators with the files and rows they read, in JSON. */
  explain(sql: string, bindings: Bindings): Promise<Row[]> {
    const explained = `EXPLAIN (ANALYZE, FORMAT JSON) ${this.withRelations(sql, bindings)}`
    return this.use(() => this.#pool.run(explained, bindings))
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
}

const readNames = async (pool: Pool): Promise<CatalogNames> => {
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
    brandsById: new Map(brands.map((brand) => [brand.brand_id, brand])),
    retailers: new Map(retailers.map((retailer) => [retailer.platform, retailer])),
    platforms: new Map(retailers.map(({ retailer_id, platform }) => [retailer_id, platform])),
    reference,
  }
}
