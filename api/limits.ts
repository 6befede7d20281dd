import { Refusal } from './problem.ts'

type Bucket = { tokens: number; at: number }

/** Clients remembered at most; the longest unseen is forgotten first, and starts anew with a full bucket. */
const CLIENTS = 100_000

/** A token bucket a client: `burst` requests at once, refilled at `perMinute`. */
export const createRateLimit = ({ perMinute, burst }: { perMinute: number; burst: number }) => {
  const buckets = new Map<string, Bucket>()
  const perMillisecond = perMinute / 60_000
  const window = Math.ceil(burst / (perMillisecond * 1000))
  const policy = `"client";q=${burst};w=${window}`

  /** Takes a token. Headers for the answer; throws RATE_LIMITED, with them, where there is none. */
  return (client: string, now: number = Date.now()): Record<string, string> => {
    const bucket = buckets.get(client) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perMillisecond)
    const left = Math.max(0, tokens - 1)
    buckets.delete(client)
    buckets.set(client, { tokens: tokens < 1 ? tokens : left, at: now })
    const [oldest] = buckets.keys()
    if (buckets.size > CLIENTS && oldest !== undefined) buckets.delete(oldest)
    const seconds = Math.ceil((tokens < 1 ? 1 - tokens : burst - left) / (perMillisecond * 1000))
    const headers = { 'ratelimit-policy': policy, ratelimit: `"client";r=${Math.floor(left)};t=${seconds}` }
    if (tokens >= 1) return headers
    throw new Refusal(
      'RATE_LIMITED',
      `Too many requests; try again in ${seconds} s.`,
      { retry_after_seconds: seconds },
      {
        ...headers,
        'retry-after': String(seconds),
      },
    )
  }
}

/** Lets `most` questions in at a time, running and waiting; more are refused before any work. */
export const createGate = (most: number) => {
  let inside = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside >= most)
      throw new Refusal('NOT_READY', 'The service is busy; try again shortly.', {}, { 'retry-after': '1' })
    inside += 1
    try {
      return await work()
    } finally {
      inside -= 1
    }
  }
}
