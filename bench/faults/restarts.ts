import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../test/support/http.ts'
import { portOf, type Served } from '../../test/support/process.ts'
import { type Measured, progress, Tally } from './figure.ts'
import { computed, numbered } from './numbered.ts'
import { serveProcess } from './served.ts'

const CLIENTS = 4
const EXIT_MS = 10_000

export type Stopped = {
  statuses: number[]
  /** Why requests got no answer; a connection that nobody accepts is none of the service's. */
  errors: string[]
  code: number | null
  ms: number
}

/** Stops a service by a signal while clients ask it, each until it is refused. */
export const stopUnderLoad = async (served: Served, signal: NodeJS.Signals): Promise<Stopped> => {
  const port = await portOf(served)
  const agent = new Agent({ keepAlive: true })
  const statuses: number[] = []
  const errors: string[] = []
  const ask = async (first: number): Promise<void> => {
    for (let i = 0; errors.length === 0; i++) {
      const path = numbered(computed, CLIENTS * i + first)
      const reply = await send(port, path, { agent }).catch(({ code }) => String(code))
      if (typeof reply === 'string') errors.push(reply)
      else statuses.push(reply.status)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, i) => ask(i))
  while (statuses.length < 20) await sleep(5)
  const start = performance.now()
  served.child.kill(signal)
  const code = await served.exited
  const ms = performance.now() - start
  await Promise.all(clients)
  agent.destroy()
  return { statuses, errors, code, ms }
}

/** Restarts by SIGTERM under load. */
export const measureRestarts = async (rounds: number): Promise<Measured> => {
  const tally = new Tally()
  const say = progress('restarts', rounds)
  let answered = 0
  let slowest = 0
  for (let i = 1; i <= rounds; i++) {
    const { statuses, errors, code, ms } = await stopUnderLoad(await serveProcess(), 'SIGTERM')
    answered += statuses.length
    slowest = Math.max(slowest, ms)
    const dropped = errors.filter((error) => error !== 'ECONNREFUSED')
    tally.count(
      dropped.length > 0 && `dropped: ${dropped[0]}`,
      statuses.some((status) => status !== 200) && `a status other than 200`,
      code !== 0 && `exit code ${code}`,
      ms > EXIT_MS && 'slow exit',
    )
    say(i)
  }
  return tally.measured(
    `${answered.toLocaleString('en')} requests answered, exit within ${(slowest / 1000).toFixed(1)} s`,
  )
}
