import { EngineError } from '../../contract/errors.ts'
import { commandLine } from '../../contract/program.ts'
import type { RunOptions } from '../../duckdb/pool.ts'
import type { Manifest } from '../../lake/manifest.ts'
import { addressToCopy } from './address.ts'
import type { ClusterNode } from './node.ts'
import { SETTINGS } from './settings.ts'

/** The first release of ClickHouse whose SQL the statements use. */
export const MIN_VERSION = 25

/** Incremented with each change of the tables of a shard, or of which listing is on which shard (ingest/cluster). */
export const SHARD_FORMAT = 2

/** Which shard of a snapshot: the first of three is `{ number: 0, of: 3 }`. */
export type ShardPlace = { snapshot_id: string; number: number; of: number }

/**
 * The database of a shard on its node. Its name says what it contains, so a name never gets other contents: loading into
 * more nodes, or in another order, does not change what a running service reads.
 */
export const databaseOf = ({ snapshot_id, number, of }: ShardPlace): string =>
  `shelfmark_v${SHARD_FORMAT}_${snapshot_id.replace('-', '_')}_${number + 1}_of_${of}`

/** A snapshot as a service or a load has read it. */
export type SealedSnapshot = { manifest: Manifest; sha256: string }

type ShardRow = {
  manifest_sha256: string
  shard: number
  shards: number
  counts: Record<string, number>
}

const NAMES = Object.keys(SETTINGS)
  .map((name) => `'${name}'`)
  .join()
const HELD = `SELECT name, value FROM system.settings WHERE name IN (${NAMES})`
const VERSION = "SELECT toUInt32(splitByChar('.', version())[1]) AS major"
const TABLES = 'SELECT name FROM system.tables WHERE database = {database:String}'

const notReady = (reason: string): EngineError => new EngineError('NOT_READY', reason)

/** Whether a node's user may write, which a service's needs not. */
export const mayWrite = async (node: ClusterNode, place: ShardPlace): Promise<boolean> =>
  (await node.execute(`CHECK GRANT INSERT ON ${databaseOf(place)}.*`)).trim() === '1'

/** Checks that a node's release and settings are those that statements are written for. */
export const checkNode = async (node: ClusterNode): Promise<void> => {
  const held = await node.rows(HELD).catch((cause: Error) => {
    if (!/\((READONLY|SETTING_CONSTRAINT_VIOLATION)\)/.test(cause.message)) throw cause
    throw notReady(`${cause.message} Give the user a profile with readonly = 2, without constraints of settings.`)
  })
  for (const { name, value } of held as { name: string; value: string }[])
    if (value !== SETTINGS[name])
      throw notReady(
        `${node.host} has ${name} = ${value}, not ${SETTINGS[name]}: remove the constraint from the user's profile.`,
      )
  const [{ major } = { major: 0 }] = (await node.rows(VERSION)) as { major: number }[]
  if (major < MIN_VERSION) throw notReady(`${node.host} is ClickHouse ${major}; at least ${MIN_VERSION} is required.`)
}

/** The rows by table of a shard that is whole, or why it is not. */
export type FoundShard = { counts: Record<string, number>; uuid: string } | { problem: string }

type TableCounts = Readonly<Record<string, number>>

/** The tables of a shard at one moment: their database's own id, which a load changes, and which table lacks rows. */
type ShardTables = { uuid: string; problem: string | undefined }

/** Unlike system.tables, count() leaves out rows that were deleted or that a policy hides from the user. */
const readTables = async (
  node: ClusterNode,
  database: string,
  counts: TableCounts,
  options: RunOptions = {},
): Promise<ShardTables> => {
  const tables = Object.keys(counts).map(
    (table) => `SELECT '${table}' AS counted, count() AS rows, '' AS id FROM ${database}.${table}`,
  )
  const id = `SELECT '' AS counted, 0 AS rows, toString(uuid) AS id FROM system.databases WHERE name = '${database}'`
  const rowsFound = await node.rows([...tables, id].join(' UNION ALL '), {}, options)
  const uuid = rowsFound.find(({ counted }) => counted === '')?.id
  const different = rowsFound.find(({ counted, rows }) => counted !== '' && rows !== counts[String(counted)])
  if (different) {
    const { counted, rows } = different
    return { uuid: '', problem: `${counted} has ${rows} rows, not ${counts[String(counted)]}` }
  }
  return typeof uuid === 'string' ? { uuid, problem: undefined } : { uuid: '', problem: 'it was removed' }
}

const readShard = async (
  node: ClusterNode,
  place: ShardPlace,
  { manifest, sha256 }: SealedSnapshot,
): Promise<FoundShard> => {
  const database = databaseOf(place)
  const tables = (await node.rows(TABLES, { database })).map(({ name }) => name)
  if (!tables.includes('shard')) return { problem: 'there is none that the user may read' }
  const [loaded] = (await node.rows(`SELECT * FROM ${database}.shard`)) as ShardRow[]
  if (!loaded) return { problem: 'its load was not completed' }
  const { manifest_sha256, shard, shards, counts } = loaded
  if (manifest_sha256 !== sha256) return { problem: `it is of another manifest of ${manifest.snapshot_id}` }
  if (shard !== place.number || shards !== place.of) return { problem: `it is shard ${shard + 1} of ${shards}` }
  const missing = Object.keys(counts).find((table) => !tables.includes(table))
  if (missing) return { problem: `there is no ${missing} that the user may read` }
  const { uuid, problem } = await readTables(node, database, counts)
  return problem ? { problem } : { counts, uuid }
}

/** Whether a node has a whole shard of this very snapshot. */
export const findShard = (node: ClusterNode, place: ShardPlace, snapshot: SealedSnapshot): Promise<FoundShard> =>
  readShard(node, place, snapshot).catch((cause: Error) => {
    // A load may replace it at any time.
    if (/\(UNKNOWN_(DATABASE|TABLE)\)/.test(cause.message)) return { problem: 'it was removed' }
    throw cause
  })

const lacksShard = (
  { host }: ClusterNode,
  { snapshot_id, number, of }: ShardPlace,
  problem: string,
  nodes: readonly string[],
): EngineError => {
  const load = commandLine('refresh', `load --lake LAKE --to ${addressToCopy(nodes)}`)
  return notReady(
    `The ClickHouse node ${host} does not have shard ${number + 1} of ${of} of snapshot ${snapshot_id}: ` +
      `${problem}. To load it, run: ${load}`,
  )
}

/** A shard as it was found whole: its rows by table, and the id of its database, which a load changes. */
export type WholeShard = { counts: TableCounts; uuid: string }

/** Checks that a node has a whole shard of this very snapshot. Throws NOT_READY with the command that loads it. */
export const requireShard = async (
  node: ClusterNode,
  place: ShardPlace,
  snapshot: SealedSnapshot,
  nodes: readonly string[],
): Promise<WholeShard> => {
  const shard = await findShard(node, place, snapshot)
  if ('counts' in shard) return shard
  throw lacksShard(node, place, shard.problem, nodes)
}

/** Checks that a shard still has the rows that it had; returns the id of its database. Throws NOT_READY if it has not. */
export const requireRows = async (
  node: ClusterNode,
  place: ShardPlace,
  counts: TableCounts,
  nodes: readonly string[],
  options: RunOptions,
): Promise<string> => {
  const { uuid, problem } = await readTables(node, databaseOf(place), counts, options)
  if (problem) throw lacksShard(node, place, problem, nodes)
  return uuid
}
