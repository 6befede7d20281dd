import type { CatalogNames } from '../catalog/catalog.ts'
import { type Catalogs, createCatalogs, type Days, halfOfMemory, type SnapshotCatalog } from '../catalog/catalogs.ts'
import type { Admit } from '../catalog/memory.ts'
import { EngineError } from '../contract/errors.ts'
import { type Cluster, type ClusterState, openCluster } from '../counts/cluster/cluster.ts'
import type { NodeRequestOptions } from '../counts/cluster/node.ts'
import { duckdbInterpreter, readableStatements, type SnapshotStatements, statementsOf } from '../counts/duckdb.ts'
import { inMemoryInterpreter, inMemoryOf } from '../counts/in-memory.ts'
import { type AnyReadBy, type BoundStatement, bindSteps, type Interpreter, readAll, stepsFor } from '../counts/read.ts'
import { shardsInterpreter } from '../counts/shards.ts'
import { variantsFor, withRelations } from '../counts/variants.ts'
import { openDatabase, type SnapshotDatabase, type SnapshotDatabaseOptions } from '../duckdb/database.ts'
import { type Bindings, Pool, type Row, type RunOptions, type TakeColumns } from '../duckdb/pool.ts'
import { sharedFiles, watchSnapshot } from '../lake/damage.ts'
import { withoutFacts } from '../lake/facts.ts'
import { type Lease, takeLease } from '../lake/lease.ts'
import { type Manifest, type ManifestFile, readSealedManifest, requireCurrentFormat } from '../lake/manifest.ts'
import type { Pointer } from '../lake/pointer.ts'
import { verifySnapshot } from '../lake/verify.ts'
import type { Watch } from '../lake/watch.ts'
import type { AnyQuery } from '../queries/query.ts'
import { createIndexFiles, type IndexFiles } from '../search/files/index-files.ts'
import { readNames } from './names.ts'
import { createResolutions } from './resolutions.ts'
import { seenCounts } from './seen-counts.ts'

export type SnapshotOptions = SnapshotDatabaseOptions & {
  /** The number of connections, each of which runs one statement at a time. */
  connections?: number | undefined
  /** If given, everything that planning at this moment needs is loaded on opening rather than on first use. */
  warm_at?: (() => Date) | undefined
  /**
   * Bytes that listings and search indexes of all open snapshots may take in memory. What does not fit is read from the
   * files of the lake when it is needed; current prices are then not answered from memory. Default half of the memory
   * available to the process.
   */
  memory_budget?: number | undefined
  /** The ClickHouse cluster that computes the rows of queries over prices, such as `clickhouse://HOST:8123`; default none. */
  cluster?: string | undefined
  /** How the nodes of the cluster are requested. */
  cluster_requests?: NodeRequestOptions | undefined
}

const catalogOptionsOf = ({ memory_budget = halfOfMemory(), warm_at }: SnapshotOptions) => ({
  memory_budget,
  // A single query loads listings only for planning, so it reads current prices from the files like any other.
  has_prices: warm_at !== undefined,
})

const NEWEST_POST = "SELECT strftime(max(last_at), '%Y-%m-%dT%H:%M:%SZ') AS newest_post FROM social_day"

/** Where a snapshot is opened from. */
export type SnapshotLocation = {
  lake: string
  id: string
  pointer?: Pointer | undefined
  /** An open snapshot, whose files are known to be sound. */
  beside?: Snapshot | undefined
  /** Whether its removal is prevented from the start, rather than from `hold` on. Default true. */
  hasLease?: boolean
}

/** What an open snapshot uses and releases when it is closed. */
type Resources = {
  lake: string
  manifest: Manifest
  files: readonly ManifestFile[]
  lease: Lease
  watch: Watch
  database: SnapshotDatabase
  cluster: Cluster | null
}

