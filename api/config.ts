import { isIP } from 'node:net'
import { z } from 'zod'

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => new Date(text))

/** Every setting of the service, from the environment. `.env.example` lists them all. */
export const settings = z.object({
  SHELFMARK_LAKE: z.string().min(1).default('data/lake').describe('Lake folder.'),
  SHELFMARK_HOST: z.string().min(1).default('127.0.0.1').describe('Address to bind.'),
  SHELFMARK_PORT: whole(0, 65_535)
    .default(8402)
    .describe('Port to bind; 0 picks a free one, which the first log line names.'),
  SHELFMARK_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public address; default http://HOST:PORT.'),
  SHELFMARK_PAYMENTS: z
    .enum(['embedded', 'facilitator', 'off'])
    .default('embedded')
    .describe(
      'How paid routes are paid: embedded (local chains, test money), facilitator (production) or off (loopback only).',
    ),
  SHELFMARK_AS_OF: moment.optional().describe('A fixed "now" (RFC 3339 or date); default the clock.'),
  SHELFMARK_JOURNAL: z
    .string()
    .min(1)
    .optional()
    .describe("Payment journal: a file or postgres://...; default a file in the lake's parent folder."),
  SHELFMARK_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line written.'),
  SHELFMARK_THREADS: whole(1, 1024).optional().describe('DuckDB threads; default every core.'),
  SHELFMARK_MEMORY_LIMIT: z
    .string()
    .regex(/^\d+(\.\d+)?\s*(KiB|MiB|GiB|KB|MB|GB)$/i)
    .default('2GiB')
    .describe('DuckDB memory limit.'),
  SHELFMARK_CONNECTIONS: whole(1, 64).default(4).describe('Questions computed side by side.'),
  SHELFMARK_QUEUE: whole(0, 100_000)
    .default(64)
    .describe('Questions that may wait for one of those; more are answered 503.'),
  SHELFMARK_TIMEOUT_MS: whole(100, 600_000).default(10_000).describe('Longest a question may take, in milliseconds.'),
  SHELFMARK_RATE: whole(1, 100_000_000).default(6000).describe('Requests a client may make in a minute.'),
  SHELFMARK_BURST: whole(1, 100_000_000).default(1000).describe('Requests a client may make at once.'),
  SHELFMARK_CACHE_MIB: whole(0, 65_536).default(64).describe('Memory for answers already computed, in MiB.'),
  SHELFMARK_RELOAD_MS: whole(50, 3_600_000)
    .default(1000)
    .describe('How often the lake is asked for a new snapshot, in milliseconds.'),
})

export type Config = ReturnType<typeof readConfig>

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Settings that do not fit, each named with what to send instead. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the settings. Throws ConfigError naming every wrong one. */
export const readConfig = (environment: Record<string, string | undefined>) => {
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const { data, error } = settings.safeParse(given)
  if (!data) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  if (data.SHELFMARK_PAYMENTS === 'off' && !isLoopback(data.SHELFMARK_HOST))
    throw new ConfigError(
      `SHELFMARK_HOST: without payments only a loopback address may be bound, not ${data.SHELFMARK_HOST}; ` +
        'send 127.0.0.1 or turn SHELFMARK_PAYMENTS on',
    )
  return {
    lake: data.SHELFMARK_LAKE,
    host: data.SHELFMARK_HOST,
    port: data.SHELFMARK_PORT,
    base_url: (data.SHELFMARK_BASE_URL ?? `http://${data.SHELFMARK_HOST}:${data.SHELFMARK_PORT}`).replace(/\/$/, ''),
    payments: data.SHELFMARK_PAYMENTS,
    as_of: data.SHELFMARK_AS_OF,
    log_level: data.SHELFMARK_LOG_LEVEL,
    threads: data.SHELFMARK_THREADS,
    memory_limit: data.SHELFMARK_MEMORY_LIMIT,
    connections: data.SHELFMARK_CONNECTIONS,
    queue: data.SHELFMARK_QUEUE,
    timeout_ms: data.SHELFMARK_TIMEOUT_MS,
    rate_per_minute: data.SHELFMARK_RATE,
    burst: data.SHELFMARK_BURST,
    cache_bytes: data.SHELFMARK_CACHE_MIB * 1024 * 1024,
    reload_ms: data.SHELFMARK_RELOAD_MS,
  }
}
