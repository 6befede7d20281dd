import type { EngineError } from '../../engine/index.ts'
import type { CachedAnswer } from './answer.ts'

/** The result of running a plan: an answer, or the refusal NO_RESULTS. */
export type PlanOutcome = { answer: CachedAnswer } | { refusal: EngineError }

/** Approximate size of an entry in addition to its text. */
const OVERHEAD_BYTES = 300

const bytesOf = (outcome: PlanOutcome): number =>
  OVERHEAD_BYTES +
  ('answer' in outcome
    ? outcome.answer.bytes
    : Buffer.byteLength(JSON.stringify([outcome.refusal.message, outcome.refusal.details])))

/**
 * An LRU cache of outcomes by the hash of their plan, limited to `capacity` bytes. Entries never become stale: a plan
 * names its snapshot, and snapshots are immutable.
 */
export const createCache = (capacity: number) => {
  const entries = new Map<string, { outcome: PlanOutcome; size: number }>()
  let bytes = 0

  return {
    get(key: string): PlanOutcome | undefined {
      const entry = entries.get(key)
      if (entry) {
        entries.delete(key)
        entries.set(key, entry)
      }
      return entry?.outcome
    },
    set(key: string, outcome: PlanOutcome): void {
      const size = bytesOf(outcome)
      if (entries.has(key) || size > capacity) return
      entries.set(key, { outcome, size })
      bytes += size
      for (const [oldest, entry] of entries) {
        if (bytes <= capacity) break
        entries.delete(oldest)
        bytes -= entry.size
      }
    },
    counts: () => ({ bytes, entries: entries.size }),
  }
}

export type Cache = ReturnType<typeof createCache>
