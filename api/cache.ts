import type { EngineError } from '../engine/index.ts'
import type { KeptAnswer } from './answer.ts'

/** What a plan leads to: an answer, or the refusal of one that holds nothing. */
export type Outcome = { answer: KeptAnswer } | { refusal: EngineError }

/** What an entry takes beside its text, about. */
const OVERHEAD = 300

const bytesOf = (outcome: Outcome): number =>
  OVERHEAD +
  ('answer' in outcome
    ? outcome.answer.bytes
    : Buffer.byteLength(JSON.stringify([outcome.refusal.message, outcome.refusal.details])))

/**
 * Outcomes by the hash of their plan, the least recently asked forgotten first. A snapshot is immutable, so an outcome
 * never becomes stale under its plan.
 */
export const createCache = (capacity: number) => {
  const entries = new Map<string, { outcome: Outcome; size: number }>()
  let bytes = 0

  return {
    get(key: string): Outcome | undefined {
      const entry = entries.get(key)
      if (entry) {
        entries.delete(key)
        entries.set(key, entry)
      }
      return entry?.outcome
    },
    set(key: string, outcome: Outcome): void {
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
