import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../test/support/http.ts'
import { type Measured, Tally } from './figure.ts'
import { load, spreadOf } from './load.ts'
import { computed, numbered } from './numbered.ts'
import { serveProcess } from './served.ts'

const TIMES = 10
const RECOVERY_MS = 5000
const ALLOWED = ['200', '402', '429', '503']

const timed = async (port: number, path: string): Promise<number> => {
  const start = performance.now()
  await send(port, path)
  return performance.now() - start
}

/** Ten times what the service can compute, for a number of seconds. */
export const measureOverload = async (rounds: number): Promise<Measured> => {
  const { port, stop } = await serveProcess({ SHELFMARK_CACHE_MIB: '0' })
  const tally = new Tally()
  const paths = [computed]
  await load({ port, paths, connections: 2, seconds: 1 })
  const alone = await load({ port, paths, connections: 1, seconds: 3 })
  const full = await load({ port, paths, connections: 8, seconds: 3 })
  const capacity = full.sent / 3
  const flood = await load({ port, paths, connections: 2000, rate: capacity * TIMES, seconds: rounds })
  const end = performance.now()
  while ((await timed(port, numbered(computed, 1))) > 2 * alone.p99_ms && performance.now() - end < 60_000)
    await sleep(10)
  const recovered = performance.now() - end
  await stop()
  for (const [status, times] of Object.entries(flood.statuses))
    for (let i = 0; i < times; i++) tally.count(!ALLOWED.includes(status) && status)
  const isQuick = flood.p99_ms < 2 * alone.p99_ms
  const isBack = recovered < RECOVERY_MS
  const summary = [
    `${Math.round(capacity)}/s is the capacity, ${Math.round(flood.sent / rounds)}/s sent for ${rounds} s: ${spreadOf(flood.statuses)}`,
    `served p99 ${flood.p99_ms.toFixed(0)} ms, unloaded ${alone.p99_ms.toFixed(0)} ms`,
    `recovered in ${(recovered / 1000).toFixed(1)} s`,
  ]
  return tally.measured(summary.join('; '), isQuick && isBack)
}
