import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../test/support/http.ts'
import { type Measured, Tally } from './figure.ts'
import { load, spreadOf } from './load.ts'
import { computed, drawnTargets, numbered } from './numbered.ts'
import { serveProcess } from './served.ts'

const TIMES = 10
const RECOVERY_MS = 5000
const WARM_UP_S = 6
const ALLOWED = ['200', '402', '429', '503']

const timed = async (port: number, path: string): Promise<number> => {
  const start = performance.now()
  await send(port, path)
  return performance.now() - start
}

/** Ten times what the service can compute, for a number of seconds. */
export const measureOverload = async (rounds: number): Promise<Measured> => {
  const { port, stop, child } = await serveProcess({ SHELFMARK_CACHE_MIB: '0' })
  const tally = new Tally()
  const queries = { port, targets: [computed], service: child.pid }
  await load({ ...queries, connections: 2, seconds: 2 })
  const full = await load({ ...queries, connections: 8, seconds: 3 })
  const capacity = full.sent / 3
  const tooMany = { ...queries, connections: 2000, rate: capacity * TIMES }
  // A service that has never refused takes several times as long for its first hundreds of refusals, until they are compiled.
  await load({ ...tooMany, seconds: WARM_UP_S })
  await sleep(RECOVERY_MS)
  const alone = await load({ ...queries, connections: 1, seconds: 10 })
  const flood = await load({ ...tooMany, seconds: rounds })
  const floodEnd = performance.now()
  while ((await timed(port, numbered(computed, 1))) > 2 * alone.p99_ms && performance.now() - floodEnd < 60_000)
    await sleep(10)
  const recovered = performance.now() - floodEnd
  await stop()
  for (const [status, times] of Object.entries(flood.statuses))
    for (let i = 0; i < times; i++) tally.count(!ALLOWED.includes(status) && status)
  const isQuick = flood.working_p99_ms < 2 * alone.working_p99_ms
  const isBack = recovered < RECOVERY_MS
  const summary = [
    `${Math.round(capacity)}/s is the capacity, ${Math.round(flood.sent / rounds)}/s sent for ${rounds} s: ${spreadOf(flood.statuses)}`,
    `served p99 ${flood.working_p99_ms.toFixed(0)} ms, unloaded ${alone.working_p99_ms.toFixed(0)} ms`,
    `${flood.p99_ms.toFixed(0)} and ${alone.p99_ms.toFixed(0)} ms with what they wait for a processor`,
    `recovered in ${(recovered / 1000).toFixed(1)} s`,
  ]
  return tally.measured(summary.join('; '), isQuick && isBack)
}

const CHEAP = '/v1/public/stats'
const BESIDE_MS = 50

/** Cheap requests of one client beside a flood of another: what is refused for want of payment, pages, files, MCP and batches. */
export const measureBeside = async (rounds: number): Promise<Measured> => {
  // The default rate and burst: they are what stands between the two.
  const { port, stop, child } = await serveProcess({
    SHELFMARK_PAYMENTS: 'embedded',
    SHELFMARK_RATE: '',
    SHELFMARK_BURST: '',
  })
  const cheap = { port, targets: [CHEAP], connections: 20, rate: 20, from: '127.0.0.2', service: child.pid }
  await load({ ...cheap, seconds: 1 })
  const alone = await load({ ...cheap, seconds: 5 })
  const params = { category: 'coffee', days: '{days}' }
  const targets = [computed, '/v1/shopper/best-price?q=coffee', ...drawnTargets('analyst/inflation', params)]
  const [flood, beside] = await Promise.all([
    load({ port, targets, connections: 200, seconds: rounds }),
    load({ ...cheap, seconds: rounds }),
  ])
  await stop()
  const tally = new Tally()
  for (const { statuses, allowed } of [
    { statuses: flood.statuses, allowed: ALLOWED },
    { statuses: beside.statuses, allowed: ['200'] },
  ])
    for (const [status, times] of Object.entries(statuses))
      for (let i = 0; i < times; i++) tally.count(!allowed.includes(status) && status)
  const isQuick = beside.working_p99_ms < Math.max(BESIDE_MS, 2 * alone.working_p99_ms)
  return tally.measured(
    `${Math.round(flood.sent / rounds)}/s of another client: ${spreadOf(flood.statuses)}; cheap requests p99 ${beside.working_p99_ms.toFixed(0)} ms, alone ${alone.working_p99_ms.toFixed(0)} ms; ${beside.p99_ms.toFixed(0)} ms with what they wait for a processor`,
    isQuick,
  )
}
