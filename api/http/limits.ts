import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from './problem.ts'

type Bucket = { tokens: number; taken_at: number }

/** The least recently seen client is forgotten first; its next request starts with a full bucket. */
const MAX_CLIENTS = 100_000

/** The client of an address: the address itself, or its /64 network for IPv6, since a client may use all of it. */
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
 * Takes tokens, by default one, at a time in seconds. Returns headers for the answer; throws RATE_LIMITED, with them, if
 * too few are left.
 */
export type RateLimit = (client: string, now?: number, tokens?: number) => Record<string, string>

/**
 * One token bucket per client: `burst` requests at once, refilled at `rate` a minute. `name` identifies the limit in
 * headers.
 */
export const createRateLimit = ({ rate, burst }: { rate: number; burst: number }, name = 'client'): RateLimit => {
  const buckets = new Map<string, Bucket>()
  const perSecond = rate / 60
  const policy = `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`

  return (client, now = performance.now() / 1000, cost = 1) => {
    const { tokens: before, taken_at } = buckets.get(client) ?? { tokens: burst, taken_at: now }
    const tokens = Math.min(burst, before + (now - taken_at) * perSecond)
    const isAllowed = tokens >= cost
    const remaining = isAllowed ? tokens - cost : tokens
    buckets.delete(client)
    buckets.set(client, { tokens: remaining, taken_at: now })
    const [oldest] = buckets.keys()
    if (buckets.size > MAX_CLIENTS && oldest !== undefined) buckets.delete(oldest)
    const seconds = Math.ceil(((isAllowed ? burst : cost) - remaining) / perSecond)
    const headers = { 'ratelimit-policy': policy, ratelimit: `"${name}";r=${Math.floor(remaining)};t=${seconds}` }
    if (isAllowed) return headers
    const message = `Too many requests; retry in ${seconds} s.`
    const refused = { ...headers, 'retry-after': String(seconds) }
    throw new Refusal('RATE_LIMITED', message, { retry_after_seconds: seconds }, refused)
  }
}

const HOLD_MS = 500

/**
 * Waits before a client is refused again within half a second. Each refusal says how long to wait; a client that sends
 * on regardless would take the time of others.
 */
export const createHold = (): ((client: string) => Promise<void>) => {
  const refused = new Set<string>()
  return async (client) => {
    if (refused.has(client)) return sleep(HOLD_MS)
    refused.add(client)
    setTimeout(() => refused.delete(client), HOLD_MS).unref()
  }
}

/**
 * Lets each client start one request a pass of the event loop: the many that one client sends at once do not come before
 * those of others.
 */
export const createPace = (): ((client: string) => Promise<void>) => {
  const lines = new Map<string, (() => void)[]>()
  const startNext = (client: string): void => {
    const start = lines.get(client)!.shift()
    if (start === undefined) {
      lines.delete(client)
      return
    }
    start()
    setImmediate(startNext, client)
  }
  return async (client) => {
    const line = lines.get(client)
    if (line) return new Promise((start) => line.push(start))
    lines.set(client, [])
    setImmediate(startNext, client)
  }
}
