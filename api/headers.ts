import { createHash } from 'node:crypto'
import type { Group, Plan } from '../engine/index.ts'

/** Headers that a page of another origin may read. */
const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Payment-Receipt',
  'WWW-Authenticate',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Server-Timing',
  'X-Data-Freshness-Hours',
  'X-GPC-Release',
  'X-Map-Version',
].join(', ')

export const crossOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }

/** Answer to a preflight request. */
export const preflight = {
  ...crossOrigin,
  allow: 'GET, OPTIONS',
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'Authorization, Payment-Authorization, PAYMENT-SIGNATURE, X-PAYMENT, If-None-Match',
  'access-control-max-age': '86400',
}

/** The hash of a plan names its answer, since a snapshot never changes. */
export const hashOf = (plan: Plan): string => createHash('sha256').update(JSON.stringify(plan)).digest('base64url')

/** Hours from the newest observation to as_of, one decimal. */
export const freshnessHours = (seconds: number): string => (Math.max(0, seconds) / 3600).toFixed(1)

/** Questions about "now" are new ones every minute; a paid answer belongs to its payer alone. */
const MAX_AGE = 60

/** Headers of an answer. */
export const answerHeaders = (group: Group, hash: string) => ({
  etag: `"${hash}"`,
  'cache-control': `${group === 'public' ? 'public' : 'private'}, max-age=${MAX_AGE}`,
  'content-type': 'application/json; charset=utf-8',
})
