import { isIPv6 } from 'node:net'
import { Refusal } from './problem.ts'

type Bucket = { tokens: number; at: number }

/** Clients remembered at most; the longest unseen is forgotten first, and starts anew with a full bucket. */
const CLIENTS = 100_000

/** Whom an address counts as: an IPv6 client has a whole /64 to itself, so its network stands for it. */
export const clientOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const zeros = address.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0
  return [...groups, ...Array(zeros).fill('0'), ...tail.split(':')].slice(0, 4).join(':')
}

/**
 * Takes a token, at a moment in seconds. Headers for the answer; throws RATE_LIMITED, with them, where there is none.
 */
export type RateLimit = (client: string, now?: number) => Record<string, string>

/** A token bucket a client: `burst` requests at once, refilled at `rate` a minute. `name` tells buckets apart in headers. */
export const createRateLimit = ({ rate, burst }: { rate: number; burst: number }, name = 'client'): RateLimit => {
  const buckets = new Map<string, Bucket>()
  const perSecond = rate / 60
  const policy = `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`

  return (client, now = performance.now() / 1000) => {
    const { tokens: before, at } = buckets.get(client) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, before + (now - at) * perSecond)
    const isLet = tokens >= 1
    const left = isLet ? tokens - 1 : tokens
    buckets.delete(client)
    buckets.set(client, { tokens: left, at: now })
    const [oldest] = buckets.keys()
    if (buckets.size > CLIENTS && oldest !== undefined) buckets.delete(oldest)
    const seconds = Math.ceil(((isLet ? burst : 1) - left) / perSecond)
    const headers = { 'ratelimit-policy': policy, ratelimit: `"${name}";r=${Math.floor(left)};t=${seconds}` }
    if (isLet) return headers
    const message = `Too many requests; try again in ${seconds} s.`
    const refused = { ...headers, 'retry-after': String(seconds) }
    throw new Refusal('RATE_LIMITED', message, { retry_after_seconds: seconds }, refused)
  }
}
