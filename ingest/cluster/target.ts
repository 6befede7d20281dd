import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import {
  type ClusterNode,
  DAY_SECONDS,
  databaseOf,
  findShard,
  type SealedSnapshot,
  SHARD_TABLES,
  type ShardPlace,
  type TableRows,
} from '../../engine/index.ts'
import type { TypedColumn } from './sums.ts'

const CREATE_TABLES = readFileSync(new URL('./tables.clickhouse.sql', import.meta.url), 'utf8')
  .split(/;$/m)
  .filter((statement) => statement.trim() !== '')

/** A name and a type, of which the arguments may have arguments. */
const COLUMN = /(\w+) (\w+(?:\((?:[^()]|\([^()]*\))*\))?)/g

/** The columns of a table on nodes. */
export const columnsOf = (table: string): TypedColumn[] => {
  const sql = CREATE_TABLES.find((statement) => statement.includes(`CREATE TABLE ${table} (`))!
  const columns = sql.slice(sql.indexOf('(', sql.indexOf('CREATE')) + 1, sql.indexOf(') ENGINE'))
  return [...columns.matchAll(COLUMN)].map(([, name, type]) => ({ name: name!, type: type! }))
}

/** A node, and the shard that it is to have. */
export type ShardServer = { server: ClusterNode; place: ShardPlace }

/**
 * Where one load puts a shard: in a database that no other load has, which gets the name that readers know once its rows
 * were verified. Two loads at the same time therefore never mix, and a load that was killed leaves nothing to be read.
 */
export type ShardTarget = ShardServer & {
  database: string
  staging: string
  /** The node with the staging database. */
  node: ClusterNode
  /** The rows that it has published by table; null if it lacks its shard. */
  before: TableRows | null
  /** The partitions of tables in its staging database that are linked; null without one: then it is compared as published. */
  linked: Set<string> | null
}

/** Staging databases have the second of their load's start in their names. */
const STAGING = /^shelfmark_v\d+_.*_loading_(\d+)_[0-9a-f]{8}$/
const PUBLISHED = /^shelfmark_v\d+_(\d{6,})_[0-9a-f]{8}(?:_\d+_of_\d+)?$/
const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** A target on a node, with what the node has before the load. */
export const targetOn = async ({ server, place }: ShardServer, snapshot: SealedSnapshot): Promise<ShardTarget> => {
  const database = databaseOf(snapshot.manifest.snapshot_id)
  const staging = `${database}_loading_${nowSeconds()}_${randomBytes(4).toString('hex')}`
  const before = await findLoaded({ server, place }, snapshot)
  return { server, place, database, staging, node: server.in(staging), before, linked: null }
}

/** `shards` has the marker of every shard; without a cluster that of the only one. */
const createShards = ({ place: { cluster }, database }: ShardTarget): string =>
  `CREATE TABLE shards AS shard ENGINE = ${
    cluster === '' ? `Merge('${database}', '^shard$')` : `Distributed('${cluster}', '${database}', 'shard')`
  }`

export const createStaging = async (target: ShardTarget): Promise<void> => {
  const { server, node, staging } = target
  await server.execute(`CREATE DATABASE ${staging}`)
  for (const statement of [...CREATE_TABLES, createShards(target)]) await node.execute(statement)
}

/**
 * Ends what a failed load still pulls, and removes what it has left; a node that cannot be reached keeps it until a load a
 * day later.
 */
export const dropStaging = async ({ server, staging }: ShardTarget): Promise<void> => {
  await server.execute(`KILL QUERY WHERE current_database = '${staging}'`).catch(() => undefined)
  await server.execute(`DROP DATABASE IF EXISTS ${staging} SYNC`).catch(() => undefined)
}

/** Says in the staging database what it contains. */
export const sealStaging = async (
  { node, place }: ShardTarget,
  { manifest, sha256 }: SealedSnapshot,
): Promise<void> => {
  const { cluster, number, of } = place
  const counts = SHARD_TABLES.map((table) => `'${table}', (SELECT count() FROM ${table})`)
  const hashes = manifest.files.map(({ path, sha256 }) => `'${path}', '${sha256}'`)
  await node.execute(
    `INSERT INTO shard SELECT '${sha256}', '${cluster}', ${number}, ${of}, map(${counts.join()}), map(${hashes.join()})`,
  )
}

/** The rows by table of the shard that the node has, if it is whole and the one that the node is to have. */
export const findLoaded = async (
  { server, place }: ShardServer,
  snapshot: SealedSnapshot,
): Promise<TableRows | null> => {
  const shard = await findShard(server, snapshot)
  return 'place' in shard && isDeepStrictEqual(shard.place, place) ? shard.counts : null
}

/** Loads at the same time may each remove what they find damaged. */
const MAX_ATTEMPTS = 5

/**
 * Gives a sealed staging database the name that readers know, unless another load has finished the same shard. A database of
 * that name is removed without waiting for those that still read it.
 */
export const publishShard = async (target: ShardTarget, snapshot: SealedSnapshot): Promise<void> => {
  const { server, database, staging, before } = target
  const remove = () => server.execute(`DROP DATABASE IF EXISTS ${database}`)
  if (before !== null) await remove()
  for (let attempt = 1; ; attempt += 1)
    try {
      await server.execute(`RENAME DATABASE ${staging} TO ${database}`)
      return
    } catch (cause) {
      // There is one of that name: of another load, of this one if the answer was lost, or damaged.
      if (await findLoaded(target, snapshot)) return
      if (attempt === MAX_ATTEMPTS) throw cause
      await remove()
    }
}

/**
 * Removes the databases of older snapshots from a node, except the newest of them, since services change to a new snapshot
 * while queries of the last one end; and those of loads that began a day ago: they were killed.
 */
export const removeOlder = async ({ server }: ShardTarget, snapshot_id: string): Promise<string[]> => {
  const databases = await server.rows(
    "SELECT name FROM system.databases WHERE startsWith(name, 'shelfmark_v') ORDER BY name",
  )
  const names = databases.map(({ name }) => String(name))
  const current = Number.parseInt(snapshot_id, 10)
  const numberOf = (name: string): number => Number(PUBLISHED.exec(name)?.[1] ?? Number.NaN)
  const previous = Math.max(...names.map(numberOf).filter((number) => number < current))
  const startOf = (name: string): number => Number(STAGING.exec(name)?.[1] ?? Number.NaN)
  const removed = names.filter((name) => numberOf(name) < previous || startOf(name) < nowSeconds() - DAY_SECONDS)
  for (const name of removed) await server.execute(`DROP DATABASE IF EXISTS ${name} SYNC`)
  return removed
}
