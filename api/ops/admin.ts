import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { ClusterWatch } from './cluster.ts'
import { type Config, ConfigError, isLoopback } from './config.ts'
import { hostnameOf } from './host.ts'
import type { WatchedLake } from './lake.ts'
import { addLakeMetrics } from './lake-metrics.ts'
import type { Metrics } from './metrics.ts'
import { type PaymentState, pricesReadiness, readiness } from './readiness.ts'
import type { Replica } from './replica.ts'
import { addReplicaMetrics } from './replica-metrics.ts'

/** What the admin listener reports on. It is for operators; clients of the API use the main listener. */
export type AdminOptions = {
  config: Pick<Config, 'admin_port' | 'admin_host'>
  lake: WatchedLake
  /** What pulls snapshots from a store; null without one. */
  replica?: Replica | null
  /** What checks the nodes of a cluster; null without one. */
  cluster?: ClusterWatch | null
  /** Undefined while they are being opened, null if they are off. */
  payments(): PaymentState | null | undefined
  metrics: Metrics
  /** Whether the service is about to exit, so that no more requests are to be sent to it. */
  isStopping(): boolean
}

type AdminPage = { status: number; type: string; body: string }

const json = (status: number, value: unknown): AdminPage => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

const stateOf = ({ lake, payments, isStopping, replica, cluster }: AdminOptions) =>
  readiness({ lake, payments: payments(), isStopping: isStopping(), replica, cluster })

const pages: Record<string, (options: AdminOptions) => Promise<AdminPage> | AdminPage> = {
  '/livez': () => json(200, { status: 'ok' }),
  '/readyz': async (options) => {
    const state = await stateOf(options)
    return json(state.status === 'ready' ? 200 : 503, state)
  },
  '/readyz/prices': async (options) => {
    const state = pricesReadiness(await stateOf(options))
    return json(state.status === 'ready' ? 200 : 503, state)
  },
  '/metrics': async ({ metrics: { registry } }) => ({
    status: 200,
    type: registry.contentType,
    body: await registry.metrics(),
  }),
}

/** On this machine alone, only its own names reach the listener: another may be made to point here by a page. */
const isForOwnName = (request: IncomingMessage, admin_host: string): boolean =>
  !isLoopback(admin_host) || isLoopback(hostnameOf(`http://${request.headers.host}`) ?? '')

const answer = async (request: IncomingMessage, response: ServerResponse, options: AdminOptions): Promise<void> => {
  const [path = ''] = (request.url ?? '').split('?')
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  const { status, type, body } = !isForOwnName(request, options.config.admin_host)
    ? json(400, { error: 'Host: expected a name of this machine, such as localhost.' })
    : page
      ? await page(options)
      : json(404, { error: `No such path; available: ${Object.keys(pages).join(', ')}.` })
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * Starts the admin listener, to which no rate limit or queue applies. Returns its address and a function that closes
 * it; null if no port is set. Throws ConfigError if the port cannot be bound.
 */
export const openAdmin = async (options: AdminOptions) => {
  const { admin_port, admin_host } = options.config
  if (admin_port === null) return null
  const { registry } = options.metrics
  collectDefaultMetrics({ register: registry })
  addLakeMetrics(registry, options.lake)
  addReplicaMetrics(registry, options.replica ?? null)
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`${error.name}\n`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(bindError(error)))
    server.listen(admin_port, admin_host, resolve)
  })
  const { address, port, family } = server.address() as AddressInfo
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const bindError = ({ code, message }: NodeJS.ErrnoException): ConfigError =>
  new ConfigError(
    `SHELFMARK_ADMIN_PORT: ${code === 'EADDRINUSE' ? 'the port is in use' : message}; ` +
      'set SHELFMARK_ADMIN_PORT to a free port, or leave it empty to disable the admin listener',
  )
