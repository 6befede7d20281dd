import type { CatalogNames } from '../catalog/catalog.ts'
import { EngineError } from '../errors.ts'
import { LAKE_FORMAT, type Manifest } from '../manifest.ts'
import type { Bindings, Row, RunOptions } from '../pool.ts'
import { variantsFor } from '../relations.ts'
import { readClusterAddress } from './address.ts'
import { gather } from './counts.ts'
import { ClusterNode, SETTINGS } from './node.ts'
import type { ShardBindings, ShardedQuery, Shards } from './sharded.ts'
import { completeStatement } from './statement.ts'

/** The first release of ClickHouse whose SQL the statements use. */
export const MIN_VERSION = 25

/** The database of a snapshot on each node. */
export const databaseOf = (snapshot_id: string): string => `shelfmark_${snapshot_id.replace('-', '_')}`

type ShardRow = {
  manifest_sha256: string
  shard: number
  shards: number
  format: number
  counts: Record<string, number>
}

const HELD = `SELECT name, value FROM system.settings WHERE name IN (${Object.keys(SETTINGS)
  .map((name) => `'${name}'`)
  .join()})`
const VERSION = "SELECT toUInt32(splitByChar('.', version())[1]) AS major"
const ROWS = `SELECT name, total_rows AS rows FROM system.tables WHERE database = currentDatabase() AND name <> 'shard'`

const notReady = (reason: string): EngineError => new EngineError('NOT_READY', reason)

/** Checks that a node's release and settings are those that statements are written for. */
export const checkNode = async (node: ClusterNode): Promise<void> => {
  for (const { name, value } of (await node.rows(HELD)) as { name: string; value: string }[])
    if (value !== SETTINGS[name])
      throw notReady(
        `${node.url} has ${name} = ${value}, not ${SETTINGS[name]}: remove the constraint from the user's profile.`,
      )
  const [{ major } = { major: 0 }] = (await node.rows(VERSION)) as { major: number }[]
  if (major < MIN_VERSION) throw notReady(`${node.url} is ClickHouse ${major}; at least ${MIN_VERSION} is required.`)
}

/** Checks that a node holds one whole shard of a snapshot. */
const checkShard = async (node: ClusterNode, number: number, of: number, manifest: Manifest, sha256: string) => {
  const place = `${node.url}, database ${databaseOf(manifest.snapshot_id)}`
  const [found] = (await node.rows('SELECT * FROM shard')) as ShardRow[]
  if (!found) throw notReady(`${place}: the load was not completed. Load the snapshot again.`)
  const { shard, shards, format, manifest_sha256, counts } = found
  if (manifest_sha256 !== sha256) throw notReady(`${place}: made from another manifest. Load the snapshot again.`)
  if (format !== LAKE_FORMAT) throw notReady(`${place}: of lake format ${format}, not ${LAKE_FORMAT}.`)
  if (shard !== number || shards !== of)
    throw notReady(
      `${place}: shard ${shard + 1} of ${shards}, expected ${number + 1} of ${of}: name the nodes in the order of the load.`,
    )
  for (const { name, rows } of (await node.rows(ROWS)) as { name: string; rows: number }[])
    if (rows !== counts[name])
      throw notReady(`${place}: ${name} has ${rows} rows, not ${counts[name]}. Load the snapshot again.`)
  return counts
}

/** Values as the HTTP interface of ClickHouse reads them. */
const written = (bindings: ShardBindings): Bindings =>
  Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, Array.isArray(value) ? `[${value.join()}]` : value]),
  ) as Bindings

/** One snapshot on the nodes of a cluster, each of which has one shard. */
export type Cluster = {
  /** Rows by table on each node. */
  counts: Record<string, number>[]
  rows(query: ShardedQuery, bindings: Bindings, names: CatalogNames, options: RunOptions): Promise<Row[]>
}

/**
 * Opens a snapshot on a cluster. Throws EngineError NOT_READY if a node cannot be reached, has other settings, or does not
 * have its whole shard of this very snapshot.
 */
export const openCluster = async (address: string, manifest: Manifest, manifest_sha256: string): Promise<Cluster> => {
  const { nodes: urls, ...credentials } = readClusterAddress(address)
  const database = databaseOf(manifest.snapshot_id)
  const nodes = urls.map((url) => new ClusterNode({ url, ...credentials, database }))
  const counts = await Promise.all(
    nodes.map(async (node, number) => {
      await checkNode(node)
      return checkShard(node, number, nodes.length, manifest, manifest_sha256)
    }),
  )

  /** Runs a statement on all nodes; if one fails, the others are cancelled and the query is refused. */
  const onAll = async <T>(
    sql: string,
    bindings: ShardBindings,
    { signal }: RunOptions,
    run: (node: ClusterNode, sql: string, bindings: Bindings, options: RunOptions) => Promise<T>,
  ): Promise<T[]> => {
    const failed = new AbortController()
    const options = { signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal }
    const values = written(bindings)
    const complete = completeStatement(sql, variantsFor(values, manifest))
    let failure: unknown
    const answers = await Promise.all(
      nodes.map((node) =>
        run(node, complete, values, options).catch((cause: unknown) => {
          failure ??= cause
          failed.abort()
          return undefined
        }),
      ),
    )
    if (failure) throw failure
    return answers as T[]
  }

  return {
    counts,
    rows: (query, bindings, names, options) => {
      const shards: Shards = {
        counts: async (sql, values) =>
          gather(await onAll(sql, values, options, (node, ...rest) => node.counts(...rest))),
        rows: async (sql, values) => (await onAll(sql, values, options, (node, ...rest) => node.rows(...rest))).flat(),
      }
      return query(shards, bindings, names)
    },
  }
}
