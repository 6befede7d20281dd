// A client in a separate process: sends the requests of a load, and reports the responses.
import { Agent, request as send } from 'node:http'
import { scheduled } from '../../test/support/scheduled.ts'
import { quantile } from '../quantile.ts'
import type { Load, Loaded } from './load.ts'
import { numbered } from './numbered.ts'

const TICK_MS = 10
const MAX_OUTSTANDING = 2000

const MUST_SAY_WHEN = ['429', '503']

const run = async ({
  port,
  targets,
  from = '127.0.0.1',
  connections,
  rate,
  seconds,
  requests = Infinity,
  service,
}: Load): Promise<Loaded> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses: Record<string, number> = {}
  const served: number[] = []
  const working: number[] = []
  const waitedMs = (): number =>
    service === undefined ? 0 : scheduled(service).waited_ms + scheduled('self').waited_ms
  const deadline = performance.now() + seconds * 1000
  let sent = 0
  let unsent = 0
  let outstanding = 0
  const count = (status: string): void => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const request = (): Promise<void> => {
    const target = targets[sent % targets.length]!
    const { path, headers, body } = typeof target === 'string' ? { path: target, headers: {} } : target
    const options = { agent, port, host: '127.0.0.1', localAddress: from, path: numbered(path, sent), headers }
    sent += 1
    outstanding += 1
    const start = performance.now()
    const waited = waitedMs()
    return new Promise((resolve) => {
      const done = (status: string): void => {
        outstanding -= 1
        if (status === '200') {
          const ms = performance.now() - start
          served.push(ms)
          working.push(Math.max(0, ms - (waitedMs() - waited)))
        }
        count(status)
        resolve()
      }
      send({ ...options, method: body === undefined ? 'GET' : 'POST' }, (response) => {
        const status = String(response.statusCode)
        const isMute = MUST_SAY_WHEN.includes(status) && response.headers['retry-after'] === undefined
        response.resume().once('end', () => done(isMute ? `${status} without Retry-After` : status))
      })
        .once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
        .end(body === undefined ? undefined : numbered(body, sent))
    })
  }
  const isOver = (): boolean => performance.now() >= deadline || sent >= requests
  if (rate === undefined) {
    const requestOn = async (): Promise<void> => {
      while (!isOver()) await request()
    }
    await Promise.all(Array.from({ length: connections }, requestOn))
  } else {
    const all: Promise<void>[] = []
    const start = performance.now()
    while (!isOver()) {
      const due = Math.floor(((performance.now() - start) / 1000) * rate)
      for (; sent + unsent < due; ) {
        if (outstanding < MAX_OUTSTANDING) all.push(request())
        else unsent += 1
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
    await Promise.all(all)
  }
  agent.destroy()
  return {
    sent,
    unsent,
    statuses,
    p50_ms: quantile(served, 0.5),
    p99_ms: quantile(served, 0.99),
    working_p99_ms: quantile(working, 0.99),
  }
}

process.once('message', async (load: Load) => {
  process.send!(await run(load))
  process.disconnect()
})
