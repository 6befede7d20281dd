import { EngineError } from '../../contract/errors.ts'
import type { Bindings, RunOptions } from '../../duckdb/pool.ts'
import type { ShardBindings, Shards } from '../shards.ts'
import { variantsFor } from '../variants.ts'
import { readClusterAddress } from './address.ts'
import { ClusterNode, type NodeRequestOptions } from './node.ts'
import { createProbe, MAX_PROBE_MS } from './probe.ts'
import { checkNode, databaseOf, requireRows, requireShard, type SealedSnapshot, type WholeShard } from './shard.ts'
import { completeStatement } from './statement.ts'

/** Values as the HTTP interface of ClickHouse reads them. */
const written = (bindings: ShardBindings): Bindings =>
  Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, Array.isArray(value) ? `[${value.join()}]` : value]),
  ) as Bindings

/** What a query returned or threw, to be returned or thrown later; at once if a node has failed. */
const settled = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (result) => () => result,
    (cause: unknown) => {
      if (cause instanceof EngineError) throw cause
      // Counts of tables before and after a load may contradict each other.
      return () => {
        throw cause
      }
    },
  )

/** Time after which a node that does not answer a check counts as failed, in milliseconds. */
const MAX_CHECK_MS = 10_000

/** Whether a node can answer, and why not. */
export type NodeState = { host: string; problem: string | null }

/** One snapshot on the nodes of a cluster, each of which has one shard. */
export type Cluster = {
  /** Checks every node as opening does. */
  check(): Promise<NodeState[]>
  /** Runs the statements of a query, which must not depend on anything but their results. */
  read<T>(work: (shards: Shards) => Promise<T>, options: RunOptions): Promise<T>
}

/**
 * Opens a snapshot on a cluster. Throws EngineError NOT_READY if a node cannot be reached, has other settings, or does not
 * have its whole shard of this very snapshot.
 */
export const openCluster = async (
  address: string,
  snapshot: SealedSnapshot,
  requests: NodeRequestOptions = {},
): Promise<Cluster> => {
  const { nodes: urls, ...credentials } = readClusterAddress(address)
  const { manifest } = snapshot
  const shards = urls.map((url, number) => {
    const place = { snapshot_id: manifest.snapshot_id, number, of: urls.length }
    const server = new ClusterNode({ url, ...credentials, max_ms: MAX_CHECK_MS })
    return { place, server, node: new ClusterNode({ url, ...credentials, ...requests, database: databaseOf(place) }) }
  })
  const nodes = shards.map(({ node }) => node)
  const probe = createProbe(urls.map((url) => new ClusterNode({ url, ...credentials, max_ms: MAX_PROBE_MS })))

  /** Each shard as it was last found whole. */
  const whole: WholeShard[] = []

  /** Why each node cannot be used; undefined for one that can. */
  const failures = (): Promise<(Error | undefined)[]> =>
    Promise.all(
      shards.map(async ({ place, server }) => {
        try {
          await checkNode(server)
          whole[place.number] = await requireShard(server, place, snapshot, urls)
          return undefined
        } catch (cause) {
          return cause as Error
        }
      }),
    )

  // The first in the order of the nodes, not in time: it stays the same while nothing changes.
  const unusable = (await failures()).find((failure) => failure !== undefined)
  if (unusable) throw unusable

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

  /** The shards as they are now, after checking that each still has all its rows. */
  const checkRows = (before: readonly WholeShard[], options: RunOptions): Promise<WholeShard[]> =>
    Promise.all(
      shards.map(async ({ place, node }) => {
        const { counts } = before[place.number]!
        return { counts, uuid: await requireRows(node, place, counts, urls, options) }
      }),
    )

  return {
    check: async () =>
      (await failures()).map((failure, number) => ({ host: nodes[number]!.host, problem: failure?.message ?? null })),
    read: async (work, options) => {
      const onShards: Shards = {
        columns: (sql, values) => onAll(sql, values, options, (node, ...rest) => node.columns(...rest)),
        rows: async (sql, values) => (await onAll(sql, values, options, (node, ...rest) => node.rows(...rest))).flat(),
      }
      // A node may lose rows, as after a power cut, and only a load brings them back, in another database: of tables that are
      // whole now, in the database in which they were whole before, the query has read all rows.
      try {
        await probe.pass()
        for (;;) {
          const before = [...whole]
          const result = await settled(work(onShards))
          const after = await checkRows(before, options)
          whole.splice(0, whole.length, ...after)
          if (after.every(({ uuid }, number) => uuid === before[number]!.uuid)) return result()
        }
      } catch (cause) {
        probe.suspect()
        throw cause
      }
    },
  }
}
