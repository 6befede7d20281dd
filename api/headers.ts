import { createHash } from 'node:crypto'
import type { Group, Plan } from '../engine/index.ts'

/** Headers that a page of another origin may read. */
const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
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
  'X-Snapshot-Fallback',
].join(', ')

/** Headers of every response. */
export const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff',
}

/** Headers of the answer to a preflight request. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Payment-Authorization, PAYMENT-SIGNATURE, X-PAYMENT, Idempotency-Key, If-None-Match',
  'access-control-max-age': '86400',
}

const isReference = ({ query }: Plan): boolean => query.startsWith('reference/')

/** The hash of a plan names its answer, since a snapshot never changes; reference has no "now". */
export const hashOf = (plan: Plan): string => {
  const asked = isReference(plan) ? { ...plan, as_of: undefined } : plan
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}

/** Questions about "now" are new ones every minute; reference answers are pinned to their versions, and stand a day. */
const MAX_AGE = 60
const REFERENCE_MAX_AGE = 86_400

/** Headers of an answer. A paid one belongs to its payer: no shared cache may keep it. */
export const answerHeaders = (group: Group, hash: string) => ({
  etag: `"${hash}"`,
  'cache-control': `${group === 'public' ? 'public' : 'private'}, max-age=${group === 'reference' ? REFERENCE_MAX_AGE : MAX_AGE}`,
  'content-type': 'application/json; charset=utf-8',
})

/** Whether an If-None-Match header names the answer of this hash; only of a free one will `*` do. */
export const isHeld = (ifNoneMatch: string | undefined, hash: string, isFree: boolean): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === `"${hash}"` || (isFree && tag === '*'))

/** The age of the newest observation in hours, one decimal, for `X-Data-Freshness-Hours`. */
export const freshnessHours = (seconds: number): string => (Math.max(0, seconds) / 3600).toFixed(1)

type Versions = { gpc_release: string | null; map_version: string | null }

/** What a reference answer is pinned to; `none` where nothing is loaded. */
export const versionHeaders = ({ gpc_release, map_version }: Versions) => ({
  'x-gpc-release': gpc_release ?? 'none',
  'x-map-version': map_version ?? 'none',
})

/** The versions a plan was made with. */
export const versionsOf = (plan: Plan | null): Versions | undefined =>
  (plan?.context as { versions?: Versions } | undefined)?.versions

/** The durations of steps in milliseconds, as a `Server-Timing` header. */
export const serverTiming = (steps: Record<string, number>): string =>
  Object.entries(steps)
    .map(([step, milliseconds]) => `${step};dur=${milliseconds.toFixed(2)}`)
    .join(', ')
