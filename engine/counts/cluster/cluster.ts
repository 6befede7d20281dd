import { EngineError } from '../../contract/errors.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import type { Shards } from '../shards.ts'
import { variantsFor } from '../variants.ts'
import { readClusterAddress } from './address.ts'
import { createAsker } from './ask.ts'
import {
  distributedStatement,
  INCOMPLETE,
  PROOF,
  proofsStatement,
  type ShardStatement,
  shardOfProof,
} from './distributed.ts'
import { ClusterNode, type NodeRequestOptions } from './node.ts'
import { checkNode, databaseOf, IS_REMOVED, lacksSnapshot, requireShard, type SealedSnapshot } from './shard.ts'

/** Time after which a node that does not answer a check counts as failed, in milliseconds. */
const MAX_CHECK_MS = 10_000

/** Whether a node has a whole shard, and why not. */
export type NodeState = { host: string; problem: string | null }

/** The nodes that were named, and why queries over prices are refused; null if they are answered. */
export type ClusterState = { nodes: readonly NodeState[]; problem: string | null }

/** One snapshot on the nodes of a cluster. */
export type Cluster = Shards & {
  /** Checks every node that was named, and whether there is a replica of every shard. */
  check(): Promise<ClusterState>
}

/** Throws NOT_READY unless each shard has proven once that it is whole. */
const requireProofs = (proofs: readonly number[]): void => {
  const shards = proofs.map(shardOfProof)
  const of = shards[0]?.of ?? 0
  const numbers = new Set(shards.filter((shard) => shard.of === of).map(({ number }) => number))
  if (of > 0 && numbers.size === of && shards.length === of) return
  const answered = shards.map((shard) => `${shard.number + 1} of ${shard.of}`).join(', ')
  throw new EngineError(
    'NOT_READY',
    `The ClickHouse cluster cannot answer: ${INCOMPLETE}: answers are of ${answered || 'none'}.`,
  )
}

/**
 * Opens a snapshot on a cluster, of which some nodes are named: any of them answers for all. Throws EngineError NOT_READY if
 * none answers, or a shard has no whole replica of this very snapshot.
 */
export const openCluster = async (
  address: string,
  snapshot: SealedSnapshot,
  requests: NodeRequestOptions = {},
): Promise<Cluster> => {
  const { nodes: urls, ...credentials } = readClusterAddress(address)
  const { manifest, sha256 } = snapshot
  const place = { database: databaseOf(manifest.snapshot_id), manifest_sha256: sha256 }
  const nodesWith = (options: NodeRequestOptions): ClusterNode[] =>
    urls.map((url) => new ClusterNode({ url, ...credentials, ...options }))
  const ask = createAsker(nodesWith(requests), requests.max_ms)
  const checkers = nodesWith({ max_ms: MAX_CHECK_MS })
  const askChecker = createAsker(checkers, MAX_CHECK_MS)

  /** Why each node that was named has no whole shard; null for one that has. */
  const failures = (): Promise<(Error | null)[]> =>
    Promise.all(
      checkers.map(async (node) => {
        try {
          await checkNode(node)
          await requireShard(node, snapshot, urls)
          return null
        } catch (cause) {
          return cause as Error
        }
      }),
    )

  /** Throws NOT_READY unless a whole replica of each shard is found. */
  const requireWhole = async (): Promise<void> => {
    try {
      await askChecker(async (node, options) => {
        await checkNode(node)
        requireProofs((await node.rows(proofsStatement(place), {}, options)).map(({ proof }) => Number(proof)))
      })
    } catch (cause) {
      const { message } = cause as Error
      if (!IS_REMOVED.test(message) && !message.includes(INCOMPLETE)) throw cause
      // Only the named nodes can be queried for what they lack.
      const failure = (await failures()).find((one) => one !== null)
      const lacking = `The ClickHouse cluster does not have snapshot ${manifest.snapshot_id}`
      throw failure ?? lacksSnapshot(lacking, 'a shard has no whole replica', urls)
    }
  }
  await requireWhole()

  const sqlOf = (statement: ShardStatement, bindings: Bindings): string =>
    distributedStatement(statement, place, variantsFor(bindings, manifest))

  return {
    check: async () => {
      const problem = await requireWhole().then(
        () => null,
        (cause: Error) => cause.message,
      )
      const found = await failures()
      return { nodes: checkers.map(({ host }, i) => ({ host, problem: found[i]?.message ?? null })), problem }
    },
    columns: (statement, bindings, options) =>
      ask(async (node, of) => {
        const columns = await node.columns(sqlOf(statement, bindings), bindings, of)
        const { [PROOF]: proofs, n } = columns as Record<string, Float64Array>
        requireProofs([...proofs!].flatMap((proof, i) => (proof < 0 ? [] : Array<number>(n![i]!).fill(proof))))
        return columns
      }, options),
    rows: (statement, bindings, options) =>
      ask(async (node, of) => {
        const rows = await node.rows(sqlOf(statement, bindings), bindings, of)
        requireProofs(rows.map(({ proof }) => Number(proof)).filter((proof) => proof >= 0))
        return rows.filter(({ proof }) => Number(proof) < 0)
      }, options),
  }
}
