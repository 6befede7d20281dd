import type { CatalogNames } from '../catalog/catalog.ts'
import type { Bindings, Row } from '../pool.ts'
import type { ShardCounts } from './counts.ts'

/** Values of placeholders in the SQL of ClickHouse, which also takes lists of whole numbers. */
export type ShardBindings = Record<string, Bindings[string] | readonly number[]>

/** The shards of one snapshot. Statements may name relations and functions (statement.ts). */
export type Shards = {
  /** Runs a statement that counts on every shard, and adds up. */
  counts(sql: string, bindings: ShardBindings): Promise<ShardCounts>
  /** Runs a statement on every shard: all rows, those of each shard in order. */
  rows(sql: string, bindings: ShardBindings): Promise<Row[]>
}

/** Computes the rows of a query, as its statement returns them, from the counts of shards. */
export type ShardedQuery = (shards: Shards, bindings: Bindings, names: CatalogNames) => Promise<Row[]>
