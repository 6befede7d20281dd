import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Embedded } from '../api/payment/local-chains.ts'
import { facilitated } from '../test/api/payment/killed.ts'
import { cheap, createPayer, type Headers, type Network, networks, startChains } from '../test/api/payment/paying.ts'
import { cleanUpAll } from '../test/support/at-end.ts'
import { type Reply, send } from '../test/support/http.ts'
import { median, quantile } from './quantile.ts'

/** Requests before measuring, since the first thousands compile code, and then measured requests. */
const REQUESTS = 2000
const PAYMENTS = 200
/** Payments signed ahead: on Tempo they expire within 25 seconds. */
const SIGNED = 20
const TOGETHER = 200
/** A constant answer: the cost of a request by itself. */
const CONSTANT = '/favicon.ico'

type Payer = Awaited<ReturnType<typeof createPayer>>
type RequestTimes = { p50_ms: number; p99_ms: number; cpu_ms: number }
type StepTiming = RequestTimes & {
  network: Network | null
  step: 'constant' | '402' | 'verify' | 'settle' | 'paid answer'
  per_second: number | null
}
export type PaymentTiming = StepTiming & { p50_ratio: number; cpu_ratio: number }

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A service in a separate process, and the CPU time that it has used so far, in milliseconds. */
export const serve = async (environment: Record<string, string>, preload: readonly string[]) => {
  const child = spawn(process.execPath, [...process.execArgv, ...preload, fileOf('../api/main.ts')], {
    env: { ...process.env, ...environment, SHELFMARK_PORT: '0', SHELFMARK_ADMIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let port = 0
  let admin = ''
  for await (const line of createInterface(child.stdout)) {
    const { msg = '', address = '' } = JSON.parse(line)
    port ||= Number(/:(\d+)$/.exec(msg)?.[1] ?? 0)
    admin ||= address
    if (msg === 'serving snapshot') break
  }
  child.stdout.resume()
  const cpu = async (): Promise<number> => {
    const text = await (await fetch(`${admin}/metrics`)).text()
    return 1000 * Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { port, cpu, stop }
}
export type ServiceProcess = Awaited<ReturnType<typeof serve>>

export const get = async (port: number, path: string, status: number, headers: Headers = {}): Promise<Reply> => {
  const reply = await send(port, path, { headers })
  if (reply.status !== status) throw new Error(`${reply.status} for ${path}: ${reply.body}`)
  return reply
}

/** One request after the other: how long each took, what CPU they took together, and their replies. */
export const inTurn = async ({ port, cpu }: ServiceProcess, path: string, status: number, each: readonly Headers[]) => {
  const before = await cpu()
  const times: number[] = []
  const replies: Reply[] = []
  for (const headers of each) {
    const start = performance.now()
    replies.push(await get(port, path, status, headers))
    times.push(performance.now() - start)
  }
  return { times, replies, cpu_ms: (await cpu()) - before }
}

const sign = async ({ port }: ServiceProcess, payer: Payer, network: Network, count: number): Promise<Headers[]> => {
  const signed: Headers[] = []
  while (signed.length < count) signed.push(await payer.pay(await get(port, cheap, 402), network))
  return signed
}

const stepOf = ({ headers }: Reply, step: string): number =>
  Number(new RegExp(`${step};dur=([\\d.]+)`).exec(String(headers['server-timing']))?.[1])

/** Paid requests one after the other, for a query whose answer is cached. */
const payInTurn = async (service: ServiceProcess, payer: Payer, network: Network) => {
  const times: number[] = []
  const replies: Reply[] = []
  let cpu_ms = 0
  while (times.length < PAYMENTS) {
    const paid = await inTurn(service, cheap, 200, await sign(service, payer, network, SIGNED))
    times.push(...paid.times)
    replies.push(...paid.replies)
    cpu_ms += paid.cpu_ms
  }
  return { times, replies, cpu_ms }
}

const summary = (times: readonly number[], cpu_ms: number): RequestTimes => ({
  p50_ms: median(times),
  p99_ms: quantile(times, 0.99),
  cpu_ms: cpu_ms / times.length,
})

const measureNetwork = async (
  timed: ServiceProcess,
  counted: ServiceProcess,
  payer: Payer,
  network: Network,
): Promise<StepTiming[]> => {
  const unpaid = Array.from({ length: REQUESTS }, () => ({}))
  for (const service of [timed, counted]) await inTurn(service, cheap, 200, await sign(service, payer, network, SIGNED))
  const challenged = await inTurn(timed, cheap, 402, unpaid)
  const paid = await payInTurn(timed, payer, network)
  const { replies: cpuOfSteps } = await payInTurn(counted, payer, network)
  const step = (name: string) => {
    const times = paid.replies.map((reply) => stepOf(reply, name))
    const cpu_ms = cpuOfSteps.map((reply) => stepOf(reply, name))
    return summary(
      times,
      cpu_ms.reduce((sum, ms) => sum + ms),
    )
  }
  const together = await sign(timed, payer, network, TOGETHER)
  const start = performance.now()
  await Promise.all(together.map((headers) => get(timed.port, cheap, 200, headers)))
  const per_second = TOGETHER / ((performance.now() - start) / 1000)
  return [
    { network, step: '402', ...summary(challenged.times, challenged.cpu_ms), per_second: null },
    { network, step: 'verify', ...step('verify'), per_second: null },
    { network, step: 'settle', ...step('settle'), per_second: null },
    { network, step: 'paid answer', ...summary(paid.times, paid.cpu_ms), per_second },
  ]
}

const startServices = async (chains: Embedded): Promise<[timed: ServiceProcess, counted: ServiceProcess]> => {
  const limits = { SHELFMARK_RATE: '1000000', SHELFMARK_BURST: '1000000', SHELFMARK_CACHE_MIB: '64' }
  const timed = await serve({ ...(await facilitated(chains, {})), ...limits }, [])
  const clock = ['--import', fileOf('cpu-clock.ts')]
  return [timed, await serve({ ...(await facilitated(chains, {})), ...limits }, clock)]
}

/**
 * Payments on the chains of this machine, which with the facilitator run in this process, and the service in its own: the
 * time of each step, and the CPU of the service, as ratios to a constant answer.
 */
export const benchPayments = async (): Promise<PaymentTiming[]> => {
  const chains = await startChains()
  const payer = await createPayer(chains)
  const [timed, counted] = await startServices(chains)
  try {
    const each = Array.from({ length: REQUESTS }, () => ({}))
    await inTurn(timed, CONSTANT, 200, each)
    await inTurn(timed, cheap, 402, each)
    const constant = await inTurn(timed, CONSTANT, 200, each)
    const floor = summary(constant.times, constant.cpu_ms)
    const rows: StepTiming[] = [{ network: null, step: 'constant', ...floor, per_second: null }]
    for (const network of networks) rows.push(...(await measureNetwork(timed, counted, payer, network)))
    return rows.map(({ per_second, ...row }) => ({
      ...row,
      p50_ratio: row.p50_ms / floor.p50_ms,
      cpu_ratio: row.cpu_ms / floor.cpu_ms,
      per_second,
    }))
  } finally {
    for (const service of [timed, counted]) await service.stop()
    await cleanUpAll()
  }
}
