import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import {
  AWS_VARIABLES,
  type AwsEnvironment,
  EngineError,
  HOUR_MS,
  openStore,
  quotedValue,
  readClusterAddress,
} from '../../engine/index.ts'
import { paymentSettingErrors, paymentSettings, positive } from './payment-settings.ts'
import { unknownSettings } from './unknown-settings.ts'

const wholeNumber = (min: number, max: number) => {
  const message = `expected a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message)
}
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, `expected one of ${values.join(', ')}`)
const text = (message: string) => z.string(message).trim().min(1, message)
/** Entries with commas between. */
const listOf = (isEntry: (text: string) => boolean, message: string) =>
  z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .refine((list) => list.every(isEntry), message)

const dateOrTime = z
  .union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    'expected a date or an RFC 3339 time, such as 2026-11-21T08:00:00Z',
  )
  .transform((text) => new Date(text))
const size = z.string().regex(/^\d+(\.\d+)?\s*(KiB|MiB|GiB|KB|MB|GB)$/i, 'expected a size such as 2GiB')
const UNITS: Readonly<Record<string, number>> = { ki: 2 ** 10, mi: 2 ** 20, gi: 2 ** 30, k: 1e3, m: 1e6, g: 1e9 }
/** The bytes of a size such as 2GiB. */
const bytesOf = (size: string): number => Number.parseFloat(size) * UNITS[size.toLowerCase().replace(/[^a-z]|b$/g, '')]!

const isNetwork = (text: string): boolean => {
  const [address = '', bits = '32', ...others] = text.split('/')
  const family = isIP(address)
  return family > 0 && others.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
const proxies = listOf(isNetwork, 'expected addresses or networks, such as 10.0.0.0/8,::1')

const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
const origins = listOf(isOrigin, 'expected origins, such as https://app.example.com, or *')

/** Every setting of the service, from the environment; `.env.example` lists them all. */
export const settings = z.object({
  SHELFMARK_LAKE: text('expected a folder').default('data/lake').describe('Lake folder.'),
  SHELFMARK_HOST: text('expected an address').default('127.0.0.1').describe('Address to bind.'),
  SHELFMARK_PORT: wholeNumber(0, 65_535)
    .default(8402)
    .describe('Port to bind; 0 picks a free one, which the first log line names.'),
  SHELFMARK_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'expected an address such as https://prices.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public address; default http://HOST:PORT.'),
  SHELFMARK_PROXIES: proxies
    .optional()
    .describe('Addresses or networks, with commas between, of proxies whose X-Forwarded-For names the client.'),
  SHELFMARK_CORS: origins
    .optional()
    .describe(
      'Origins, with commas between, whose pages may read answers, or * for all; default * unless SHELFMARK_PAYMENTS is off, then none.',
    ),
  SHELFMARK_CONTACT: z
    .email('expected a mail address')
    .optional()
    .describe('Mail address of the operator, published in /openapi.json.'),
  SHELFMARK_PAYMENTS: oneOf('embedded', 'facilitator', 'off')
    .default('embedded')
    .describe('embedded (local chains, test money), facilitator (production) or off (loopback only).'),
  SHELFMARK_AS_OF: dateOrTime.optional().describe('A fixed current time (RFC 3339 or date); default the clock.'),
  SHELFMARK_JOURNAL: text('expected a file or postgres://...')
    .optional()
    .describe("Payment journal: a file or postgres://...; default a file in the lake's parent folder."),
  ...paymentSettings,
  SHELFMARK_ADMIN_PORT: z
    .union(
      [z.literal('').transform(() => null), wholeNumber(0, 65_535)],
      'expected a whole number from 0 to 65535, or nothing',
    )
    .default(8403)
    .describe('Port of /livez, /readyz and /metrics; default SHELFMARK_PORT + 1; 0 picks a free one, empty: none.'),
  SHELFMARK_ADMIN_HOST: text('expected an address')
    .default('127.0.0.1')
    .describe('Address to bind for those; on 127.0.0.1 they are for this machine alone.'),
  SHELFMARK_SLOW_MS: wholeNumber(0, 600_000)
    .default(1000)
    .describe('Queries that take longer than this, in milliseconds, are logged with their plan.'),
  SHELFMARK_LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .describe('Minimum severity of log lines.'),
  SHELFMARK_THREADS: wholeNumber(1, 1024).optional().describe('DuckDB threads; default one per core.'),
  SHELFMARK_MEMORY_LIMIT: size
    .default('2GiB')
    .describe('DuckDB memory limit for both snapshots that are open while one replaces the other.'),
  SHELFMARK_MEMORY_BUDGET: size
    .transform(bytesOf)
    .optional()
    .describe(
      'Memory for listings and search indexes of open snapshots; if they do not fit, they are read from the files of the lake, as prices are; default half of physical memory.',
    ),
  SHELFMARK_CONNECTIONS: wholeNumber(1, 64)
    .optional()
    .describe('Maximum number of concurrent queries, half of them for any one group; default the number of cores.'),
  SHELFMARK_QUEUE: wholeNumber(0, 100_000)
    .default(24)
    .describe('Maximum number of waiting queries of a group; more are answered 503.'),
  SHELFMARK_MAX_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(2000)
    .describe('Maximum number of open connections; more are answered 503.'),
  SHELFMARK_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(8000)
    .describe('Maximum duration of a request, in milliseconds, without the time of payment networks.'),
  SHELFMARK_SETTLE_MS: wholeNumber(100, 120_000)
    .default(20_000)
    .describe('Maximum time to verify a payment, and again to settle it, in milliseconds.'),
  SHELFMARK_MAX_SETTLEMENTS: wholeNumber(1, 1_000_000)
    .default(1000)
    .describe('Maximum number of payments being settled or in doubt; beyond it no new one is taken.'),
  SHELFMARK_IDLE_MS: wholeNumber(100, 600_000)
    .default(15_000)
    .describe('Maximum time to receive a request, and maximum idle time between two, in milliseconds.'),
  SHELFMARK_RATE: wholeNumber(1, 100_000_000)
    .default(6000)
    .describe('Maximum number of requests of a client per minute.'),
  SHELFMARK_BURST: wholeNumber(1, 100_000_000)
    .default(1000)
    .describe('Maximum number of requests of a client at once.'),
  SHELFMARK_CACHE_MIB: wholeNumber(0, 65_536).default(64).describe('Memory for cached answers, in MiB.'),
  SHELFMARK_RELOAD_MS: wholeNumber(50, HOUR_MS)
    .default(1000)
    .describe('Interval at which the lake is checked for a new snapshot, in milliseconds.'),
  SHELFMARK_STORE: text('expected a folder or s3://BUCKET/PREFIX')
    .optional()
    .describe(
      'Store whose snapshots are pulled into the lake: a folder, or s3://BUCKET/PREFIX with AWS_ACCESS_KEY_ID and the like.',
    ),
  SHELFMARK_STORE_POLL_MS: wholeNumber(50, HOUR_MS)
    .default(30_000)
    .describe('Interval at which the store is checked for a new snapshot, in milliseconds, more or less.'),
  SHELFMARK_BACKEND: text('expected duckdb or clickhouse://USER:PASSWORD@HOST:PORT,...')
    .default('duckdb')
    .describe(
      'What computes queries over prices: duckdb, or clickhouse://USER:PASSWORD@HOST:PORT,... after refresh load into these nodes.',
    ),
  SHELFMARK_SCRUB_HOURS: positive(/^\d{1,4}(\.\d{1,6})?$/, 'expected hours, such as 24 or 0.5')
    .default(24)
    .describe('Interval in which every file of the open snapshot is hashed again, in hours.'),
})

type SettingName = keyof typeof settings.shape
type ParsedSettings = z.output<typeof settings>

/** The settings under their short names: `SHELFMARK_BASE_URL` is `base_url`. */
export type Config = {
  [N in SettingName as N extends `SHELFMARK_${infer Short}` ? Lowercase<Short> : never]: ParsedSettings[N]
} & {
  /** Where the S3 of a store is, and its keys. */
  aws: AwsEnvironment
  /** What is wrong with variables that look like settings and are none. */
  unknown: readonly string[]
}

/** The address of the cluster that computes queries over prices; null if DuckDB does. */
export const clusterOf = ({ backend }: Pick<Config, 'backend'>): string | null =>
  backend === 'duckdb' ? null : backend

/** The number of concurrent queries; by default the number of cores. */
export const connectionsOf = ({ connections }: Config): number =>
  connections ?? Math.min(64, Math.max(2, availableParallelism()))

/** Invalid settings. Its message has a line for each, with what is expected and, unless it may be a secret, the value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Whether a host is this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const isOpenToAll = ({
  SHELFMARK_PAYMENTS: payments,
  SHELFMARK_HOST: host,
}: Partial<Record<SettingName, string>>): boolean => payments === 'off' && host !== undefined && !isLoopback(host)

const MAX_PORT = 65_535

/** Settings for which an empty value has a meaning. */
const MAY_BE_EMPTY: SettingName[] = ['SHELFMARK_ADMIN_PORT']

/** Settings whose values are not printed: keys, addresses that may contain one, and payees, where one may be pasted. */
const MAY_BE_SECRET = /_(TOKEN|SECRET|KEY|PASSWORD|URL|JOURNAL|BACKEND|PAY_TO)(_|$)/

const gotText = (name: string, value: string | undefined): string =>
  MAY_BE_SECRET.test(name) ? '' : `, got ${quotedValue(value)}`

const isSet = (name: string, value: string | undefined): boolean =>
  value !== undefined && (value !== '' || MAY_BE_EMPTY.some((other) => other === name))

/** Why a setting is refused by what reads it; null if it is not. */
const refusalOf = (read: () => unknown): string | null => {
  try {
    read()
    return null
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.message
  }
}

/** Why the settings that name stores and clusters are refused. */
const addressErrors = (
  { SHELFMARK_STORE: store, SHELFMARK_BACKEND: backend }: ParsedSettings,
  environment: AwsEnvironment,
): string[] => {
  const ofStore = store === undefined ? null : refusalOf(() => openStore(store, environment))
  const ofBackend = backend === 'duckdb' ? null : refusalOf(() => readClusterAddress(backend))
  return [
    ...(ofStore === null ? [] : [`SHELFMARK_STORE: ${ofStore}`]),
    ...(ofBackend === null ? [] : [`SHELFMARK_BACKEND: ${ofBackend.replace('expected ', 'expected duckdb or ')}`]),
  ]
}

/** Reads the settings; most empty ones count as not set. Throws ConfigError naming every invalid one. */
export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const given: Partial<Record<SettingName, string>> = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => (isSet(name, environment[name]) ? [[name, environment[name]]] : [])),
  )
  const { data, error } = settings.safeParse(given)
  const errors =
    error?.issues.map(({ path: [name], message }) => {
      const setting = String(name) as SettingName
      return `${setting}: ${message}${gotText(setting, given[setting])}`
    }) ?? []
  if (isOpenToAll(given))
    errors.push(
      `SHELFMARK_HOST: expected 127.0.0.1, got ${quotedValue(given.SHELFMARK_HOST)}: with SHELFMARK_PAYMENTS=off only this machine may be served`,
    )
  if (data) errors.push(...paymentSettingErrors(data))
  if (data) errors.push(...addressErrors(data, environment))
  if (!data || errors.length > 0) throw new ConfigError(['Invalid settings:', ...errors].join('\n  '))
  if (given.SHELFMARK_ADMIN_PORT === undefined)
    data.SHELFMARK_ADMIN_PORT = data.SHELFMARK_PORT && Math.min(data.SHELFMARK_PORT + 1, MAX_PORT)
  const short = Object.entries(data).map(([name, value]) => [name.replace('SHELFMARK_', '').toLowerCase(), value])
  const aws = AWS_VARIABLES.map((name) => [name, environment[name]])
  const unknown = unknownSettings(environment, Object.keys(settings.shape))
  return Object.fromEntries([...short, ['aws', Object.fromEntries(aws)], ['unknown', unknown]])
}