/** A published snapshot, open for reading. Its files never change, so neither do its answers. */
export class Snapshot {
  readonly manifest: Manifest
  /** When its newest price was observed, or its newest post if there are no prices; RFC 3339, null without either. */
  readonly newest_observed_at: string | null
  /** Resolves a query, or returns its cached resolution. */
  readonly resolve = createResolutions()
  readonly #resources: Resources
  readonly #pool: Pool
  readonly #names: CatalogNames
  readonly #index: IndexFiles
  readonly #catalogs: Catalogs
  readonly #statements: SnapshotStatements
  readonly #files: Interpreter
  /** Reads observed prices, and all else from the files: the cluster, if there is one. */
  readonly #prices: Interpreter
  #running = 0
  #retired = false

  private constructor(
    resources: Resources,
    pool: Pool,
    names: CatalogNames,
    newest_post: string | null,
    options: SnapshotOptions,
  ) {
    const { manifest, cluster } = resources
    this.manifest = manifest
    this.newest_observed_at = manifest.observed_to ?? newest_post
    this.#resources = resources
    this.#pool = pool
    this.#names = names
    this.#index = createIndexFiles(resources.lake, manifest)
    const reader = {
      rows: (sql: string, bindings: Bindings) => this.run(sql, bindings),
      columns: (sql: string, bindings: Bindings) => this.use(() => pool.columns(sql, bindings)),
      each: (sql: string, bindings: Bindings, take: TakeColumns) => this.use(() => pool.each(sql, bindings, take)),
      indexFile: this.#index.open,
      seenCounts: cluster ? (days: Days) => seenCounts(this.#prices, manifest, days) : undefined,
    }
    this.#statements = {
      columns: (sql, bindings, of) => pool.columns(this.withRelations(sql, bindings), bindings, of),
      rows: (sql, bindings, of) => pool.run(this.withRelations(sql, bindings), bindings, of),
    }
    this.#files = duckdbInterpreter(this.#statements)
    this.#prices = cluster ? shardsInterpreter(cluster, this.#files) : this.#files
    this.#catalogs = createCatalogs(manifest, names, reader, catalogOptionsOf(options))
  }

  /**
   * Opens a snapshot after checking its files, and its manifest against the pointer if given. Throws EngineError NOT_READY
   * naming a file that is damaged or missing.
   */
  static async open(
    { lake, id, pointer, beside, hasLease = true }: SnapshotLocation,
    options: SnapshotOptions = {},
  ): Promise<Snapshot> {
    const lease: Lease = hasLease ? await takeLease(lake, id) : { problem: null, release: () => {} }
    try {
      const sealed = await readSealedManifest(lake, id, pointer)
      const { manifest } = sealed
      requireCurrentFormat(lake, manifest)
      // Before the files are hashed: a snapshot that is not loaded yet is opened again and again.
      const cluster = options.cluster ? await openCluster(options.cluster, sealed, options.cluster_requests) : null
      // Started before the files are checked, so that changes during the check are detected later.
      const files = cluster ? withoutFacts(manifest) : manifest.files
      const watch = await watchSnapshot(lake, { ...manifest, files })
      const isSound = beside && (await sharedFiles(lake, id, beside))
      await verifySnapshot(lake, manifest, { files, isSound })
      const database = await openDatabase(lake, manifest, { ...options, has_facts: cluster === null })
      return await Snapshot.#read({ lake, manifest, files, lease, watch, database, cluster }, options)
    } catch (cause) {
      lease.release()
      throw cause
    }
  }

