import type { Variants } from '../variants.ts'
import { completeStatement } from './statement.ts'

/** What each shard computes from its own rows, and what becomes of the rows of all shards. */
export type ShardStatement = {
  /** May name relations. */
  sql: string
  /** The columns of its rows, each with the aggregate that adds it up over shards, or null. */
  columns: Readonly<Record<string, string | null>>
  /** The value that fills a column in the row of the proof. */
  filler(column: string): string
  /** How rows that are listed rather than added up are sorted, and how many are wanted at most. */
  list?: { order: readonly string[]; limit: number | null }
}

/** A snapshot on a cluster: its database on every node, and the manifest that every shard must be of. */
export type DistributedSnapshot = { database: string; manifest_sha256: string }

/** The tables of a shard. */
export const SHARD_TABLES = [
  'listing',
  'listing_month',
  'listing_size',
  'observation',
  'observation_time',
  'shelf_day',
] as const

const READS = new RegExp(`\\b(FROM|JOIN) (${SHARD_TABLES.join('|')})\\b`, 'g')

/** What a shard fails with that lacks rows, has others, or is of another snapshot. */
export const INCOMPLETE = 'a shard does not have the rows of its snapshot'

/** In the row by which a shard proves that it has its rows: which shard it is, and of how many; elsewhere -1. */
export const PROOF = 'proof'
const MAX_SHARDS = 65_536
const PROOF_SQL = `${MAX_SHARDS} * shard.shards + shard.shard`

export const shardOfProof = (proof: number): { number: number; of: number } => ({
  number: proof % MAX_SHARDS,
  of: Math.floor(proof / MAX_SHARDS),
})

/**
 * Fails on a shard whose tables do not have as many rows as when it was loaded. They are counted by subqueries to join, since
 * the node that receives the statement computes a scalar subquery by itself, once for all shards.
 */
const requireRowsSql = (
  { database, manifest_sha256 }: DistributedSnapshot,
  tables: readonly string[],
): { joins: string[]; condition: string } => {
  const differences = [
    `shard.manifest_sha256 <> '${manifest_sha256}'`,
    ...tables.map((table) => `in_${table}.found <> shard.counts['${table}']`),
  ]
  return {
    joins: tables.map((table) => `CROSS JOIN (SELECT count() AS found FROM ${database}.${table}) AS in_${table}`),
    condition: `throwIf(${differences.join(' OR ')}, '${INCOMPLETE}') = 0`,
  }
}

/** The proof of every shard that it has the rows of all its tables. */
export const proofsStatement = (snapshot: DistributedSnapshot): string => {
  const { joins, condition } = requireRowsSql(snapshot, SHARD_TABLES)
  return [
    `SELECT ${PROOF_SQL} AS ${PROOF} FROM ${snapshot.database}.shards AS shard`,
    ...joins,
    `WHERE ${condition}`,
  ].join('\n')
}

/**
 * The statement that any node is sent: `shards` is distributed, so that ClickHouse computes the joins with it on one replica
 * of each shard, and adds up. Every shard adds a row to its own as proof, since one without any would be missing
 * without an error.
 */
export const distributedStatement = (
  { sql, columns, filler, list }: ShardStatement,
  snapshot: DistributedSnapshot,
  variants: Variants,
): string => {
  const names = Object.keys(columns)
  const proven = [
    `SELECT ${names.join(', ')}, false AS is_proof FROM (\n${sql}\n)`,
    `SELECT ${names.map((name) => `${filler(name)} AS ${name}`).join(', ')}, true AS is_proof`,
  ]
  const complete = completeStatement(proven.join('\nUNION ALL\n'), variants)
  const tables = [...new Set([...complete.matchAll(READS)].map(([, , table]) => table!))]
  const { joins, condition } = requireRowsSql(snapshot, tables)
  const selected = names.map((name) => `${columns[name] ?? `counted.${name}`} AS ${name}`)
  const proof = `CAST(if(counted.is_proof, ${PROOF_SQL}, -1) AS DOUBLE) AS ${PROOF}`
  const keys = names.filter((name) => columns[name] === null)
  return [
    `SELECT ${[...selected, proof].join(', ')}`,
    `FROM ${snapshot.database}.shards AS shard`,
    ...joins,
    `CROSS JOIN (\n${complete.replace(READS, `$1 ${snapshot.database}.$2`)}\n) AS counted`,
    `WHERE ${condition}`,
    ...(list === undefined ? [`GROUP BY ${[...keys, PROOF].join(', ')}`] : []),
    ...(list === undefined ? [] : [`ORDER BY ${[PROOF, ...list.order].join(', ')}`]),
    // Of each proof two rows are enough to see that a shard answered twice.
    ...(list === undefined || list.limit === null ? [] : [`LIMIT ${Math.max(2, list.limit)} BY ${PROOF}`]),
  ].join('\n')
}
