import { EngineError } from '../../contract/errors.ts'
import { commandLine } from '../../contract/program.ts'
import type { Manifest } from '../../lake/manifest.ts'
import { addressToCopy } from './address.ts'
import type { ClusterNode } from './node.ts'
import { SETTINGS } from './settings.ts'

/** The first release of ClickHouse that has the settings and whose SQL the statements use. */
export const MIN_VERSION = 26

/** Incremented with each change of the tables of a shard, or of which listing is on which shard (ingest/cluster). */
export const SHARD_FORMAT = 5

/** The database of a snapshot, on every node. */
export const databaseOf = (snapshot_id: string): string => `shelfmark_v${SHARD_FORMAT}_${snapshot_id.replace('-', '_')}`

/** Which shard a node has, the first of three being `{ number: 0, of: 3 }`, and by which cluster the others are found; '' without. */
export type ShardPlace = { cluster: string; number: number; of: number }

/** A snapshot as a service or a load has read it. */
export type SealedSnapshot = { manifest: Manifest; sha256: string }

/** Rows by table. */
export type TableRows = Readonly<Record<string, number>>

type ShardRow = {
  manifest_sha256: string
  cluster: string
  shard: number
  shards: number
  counts: TableRows
}

const NAMES = Object.keys(SETTINGS)
  .map((name) => `'${name}'`)
  .join()
const HELD = `SELECT name, value FROM system.settings WHERE name IN (${NAMES})`
const VERSION = "SELECT toUInt32(splitByChar('.', version())[1]) AS major"
const TABLES = 'SELECT name FROM system.tables WHERE database = {database:String}'

const notReady = (reason: string): EngineError => new EngineError('NOT_READY', reason)

/** Whether a node's user may write, which a service's needs not. */
export const mayWrite = async (node: ClusterNode, snapshot_id: string): Promise<boolean> =>
  (await node.execute(`CHECK GRANT INSERT ON ${databaseOf(snapshot_id)}.*`)).trim() === '1'

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

/** The shard that a node has, with its rows by table, or why it has none that is whole. */
export type FoundShard = { place: ShardPlace; counts: TableRows } | { problem: string }

/** Unlike system.tables, count() leaves out rows that were deleted or that a policy hides from the user. */
const differenceIn = async (node: ClusterNode, database: string, counts: TableRows): Promise<string | undefined> => {
  const tables = Object.keys(counts).map(
    (table) => `SELECT '${table}' AS counted, count() AS rows FROM ${database}.${table}`,
  )
  const tallies = await node.rows(tables.join(' UNION ALL '))
  const different = tallies.find(({ counted, rows }) => rows !== counts[String(counted)])
  return different && `${different.counted} has ${different.rows} rows, not ${counts[String(different.counted)]}`
}

const readShard = async (node: ClusterNode, { manifest, sha256 }: SealedSnapshot): Promise<FoundShard> => {
  const database = databaseOf(manifest.snapshot_id)
  const tables = (await node.rows(TABLES, { database })).map(({ name }) => name)
  if (!tables.includes('shard')) return { problem: 'there is none that the user may read' }
  const [loaded] = (await node.rows(
    `SELECT manifest_sha256, cluster, shard, shards, counts FROM ${database}.shard`,
  )) as ShardRow[]
  if (!loaded) return { problem: 'its load was not completed' }
  const { manifest_sha256, cluster, shard: number, shards: of, counts } = loaded
  if (manifest_sha256 !== sha256) return { problem: `it is of another manifest of ${manifest.snapshot_id}` }
  const missing = [...Object.keys(counts), 'shards'].find((table) => !tables.includes(table))
  if (missing) return { problem: `there is no ${missing} that the user may read` }
  const problem = await differenceIn(node, database, counts)
  return problem ? { problem } : { place: { cluster, number, of }, counts }
}

/** Whether a node has a whole shard of this very snapshot. */
export const findShard = (node: ClusterNode, snapshot: SealedSnapshot): Promise<FoundShard> =>
  readShard(node, snapshot).catch((cause: Error) => {
    // A load may replace it at any time.
    if (IS_REMOVED.test(cause.message)) return { problem: 'it was removed' }
    throw cause
  })

/** What ClickHouse says of a database or a table that is not there. */
export const IS_REMOVED = /\(UNKNOWN_(DATABASE|TABLE)\)/

/** The command that loads a snapshot into the nodes of an address. */
const loadCommand = (nodes: readonly string[]): string =>
  commandLine('refresh', `load --from STORE --to ${addressToCopy(nodes)}${nodes.length > 1 ? ' --cluster NAME' : ''}`)

/** The refusal of a snapshot that a cluster or a node does not have whole. */
export const lacksSnapshot = (lacking: string, problem: string, nodes: readonly string[]): EngineError =>
  notReady(`${lacking}: ${problem}. To load it, run: ${loadCommand(nodes)}`)

/** Checks that a node has a whole shard of this very snapshot. Throws NOT_READY with the command that loads it. */
export const requireShard = async (
  node: ClusterNode,
  snapshot: SealedSnapshot,
  nodes: readonly string[],
): Promise<ShardPlace> => {
  const shard = await findShard(node, snapshot)
  if ('place' in shard) return shard.place
  const { snapshot_id } = snapshot.manifest
  throw lacksSnapshot(
    `The ClickHouse node ${node.host} does not have its shard of snapshot ${snapshot_id}`,
    shard.problem,
    nodes,
  )
}
