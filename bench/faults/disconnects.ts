import { fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { Lake } from '../../api/ops/lake.ts'
import type { Engine } from '../../engine/index.ts'
import { type Service, serveSample } from '../../test/support/http.ts'
import { type Measured, Tally } from './figure.ts'

const GOAL_MS = 100
const worker = fileURLToPath(new URL('disconnect-worker.ts', import.meta.url))

/** Counts the running plans and runs in the engine of a lake. */
const countingEngine = () => {
  let running = 0
  let started = 0
  const count = <T extends (...args: never[]) => Promise<unknown>>(work: T): T =>
    (async (...args: never[]) => {
      running += 1
      started += 1
      try {
        return await work(...args)
      } finally {
        running -= 1
      }
    }) as unknown as T
  const around = (lake: Lake): Lake => ({
    ...lake,
    engine: () => {
      const engine = lake.engine()
      return (engine &&
        new Proxy(engine, {
          get: (target, name) => {
            const value = Reflect.get(target, name)
            if (typeof value !== 'function') return value
            const bound = value.bind(target)
            return name === 'run' || name === 'plan' ? count(bound) : bound
          },
        })) as Engine | undefined
    },
  })
  return { around, running: () => running, started: () => started }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

/** Clients that disconnect during their queries, a hundred at a time: how long the engine keeps working after the last one. */
export const measureDisconnects = async (rounds: number): Promise<Measured> => {
  const engine = countingEngine()
  const service: Service = await serveSample(
    { SHELFMARK_CACHE_MIB: '0', SHELFMARK_QUEUE: '1000', SHELFMARK_CONNECTIONS: '4' },
    engine.around,
  )
  const tally = new Tally()
  // DuckDB cannot be interrupted while it prepares the statements of the first query.
  await service.get('/v1/analyst/inflation?department=grocery&granularity=daily')
  let slowest = 0
  for (let sent = 0; sent < rounds; sent += 100) {
    const clients = Math.min(100, rounds - sent)
    const child = fork(worker)
    const exited = once(child, 'exit')
    child.send({ port: service.port, clients, from: sent })
    const [disconnectedAt] = (await once(child, 'message')) as [number]
    while (engine.running() > 0) await turn()
    const ms = Math.max(0, performance.timeOrigin + performance.now() - disconnectedAt)
    slowest = Math.max(slowest, ms)
    for (let i = 1; i < clients; i++) tally.count()
    tally.count(ms > GOAL_MS && `the engine kept working for more than ${GOAL_MS} ms`)
    await exited
  }
  const begun = engine.started()
  tally.count(begun === 0 && 'no query began')
  const again = await service.get('/v1/analyst/inflation?category=coffee')
  tally.count(again.status !== 200 && `${again.status} for the next query`)
  return tally.measured(
    `idle ${slowest.toFixed(0)} ms after the last of 100 left, at most; ${begun} plans and runs begun`,
  )
}
