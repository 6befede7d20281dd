import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { OPEN_AT_ONCE, openStore } from '../engine/index.ts'
import { readSchemas } from './contract/openapi-schemas.ts'
import { openAdmin } from './ops/admin.ts'
import { clusterOptions, watchCluster } from './ops/cluster.ts'
import { type Config, clusterOf, connectionsOf } from './ops/config.ts'
import { createLake } from './ops/lake.ts'
import { createLogger } from './ops/log.ts'
import { createMetrics } from './ops/metrics.ts'
import { withPackages } from './ops/packages.ts'
import { requireFreePort } from './ops/ports.ts'
import { createReplica } from './ops/replica.ts'
import { requireLocalChains } from './payment/local-chains.ts'
import type { Payments } from './payment/payments.ts'
import { buildApp } from './server.ts'

/** Signals that stop the service; SIGHUP is sent when its terminal closes. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** How long idle connections stay open for requests that are on their way. */
const IDLE_GRACE_MS = 500
/** How long running requests may still take; then their connections are closed. */
const DRAIN_MS = 8500

const WITHOUT_PAYMENTS = 'SHELFMARK_PAYMENTS=off serves without payments'

/** Loaded on demand: the libraries of the chains are optional, and take a second to load. */
const openPayments = async (config: Config, log: FastifyBaseLogger): Promise<Payments | null> => {
  if (config.payments === 'off') return null
  const load = () => import('./payment/payments.ts')
  return (await withPackages(`SHELFMARK_PAYMENTS: ${config.payments}`, load, WITHOUT_PAYMENTS)).openPayments(
    config,
    log,
  )
}

/** The part of a memory limit, such as `2GiB`, that one snapshot may use. */
const shareOf = (limit: string): string => limit.replace(/^[\d.]+/, (number) => String(Number(number) / OPEN_AT_ONCE))

/**
 * Serves the lake until SIGTERM, SIGINT or SIGHUP, then lets running requests finish and exits with code 0 within ten
 * seconds. Returns the address it listens on, once the first page has its example. `makeLake` runs while payments and pages
 * are being opened, after the ports were tried.
 */
export const serve = async (config: Config, makeLake?: () => Promise<void>): Promise<string> => {
  if (config.payments === 'embedded') requireLocalChains()
  await requireFreePort(config.port, config.host)
  const log = createLogger(config.log_level)
  for (const advice of config.unknown) log.warn(advice)
  const metrics = createMetrics()
  const { reload_ms, as_of, threads, memory_limit, memory_budget, scrub_hours } = config
  const lake = createLake({
    lake: config.lake,
    reload_ms,
    options: {
      as_of,
      threads,
      memory_limit: shareOf(memory_limit),
      memory_budget,
      connections: connectionsOf(config),
      scrub_hours,
      has_standby: true,
      warm: true,
      ...clusterOptions(config, metrics),
    },
    log,
  })
  const cluster = clusterOf(config) === null ? null : watchCluster({ lake, metrics, log })
  const replica =
    config.store === undefined
      ? null
      : createReplica({
          store: openStore(config.store, config.aws),
          folder: config.lake,
          without_facts: cluster !== null,
          lake,
          poll_ms: config.store_poll_ms,
          log,
        })
  let payments: Payments | null | undefined
  let isStopping = false
  const admin = await openAdmin({
    config,
    lake,
    replica,
    cluster,
    payments: () => payments,
    metrics,
    isStopping: () => isStopping,
  })
  const making = makeLake?.()
  // Awaited below; if it has failed by then, that is not unhandled.
  making?.catch(() => {})
  payments = await openPayments(config, log)
  const app = buildApp({ lake, config, payments, logger: log, metrics })
  // Loads what draws while the lake is made or opened, rather than with the first plot.
  void app.drawing.start()
  // Else the first contract would keep other requests waiting.
  readSchemas()
  await making

  app.addHook('onSend', async (_, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  const stop = async () => {
    // Ctrl-C arrives twice: from the terminal and from npm.
    if (isStopping) return
    isStopping = true
    const replicaClosed = replica?.close()
    cluster?.close()
    // The close method of http.Server would immediately close idle connections, on which a request may be on its way.
    const closed = new Promise((resolve) => Server.prototype.close.call(app.server, resolve))
    await sleep(IDLE_GRACE_MS)
    app.server.closeIdleConnections()
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    await closed
    await payments?.close()
    await replicaClosed
    process.exit(0)
  }
  for (const signal of SIGNALS) process.on(signal, stop)

  const address = await app.listen({ host: config.host, port: config.port })
  if (admin) log.info({ address: admin.address }, 'health and metrics')
  replica?.start()
  await lake.watch()
  await cluster?.start()
  await app.warmPages()
  return address
}
