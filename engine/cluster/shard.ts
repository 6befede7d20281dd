import { EngineError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import { commandLine } from '../program.ts'
import { addressToCopy } from './address.ts'
import { type ClusterNode, SETTINGS } from './node.ts'

/** The first release of ClickHouse whose SQL the statements use. */
export const MIN_VERSION = 25

/** Incremented with each change of the tables of a shard, or of which listing is on which shard (ingest/cluster). */
export const SHARD_FORMAT = 1

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
const ROWS = 'SELECT name, total_rows AS rows FROM system.tables WHERE database = {database:String}'

const notReady = (reason: string): EngineError => new EngineError('NOT_READY', reason)

/** Whether a node's user may write, which a service's needs not. */
export const mayWrite = async (node: ClusterNode, place: ShardPlace): Promise<boolean> =>
  (await node.execute(`CHECK GRANT INSERT ON ${databaseOf(place)}.*`)).trim() === '1'

/** Checks that a node's release and settings are those that statements are written for. */
export const checkNode = async (node: ClusterNode): Promise<void> => {
  for (const { name, value } of (await node.rows(HELD)) as { name: string; value: string }[])
    if (value !== SETTINGS[name])
      throw notReady(
        `${node.host} has ${name} = ${value}, not ${SETTINGS[name]}: remove the constraint from the user's profile.`,
      )
  const [{ major } = { major: 0 }] = (await node.rows(VERSION)) as { major: number }[]
  if (major < MIN_VERSION) throw notReady(`${node.host} is ClickHouse ${major}; at least ${MIN_VERSION} is required.`)
}

/** The rows by table of a shard that is whole, or why it is not. */
export type FoundShard = { counts: Record<string, number> } | { problem: string }

/** Whether a node has a whole shard of this very snapshot. */
export const findShard = async (
  node: ClusterNode,
  place: ShardPlace,
  { manifest, sha256 }: SealedSnapshot,
): Promise<FoundShard> => {
  const database = databaseOf(place)
  const tables = (await node.rows(ROWS, { database })) as { name: string; rows: number }[]
  if (!tables.some(({ name }) => name === 'shard')) return { problem: 'there is none that the user may read' }
  const [found] = (await node.rows(`SELECT * FROM ${database}.shard`)) as ShardRow[]
  if (!found) return { problem: 'its load was not completed' }
  const { manifest_sha256, shard, shards, counts } = found
  if (manifest_sha256 !== sha256) return { problem: `it is of another manifest of ${manifest.snapshot_id}` }
  if (shard !== place.number || shards !== place.of) return { problem: `it is shard ${shard + 1} of ${shards}` }
  for (const [table, expected] of Object.entries(counts)) {
    const rows = tables.find(({ name }) => name === table)?.rows ?? 0
    if (rows !== expected) return { problem: `${table} has ${rows} rows, not ${expected}` }
  }
  return { counts }
}

/** Checks that a node has a whole shard of this very snapshot. Throws NOT_READY with the command that loads it. */
export const requireShard = async (
  node: ClusterNode,
  place: ShardPlace,
  snapshot: SealedSnapshot,
  nodes: readonly string[],
): Promise<Record<string, number>> => {
  const found = await findShard(node, place, snapshot)
  if ('counts' in found) return found.counts
  const { snapshot_id, number, of } = place
  const load = commandLine('refresh', `load --lake LAKE --to ${addressToCopy(nodes)}`)
  throw notReady(
    `The ClickHouse node ${node.host} does not have shard ${number + 1} of ${of} of snapshot ${snapshot_id}: ` +
      `${found.problem}. To load it, run: ${load}`,
  )
}
