import { EngineError } from '../../contract/errors.ts'
import type { RunOptions } from '../../duckdb/pool.ts'
import { type ClusterNode, MAX_WAIT_MS, type StatementOptions, unavailable } from './node.ts'

/** The interval at which a node that has not answered yet is pinged, and its time to respond. */
const PING_MS = 1000
/** What another node would answer alike: an error of the statement, or a limit that it exceeded. */
const IS_FINAL = /\((TIMEOUT_EXCEEDED|TOO_MANY_\w+|SYNTAX_ERROR|UNKNOWN_IDENTIFIER|READONLY|UNKNOWN_SETTING)\)/
/** Enough for both replicas of a shard where only one node is named. */
const MIN_ATTEMPTS = 3

/** Runs a statement on a node, and gives it up where the node stops answering at all. */
const watched = async <T>(
  node: ClusterNode,
  { signal }: RunOptions,
  run: (node: ClusterNode, options: StatementOptions) => Promise<T>,
  options: StatementOptions,
): Promise<T> => {
  const hung = new AbortController()
  let isPinged = false
  const timer = setInterval(async () => {
    if (isPinged) return
    isPinged = true
    if (!(await node.answers(PING_MS))) hung.abort()
    isPinged = false
  }, PING_MS)
  try {
    return await run(node, { ...options, signal: signal ? AbortSignal.any([signal, hung.signal]) : hung.signal })
  } catch (cause) {
    if (hung.signal.aborted && !signal?.aborted) throw unavailable(node.url, 'it stopped answering')
    throw cause
  } finally {
    clearInterval(timer)
  }
}

/**
 * Asks any of some nodes, each of which answers for all shards: the one that answered last, then the others, and again, since
 * a replica may be lost on the way. Each time another replica of a shard is preferred. Throws what the first of the list
 * failed with, within the time of a single statement.
 */
export const createAsker = (nodes: readonly ClusterNode[], max_ms = MAX_WAIT_MS) => {
  let first = 0
  return async <T>(
    run: (node: ClusterNode, options: StatementOptions) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> => {
    const deadline = performance.now() + max_ms
    const failures = new Map<ClusterNode, EngineError>()
    for (let attempt = 0; attempt < Math.max(MIN_ATTEMPTS, nodes.length + 1); attempt += 1) {
      const number = (first + attempt) % nodes.length
      const node = nodes[number]!
      const left_ms = Math.round(deadline - performance.now())
      if (left_ms <= 0) break
      try {
        const answer = await watched(node, options, run, { max_ms: left_ms, settings: settingsOf(attempt) })
        first = number
        return answer
      } catch (cause) {
        if (!(cause instanceof EngineError) || options.signal?.aborted || IS_FINAL.test(cause.message)) throw cause
        failures.set(node, cause)
      }
    }
    throw nodes.map((node) => failures.get(node)).find((failure) => failure !== undefined)!
  }
}

/** At first replicas are chosen as the server is configured to, and then by turns: that which failed is left out. */
const settingsOf = (attempt: number): StatementOptions['settings'] =>
  attempt === 0
    ? {}
    : {
        load_balancing: 'first_or_random',
        load_balancing_first_offset: String(attempt - 1),
        prefer_localhost_replica: '0',
      }
