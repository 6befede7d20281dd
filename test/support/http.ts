import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { openAdmin } from '../../api/ops/admin.ts'
import { clusterOptions, watchCluster } from '../../api/ops/cluster.ts'
import { type Config, clusterOf, connectionsOf, readConfig } from '../../api/ops/config.ts'
import { createLake, type Lake, type LakeState } from '../../api/ops/lake.ts'
import { createLogger } from '../../api/ops/log.ts'
import { createMetrics } from '../../api/ops/metrics.ts'
import type { Payments } from '../../api/payment/payments.ts'
import { buildApp } from '../../api/server.ts'
import { type AnyQuery, queries, requiredParams } from '../../engine/index.ts'
import { atEnd } from './at-end.ts'
import { sampleLake, temporaryFolder } from './given.ts'

export type Reply = { status: number; headers: IncomingHttpHeaders; body: string }
export type Send = {
  method?: string
  headers?: Record<string, string>
  body?: string
  agent?: Agent | false
  signal?: AbortSignal
}
export type LogLine = Record<string, unknown> & { msg: string }

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Sends a request whose path goes out byte for byte. */
export const send = async (port: number, path: string, { body, ...options }: Send = {}): Promise<Reply> => {
  const sent = request({ port, host: '127.0.0.1', path, agent, ...options }).end(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

export type Service = {
  port: number
  config: Config
  log: LogLine[]
  /** The state of its lake, as the operator sees it. */
  state(): LakeState
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  /** Asks the second listener, which SHELFMARK_ADMIN_PORT opens. */
  watch(path: string, headers?: Record<string, string>): Promise<Reply>
}

/** Each check for changes reads the state of every file of the lake. */
const NEVER_MS = '3600000'

/** A setting for tests that refresh or damage a lake while it is served. */
export const RELOADED = { SHELFMARK_RELOAD_MS: '50' }

const paymentsOf = async (config: Config, log: FastifyBaseLogger): Promise<Payments | null> =>
  config.payments === 'off' ? null : (await import('../../api/payment/payments.ts')).openPayments(config, log)

/**
 * Serves a lake on a free port until the test file ends, as it is now (see `RELOADED`) and without payments unless the
 * settings say otherwise. `wrap` may put something between the service and its lake.
 */
export const serveLake = async (
  folder: string,
  environment: Record<string, string> = {},
  wrap: (lake: Lake) => Lake = (lake) => lake,
  open = paymentsOf,
): Promise<Service> => {
  const config = readConfig({
    SHELFMARK_PAYMENTS: 'off',
    SHELFMARK_PORT: '0',
    SHELFMARK_ADMIN_PORT: '',
    SHELFMARK_RATE: '10000000',
    SHELFMARK_BURST: '1000000',
    SHELFMARK_RELOAD_MS: NEVER_MS,
    SHELFMARK_JOURNAL: join(await temporaryFolder(), 'payments.jsonl'),
    ...environment,
    SHELFMARK_LAKE: folder,
  })
  const log: LogLine[] = []
  const logger = createLogger('info', { write: (line: string) => void log.push(JSON.parse(line)) })
  const { reload_ms, as_of, scrub_hours } = config
  const metrics = createMetrics()
  const lake = createLake({
    lake: folder,
    reload_ms,
    options: { as_of, connections: connectionsOf(config), scrub_hours, threads: 1, ...clusterOptions(config, metrics) },
    log: logger,
  })
  const payments = await open(config, logger)
  const cluster = clusterOf(config) === null ? null : watchCluster({ lake, metrics, log: logger })
  const admin = await openAdmin({ config, lake, cluster, payments: () => payments, metrics, isStopping: () => false })
  const app = buildApp({ lake: wrap(lake), config, payments, logger, metrics })
  atEnd(async () => {
    agent.destroy()
    await app.close()
    cluster?.close()
    admin?.close()
    await lake.close()
    await payments?.close()
  })
  await app.listen({ host: config.host, port: config.port })
  await lake.watch()
  await cluster?.start()
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    config,
    log,
    state: lake.state,
    get: (path, headers = {}) => send(port, path, { headers }),
    watch: (path, headers = {}) => send(Number(new URL(admin?.address ?? '').port), path, { headers, agent: false }),
  }
}

/** Serves the sample lake at the moment after its last observation. */
export const serveSample = async (
  environment: Record<string, string> = {},
  wrap?: (lake: Lake) => Lake,
  open = paymentsOf,
) => {
  const { lake, as_of } = await sampleLake()
  return serveLake(lake, { SHELFMARK_AS_OF: as_of.toISOString(), ...environment }, wrap, open)
}

export const pathTo = ({ group, name }: AnyQuery): string => `/v1/${group}/${name}`

type Schema = { properties?: Record<string, { examples?: string[] }>; required?: string[] }

/** A path for each query that the sample lake can answer, from the examples of what it requires, else of a product or category. */
export const samplePaths = (): { query: AnyQuery; path: string }[] =>
  queries.map((query) => {
    const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input' }) as Schema
    const [either = []] = ['q', 'category'].flatMap((name) => (properties[name]?.examples ? [[name]] : []))
    const names = required.length === 0 ? either : requiredParams(query).map(([name]) => name!)
    const params = new URLSearchParams()
    for (const name of names) params.set(name, properties[name]?.examples?.[0] ?? '')
    return { query, path: `${pathTo(query)}?${params}` }
  })
