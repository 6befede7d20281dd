import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { EngineError } from '../engine/index.ts'
import { openAdmin } from './admin.ts'
import { type Config, ConfigError, connectionsOf } from './config.ts'
import { createLake } from './lake.ts'
import { createLogger } from './log.ts'
import { createMetrics } from './metrics.ts'
import { withPackages } from './packages.ts'
import type { Payments } from './payment/payments.ts'
import { buildApp } from './server.ts'

/** What stops a service; SIGHUP when its terminal closes. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** How long open connections stay for their next request, whose answer ends them; idle ones then close. */
const NOTICE_MS = 500
/** How long questions under way may still take; what is left is cut off. */
const DRAIN_MS = 8500

const WITHOUT_PAYMENTS = 'SHELFMARK_PAYMENTS=off serves without payments'

/** The libraries of the chains are optional, and take a second to load. */
const openPayments = async (config: Config, log: FastifyBaseLogger): Promise<Payments | null> => {
  if (config.payments === 'off') return null
  const load = () => import('./payment/payments.ts')
  return (await withPackages(`SHELFMARK_PAYMENTS: ${config.payments}`, load, WITHOUT_PAYMENTS)).openPayments(
    config,
    log,
  )
}

/**
 * Serves the lake until SIGTERM, SIGINT or SIGHUP, then lets questions under way end and leaves with exit code 0 within ten
 * seconds. Returns the address it listens on.
 */
export const serve = async (config: Config): Promise<string> => {
  const log = createLogger(config.log_level)
  const { reload_ms, as_of, threads, memory_limit, memory_budget, scrub_hours } = config
  const lake = createLake({
    lake: config.lake,
    reload_ms,
    options: {
      as_of,
      threads,
      memory_limit,
      memory_budget,
      connections: connectionsOf(config),
      scrub_hours,
      warm: true,
    },
    log,
  })
  const metrics = createMetrics()
  let payments: Payments | null | undefined
  let isLeaving = false
  const admin = await openAdmin({ config, lake, payments: () => payments, metrics, isStopping: () => isLeaving })
  payments = await openPayments(config, log)
  const app = buildApp({ lake, config, payments, logger: log, metrics })

  app.addHook('onSend', async (_, reply) => {
    if (isLeaving) reply.header('connection', 'close')
  })
  const leave = async () => {
    // Ctrl-C reaches this process twice: from the terminal and from npm.
    if (isLeaving) return
    isLeaving = true
    // That of HTTP would at once close connections on which a request may be on its way.
    const everyoneLeft = new Promise((resolve) => Server.prototype.close.call(app.server, resolve))
    await sleep(NOTICE_MS)
    app.server.closeIdleConnections()
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    await everyoneLeft
    await payments?.close()
    process.exit(0)
  }
  for (const signal of SIGNALS) process.on(signal, leave)

  const address = await app.listen({ host: config.host, port: config.port })
  if (admin) log.info({ address: admin.address }, 'health and metrics')
  await lake.watch()
  return address
}

const unbindable = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND']

/** Ends a process that could not start: exit code 2 where a setting is at fault, else 3. */
export const giveUp = (error: unknown): never => {
  const { code = '', message } = error as NodeJS.ErrnoException
  const isSetting = error instanceof ConfigError || unbindable.includes(code)
  const advice = unbindable.includes(code) ? '; set SHELFMARK_HOST and SHELFMARK_PORT to an address that is free' : ''
  const isTold = isSetting || error instanceof EngineError
  process.stderr.write(`${isTold ? `${message}${advice}` : (error as Error).stack}\n`)
  process.exit(isSetting ? 2 : 3)
}
