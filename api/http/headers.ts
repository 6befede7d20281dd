import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Group, Plan } from '../../engine/index.ts'
import { DAY_SECONDS } from '../../engine/index.ts'

/** Response headers that pages of other origins may read. */
export const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'Payment-Receipt',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Server-Timing',
  'X-Request-Id',
  'X-Data-Freshness-Hours',
  'X-GPC-Release',
  'X-Map-Version',
  'X-Snapshot-Fallback',
].join(', ')

/** Headers of every response. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
}

/** Request headers that select or carry a payment: caches must not reuse an answer for other values of these. */
const PAYMENT_HEADERS = ['Authorization', 'Payment-Authorization', 'PAYMENT-SIGNATURE', 'X-PAYMENT', 'Accept-Payment']

/**
 * Request headers that pages of other origins may send: ours, and those that published clients add. x402 clients send
 * `Access-Control-Expose-Headers`, although it is a response header.
 */
const ALLOWED = [
  ...PAYMENT_HEADERS,
  'Idempotency-Key',
  'If-None-Match',
  'Accept',
  'Content-Type',
  'X-Request-Id',
  'Access-Control-Expose-Headers',
].join(', ')

/** Headers of the answer to a preflight request. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': ALLOWED,
  'access-control-max-age': '86400',
}

/** Hashes by the bindings of their plan; a repeated query has the same bindings object. */
const hashes = new WeakMap<Plan['bindings'], string>()

/**
 * Identifies the answer of a plan: snapshots never change, so equal hashes mean equal answers. The time of the request
 * is left out; its UTC day is included where the bindings depend on it.
 */
export const hashOf = ({ snapshot_id, query, bindings, context }: Plan): string => {
  const cached = hashes.get(bindings)
  if (cached !== undefined) return cached
  const undated = { ...(context as object), as_of: undefined }
  const hash = createHash('sha256')
    .update(JSON.stringify([snapshot_id, query, bindings, undated]))
    .digest('base64url')
  hashes.set(bindings, hash)
  return hash
}

/** A refresh can replace answers at any time; reference answers are pinned to their versions and valid for a day. */
const MAX_AGE_SECONDS = 60
const REFERENCE_MAX_AGE_SECONDS = DAY_SECONDS

/**
 * Headers of an answer with a tag, which names its plan and its format. The ETag is weak because `computed_at` and
 * `freshness_seconds` differ each time the answer is sent. A paid answer is private to its payer: shared caches must not
 * store it.
 */
export const answerHeaders = (group: Group, tag: string) => ({
  etag: `W/"${tag}"`,
  'cache-control': `${group === 'public' ? 'public' : 'private'}, max-age=${group === 'reference' ? REFERENCE_MAX_AGE_SECONDS : MAX_AGE_SECONDS}`,
  vary: ['Accept-Encoding', 'Accept', ...(group === 'public' ? [] : PAYMENT_HEADERS)].join(', '),
})

/** Those of some headers that a request has. */
export const headersNamed = (headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))

/** Whether an If-None-Match header names the answer with this tag, or is `*` where that is accepted. */
export const matchesEtag = (ifNoneMatch: string | undefined, tag: string, isAnyAccepted: boolean): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^W\//, ''))
    .some((name) => name === `"${tag}"` || (isAnyAccepted && name === '*'))

/** The age of the newest observation in hours, one decimal, for `X-Data-Freshness-Hours`. */
export const freshnessHours = (seconds: number): string => (Math.max(0, seconds) / 3600).toFixed(1)

type Versions = { gpc_release: string | null; map_version: string | null }

/** The versions that a reference answer is pinned to; `none` if nothing is loaded. */
export const versionHeaders = ({ gpc_release, map_version }: Versions) => ({
  'x-gpc-release': gpc_release ?? 'none',
  'x-map-version': map_version ?? 'none',
})

/** The reference versions of a plan. */
export const versionsOf = (plan: Plan | null): Versions | undefined =>
  (plan?.context as { versions?: Versions } | undefined)?.versions

/** The durations of steps in milliseconds, as a `Server-Timing` header. */
export const serverTiming = (steps: Record<string, number>): string =>
  Object.entries(steps)
    .map(([step, milliseconds]) => `${step};dur=${milliseconds.toFixed(2)}`)
    .join(', ')