  static async #read(resources: Resources, options: SnapshotOptions): Promise<Snapshot> {
    const pool = await Pool.open(resources.database.connect, options.connections ?? 4)
    try {
      const [posts] = (await pool.run(NEWEST_POST, {})) as { newest_post: string | null }[]
      const snapshot = new Snapshot(resources, pool, await readNames(pool), posts?.newest_post ?? null, options)
      if (options.warm_at) await snapshot.#warm(options.warm_at())
      return snapshot
    } catch (cause) {
      pool.close()
      resources.database.close()
      throw cause
    }
  }

  async #warm(as_of: Date): Promise<void> {
    try {
      await this.load(as_of)
    } catch (cause) {
      this.#index.close()
      throw cause
    }
  }

  get id(): string {
    return this.manifest.snapshot_id
  }

  /** Why there is no lease on the snapshot, so that it may be removed while it is open; null if there is one. */
  get lease_problem(): string | null {
    return this.#resources.lease.problem
  }

  /** Whether listings and search index fit into the memory budget; else they are read from files when they are needed. */
  get has_listings_in_memory(): boolean {
    return this.#catalogs.isWithinBudget
  }

  /** Its files that are read: with a cluster, all but those of observed prices. */
  get files(): readonly ManifestFile[] {
    return this.#resources.files
  }

  /** Detects which of these have changed since they were hashed. */
  get watch(): Watch {
    return this.#resources.watch
  }

  /** The names and shelves as of `as_of`. `admit` decides when parts that are not in memory are loaded. */
  catalog(as_of: Date, admit?: Admit): SnapshotCatalog {
    return this.#catalogs.at(as_of, admit)
  }

  /** Loads everything that planning at a moment may need. */
  load(as_of: Date): Promise<void> {
    return this.#catalogs.load(as_of)
  }

  get versions() {
    const { gpc, map_version } = this.#names.reference
    return { gpc_release: gpc.release, map_version }
  }

  /** A statement with the relations that it names, in the variants for these bindings. */
  withRelations(sql: string, bindings: Bindings): string {
    return withRelations(sql, variantsFor(bindings, this.manifest))
  }

  /** Runs one statement, which may name relations (relations.ts). */
  run(sql: string, bindings: Bindings, options: RunOptions = {}): Promise<Row[]> {
    return this.use(() => this.#pool.run(this.withRelations(sql, bindings), bindings, options))
  }

  /** Reads what a query declares; with a catalog, from memory what is there. */
  read(query: AnyQuery, bindings: Bindings, options: RunOptions, catalog?: SnapshotCatalog): Promise<AnyReadBy> {
    const inMemory = catalog && inMemoryOf(catalog, String(bindings.country), this.#statements.columns)
    const prices = inMemory ? inMemoryInterpreter(inMemory, this.#prices) : this.#prices
    return this.use(() => readAll(query, bindings, prices, options))
  }

  /** Checks the nodes of the cluster; null without one. */
  async checkCluster(): Promise<ClusterState | null> {
    return (await this.#resources.cluster?.check()) ?? null
  }

  /** The texts of the statements that read what a query declares. */
  texts(query: AnyQuery, bindings: Bindings): string[] {
    const statements = stepsFor(query, bindings).flatMap((step) => statementsOf(step, bindings))
    return statements.map((sql) => this.withRelations(sql, bindings))
  }

  /** A statement for each declaration of a query, with its values; the steps before the last are run for them. */
  async statements(query: AnyQuery, bindings: Bindings): Promise<BoundStatement[]> {
    const steps = await this.use(() => bindSteps(query, bindings, this.#files))
    return steps.flatMap(([step, values]) =>
      Object.entries(readableStatements(step, values)).map(([reads, sql]) => ({
        reads,
        sql: this.withRelations(sql, values),
        bindings: values,
      })),
    )
  }

  /** DuckDB's profile in JSON of each statement that is run for a query: operators with the files and rows they read. */
  explain(query: AnyQuery, bindings: Bindings): Promise<Row[][]> {
    return this.use(async () => {
      const profiles: Row[][] = []
      for (const [step, values] of await bindSteps(query, bindings, this.#files))
        for (const sql of statementsOf(step, values).map((one) => this.withRelations(one, values)))
          profiles.push(await this.#pool.run(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values))
      return profiles
    })
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

  /** Prevents its removal, where it was opened without a lease. */
  async hold(): Promise<void> {
    this.#resources.lease = await takeLease(this.#resources.lake, this.id)
  }

  /** Closes the snapshot when the last running statement has ended. */
  retire(): void {
    this.#retired = true
    if (this.#running > 0) return
    this.#index.close()
    this.#pool.close()
    this.#resources.database.close()
    this.#resources.lease.release()
  }
}
