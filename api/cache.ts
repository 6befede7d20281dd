/** An answer ready to send; no freshness where nothing was observed. */
export type Answer = { body: Buffer; freshness_seconds: number | null }

/** What an entry takes beside its body, about. */
const OVERHEAD = 300

/**
 * Answers by the hash of their plan, the least recently asked forgotten first. A snapshot is immutable, so an answer never
 * grows stale under its plan.
 */
export const createCache = (capacity: number) => {
  const answers = new Map<string, Answer>()
  let bytes = 0
  const sizeOf = ({ body }: Answer): number => body.byteLength + OVERHEAD

  return {
    get(key: string): Answer | undefined {
      const answer = answers.get(key)
      if (answer) {
        answers.delete(key)
        answers.set(key, answer)
      }
      return answer
    },
    set(key: string, answer: Answer): void {
      if (answers.has(key) || sizeOf(answer) > capacity) return
      answers.set(key, answer)
      bytes += sizeOf(answer)
      for (const [oldest, old] of answers) {
        if (bytes <= capacity) break
        answers.delete(oldest)
        bytes -= sizeOf(old)
      }
    },
  }
}
