import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { faultsOfPayments, paymentSettings } from './payment/settings.ts'

const whole = (least: number, most: number) => {
  const send = `send a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,9}$/, send)
    .transform(Number)
    .refine((number) => number >= least && number <= most, send)
}
const oneOf = <const T extends readonly string[]>(...values: T) => z.enum(values, `send one of ${values.join(', ')}`)
const text = (send: string) => z.string(send).trim().min(1, send)

const moment = z
  .union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    'send a date or an RFC 3339 time, such as 2026-11-21T08:00:00Z',
  )
  .transform((text) => new Date(text))
const SIZE = /^\d+(\.\d+)?\s*(KiB|MiB|GiB|KB|MB|GB)$/i
const UNITS: Readonly<Record<string, number>> = { ki: 2 ** 10, mi: 2 ** 20, gi: 2 ** 30, k: 1e3, m: 1e6, g: 1e9 }
/** The bytes of a size such as 2GiB. */
const bytesOf = (size: string): number => Number.parseFloat(size) * UNITS[size.toLowerCase().replace(/[^a-z]|b$/g, '')]!

const isNetwork = (text: string): boolean => {
  const [address = '', bits = '32', ...others] = text.split('/')
  const family = isIP(address)
  return family > 0 && others.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
const proxies = z
  .string()
  .transform((list) => list.split(',').map((address) => address.trim()))
  .refine((list) => list.every(isNetwork), 'send addresses or networks, such as 10.0.0.0/8,::1')

/** Every setting of the service, from the environment; `.env.example` lists them all. */
export const settings = z.object({
  SHELFMARK_LAKE: text('send a folder').default('data/lake').describe('Lake folder.'),
  SHELFMARK_HOST: text('send an address').default('127.0.0.1').describe('Address to bind.'),
  SHELFMARK_PORT: whole(0, 65_535)
    .default(8402)
    .describe('Port to bind; 0 picks a free one, which the first log line names.'),
  SHELFMARK_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'send an address such as https://prices.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public address; default http://HOST:PORT.'),
  SHELFMARK_PROXIES: proxies
    .optional()
    .describe('Addresses or networks, with commas between, of proxies whose X-Forwarded-For names the client.'),
  SHELFMARK_CONTACT: z
    .email('send a mail address')
    .optional()
    .describe('Mail address of who runs the service, named in /openapi.json.'),
  SHELFMARK_PAYMENTS: oneOf('embedded', 'facilitator', 'off')
    .default('embedded')
    .describe('embedded (local chains, test money), facilitator (production) or off (loopback only).'),
  SHELFMARK_AS_OF: moment.optional().describe('A fixed "now" (RFC 3339 or date); default the clock.'),
  SHELFMARK_JOURNAL: text('send a file or postgres://...')
    .optional()
    .describe("Payment journal: a file or postgres://...; default a file in the lake's parent folder."),
  ...paymentSettings,
  SHELFMARK_ADMIN_PORT: z
    .union([z.literal('').transform(() => null), whole(0, 65_535)], 'send a whole number from 0 to 65535, or nothing')
    .default(9402)
    .describe('Port of /livez, /readyz and /metrics; 0 picks a free one, empty: none.'),
  SHELFMARK_ADMIN_HOST: text('send an address')
    .optional()
    .describe('Address to bind for those; default SHELFMARK_HOST.'),
  SHELFMARK_SLOW_MS: whole(0, 600_000)
    .default(1000)
    .describe('A slower query is logged with its plan, in milliseconds.'),
  SHELFMARK_LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .describe('Least severe log line written.'),
  SHELFMARK_THREADS: whole(1, 1024).optional().describe('DuckDB threads; default every core.'),
  SHELFMARK_MEMORY_LIMIT: z
    .string()
    .regex(SIZE, 'send a size such as 2GiB')
    .default('2GiB')
    .describe('DuckDB memory limit, of all open snapshots together.'),
  SHELFMARK_MEMORY_BUDGET: z
    .string()
    .regex(SIZE, 'send a size such as 2GiB')
    .transform(bytesOf)
    .optional()
    .describe(
      'Memory for names and prices of open snapshots; prices that do not fit are read from files; default half of the machine.',
    ),
  SHELFMARK_CONNECTIONS: whole(1, 64)
    .optional()
    .describe('Queries computed side by side, of one group at most half as many; default: as many as there are cores.'),
  SHELFMARK_QUEUE: whole(0, 100_000)
    .default(24)
    .describe('Queries of a group that may wait for one of those; more are answered 503.'),
  SHELFMARK_MAX_CONNECTIONS: whole(1, 1_000_000)
    .default(2000)
    .describe('Connections open at a time; more are answered 503.'),
  SHELFMARK_TIMEOUT_MS: whole(100, 600_000)
    .default(8000)
    .describe('Longest a request may take, in milliseconds, without the time of payment networks.'),
  SHELFMARK_SETTLE_MS: whole(100, 120_000)
    .default(20_000)
    .describe('Longest a payment may take to be verified, and again to be settled, in milliseconds.'),
  SHELFMARK_MAX_SETTLEMENTS: whole(1, 1_000_000)
    .default(1000)
    .describe('Payments being settled or in doubt, beyond which no new one is taken.'),
  SHELFMARK_IDLE_MS: whole(100, 600_000)
    .default(15_000)
    .describe('Longest a client may take to send a request, or stay silent between two, in milliseconds.'),
  SHELFMARK_RATE: whole(1, 100_000_000).default(6000).describe('Requests a client may make in a minute.'),
  SHELFMARK_BURST: whole(1, 100_000_000).default(1000).describe('Requests a client may make at once.'),
  SHELFMARK_CACHE_MIB: whole(0, 65_536).default(64).describe('Memory for answers already computed, in MiB.'),
  SHELFMARK_RELOAD_MS: whole(50, 3_600_000)
    .default(1000)
    .describe('How often the lake is asked for a new snapshot, in milliseconds.'),
  SHELFMARK_SCRUB_HOURS: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,6})?$/, 'send hours, such as 24 or 0.5')
    .transform(Number)
    .refine((hours) => hours > 0, 'send hours, such as 24 or 0.5')
    .default(24)
    .describe('The files of the open snapshot are hashed again within so many hours.'),
})

type Name = keyof typeof settings.shape
type Settings = z.output<typeof settings>

/** The settings under their short names: `SHELFMARK_BASE_URL` is `base_url`. */
export type Config = {
  [N in Name as N extends `SHELFMARK_${infer Short}` ? Lowercase<Short> : never]: Settings[N]
}

/** How many queries are computed side by side: as many as there are cores where no setting says. */
export const connectionsOf = ({ connections }: Config): number =>
  connections ?? Math.min(64, Math.max(2, availableParallelism()))

/** Settings that do not fit. Its message has a line for each, with what to send instead; it repeats no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const isOpenToAll = ({ SHELFMARK_PAYMENTS: payments, SHELFMARK_HOST: host }: Partial<Record<Name, string>>): boolean =>
  payments === 'off' && host !== undefined && !isLoopback(host)

/** Settings that mean something where they are empty. */
const MAY_BE_EMPTY: Name[] = ['SHELFMARK_ADMIN_PORT']

const isGiven = (name: string, value: string | undefined): boolean =>
  value !== undefined && (value !== '' || MAY_BE_EMPTY.some((other) => other === name))

/** Reads the settings; an empty one mostly counts as not given. Throws ConfigError naming every wrong one. */
export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const given: Partial<Record<Name, string>> = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) =>
      isGiven(name, environment[name]) ? [[name, environment[name]]] : [],
    ),
  )
  const { data, error } = settings.safeParse(given)
  const wrong = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  if (isOpenToAll(given)) wrong.push('SHELFMARK_HOST: send 127.0.0.1; elsewhere SHELFMARK_PAYMENTS must not be off')
  if (data) wrong.push(...faultsOfPayments(data))
  if (!data || wrong.length > 0) throw new ConfigError(['Settings that do not fit:', ...wrong].join('\n  '))
  const short = Object.entries(data).map(([name, value]) => [name.replace('SHELFMARK_', '').toLowerCase(), value])
  return Object.fromEntries(short)
}
