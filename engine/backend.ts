import type { CatalogNames } from './catalog/catalog.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { Bindings, Row, RunOptions } from './pool.ts'
import { type AnyQuery, one } from './query.ts'

/**
 * Computes the rows of queries over one snapshot. Whatever computes them, they are the same rows; names, planning, reference
 * and social posts are always read from the snapshot's own files.
 */
export type Backend = {
  readonly dialect: 'duckdb' | 'clickhouse'
  /** The rows of a query's statement. Throws EngineError NOT_READY when cancelled, or where a part cannot be computed. */
  rows(query: AnyQuery, bindings: Bindings, options: RunOptions): Promise<readonly Row[]>
}

/** Runs one statement of a query on a snapshot. */
export type RunStatement = (sql: string, bindings: Bindings, options?: RunOptions) => Promise<Row[]>

/** Runs the query's `first` statement: its row and the bindings derived from it; both are empty without one. */
export const runFirstStatement = async (
  { first }: AnyQuery,
  bindings: Bindings,
  run: RunStatement,
  options?: RunOptions,
): Promise<{ row: Row; bindings: Bindings }> => {
  if (!first) return { row: {}, bindings: {} }
  const row = one(await run(first.sql, bindings, options))
  return { row, bindings: first.bindings(row) }
}

/** Computes rows by the statements of queries. */
export const duckdbBackend = (run: RunStatement): Backend => ({
  dialect: 'duckdb',
  async rows(query, bindings, options) {
    const { row, bindings: further } = await runFirstStatement(query, bindings, run, options)
    const rows = await run(query.sql, { ...bindings, ...further }, options)
    return rows.map((columns) => ({ ...row, ...columns }))
  },
})

/** Computes the rows of queries over listings and observations on a cluster, and all others by their statements. */
export const clusterBackend = (cluster: Cluster, names: CatalogNames, local: Backend): Backend => ({
  dialect: 'clickhouse',
  async rows(query, bindings, options) {
    const { onShards } = query
    return onShards ? cluster.rows(onShards, bindings, names, options) : local.rows(query, bindings, options)
  },
})
