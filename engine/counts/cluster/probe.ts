import type { ClusterNode } from './node.ts'

/** Time after which a node that does not answer a probe counts as failed, in milliseconds. */
export const MAX_PROBE_MS = 2000
/** For how long queries are refused for a probe that failed, without another: those that wait for their turn all go at once. */
const REFUSE_MS = 250

/**
 * Spares queries the wait for a node that drops packets. After a query that failed, others first find out whether all nodes
 * answer at all; queries at the same time share a probe.
 */
export const createProbe = (nodes: readonly ClusterNode[]) => {
  let isSuspect = false
  let probing: Promise<unknown> | undefined

  const start = (): Promise<unknown> => {
    const started = Promise.all(nodes.map((node) => node.rows('SELECT 1')))
    const forget = (): void => {
      probing = undefined
    }
    started.then(
      () => {
        isSuspect = false
        forget()
      },
      () => setTimeout(forget, REFUSE_MS).unref(),
    )
    return started
  }

  return {
    /** After a failure, for whatever reason. */
    suspect(): void {
      isSuspect = true
    },
    /** Throws EngineError NOT_READY if a node may be away and is. */
    async pass(): Promise<void> {
      if (!isSuspect) return
      probing ??= start()
      await probing
    },
  }
}
