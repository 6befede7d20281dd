import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../api/config.ts'
import { createLake } from '../api/lake.ts'
import { createLogger } from '../api/log.ts'
import { clients } from '../api/pay/clients.ts'
import { startEmbeddedChains } from '../api/payment/embedded/start.ts'
import { openPayments } from '../api/payment/payments.ts'
import { buildApp } from '../api/server.ts'
import { AS_OF, givenLake } from './lake.ts'
import { median, quantile } from './quantile.ts'

const PAYMENTS = 100
const WARM = 10
const TOGETHER = 200
const PATH = '/v1/marketing/share-of-shelf?category=coffee'

/** One request of a client: the whole of it, and what of it the settlement took. */
type Leg = { status: number; ms: number; verify_ms: number; settle_ms: number }

export type PaymentTiming = {
  network: string
  challenge_p50_ms: number
  challenge_p99_ms: number
  verify_p50_ms: number
  settle_p50_ms: number
  /** The paid request without its settlement. */
  paid_p50_ms: number
  paid_p99_ms: number
  payments_a_second: number
  free_p50_ms: number
}

const stepOf = (timing: string | null, step: string): number =>
  Number(new RegExp(`${step};dur=([\\d.]+)`).exec(timing ?? '')?.[1] ?? 0)

/** Tells of every request to an address how long it took; the official clients ask by the global fetch. */
const observe = (address: string, legs: Leg[]): void => {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const start = performance.now()
    const response = await plain(input, init)
    const ms = performance.now() - start
    const timing = response.headers.get('server-timing')
    const { status, url } = response
    if (url.startsWith(address))
      legs.push({ status, ms, verify_ms: stepOf(timing, 'verify'), settle_ms: stepOf(timing, 'settle') })
    return response
  }
}

/** Payments on the chains of this machine, by the official clients in the same process. */
export const benchPayments = async (observations: number): Promise<PaymentTiming[]> => {
  const chains = await startEmbeddedChains()
  const config = readConfig({
    SHELFMARK_LAKE: await givenLake(observations),
    SHELFMARK_AS_OF: AS_OF.toISOString(),
    SHELFMARK_JOURNAL: join(mkdtempSync(join(tmpdir(), 'shelfmark-bench-')), 'payments.jsonl'),
    SHELFMARK_PORT: '0',
    SHELFMARK_RATE: '1000000',
    SHELFMARK_BURST: '100000',
  })
  const log = createLogger('silent')
  const { reload_ms, as_of, connections } = config
  const lake = createLake({ lake: config.lake, reload_ms, options: { as_of, connections }, log })
  const app = buildApp({ lake, config, payments: await openPayments(config, log, chains), logger: log })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  await lake.watch()

  const legs: Leg[] = []
  observe(address, legs)
  const measured: PaymentTiming[] = []
  for (const network of ['base', 'solana', 'tempo'] as const) {
    const pay = await clients[network](chains, () => {})
    for (let i = 0; i < WARM; i++) await pay(`${address}${PATH}`)
    legs.length = 0
    for (let i = 0; i < PAYMENTS; i++) await pay(`${address}${PATH}`)
    const asked = legs.filter(({ status }) => status === 402).map(({ ms }) => ms)
    const paid = legs.filter(({ status }) => status === 200)
    const unsettled = paid.map(({ ms, settle_ms }) => ms - settle_ms)
    const start = performance.now()
    await Promise.all(Array.from({ length: TOGETHER }, () => pay(`${address}${PATH}`)))
    const payments_a_second = TOGETHER / ((performance.now() - start) / 1000)
    legs.length = 0
    for (let i = 0; i < PAYMENTS; i++) await fetch(`${address}/v1/public/stats`)
    measured.push({
      network,
      challenge_p50_ms: median(asked),
      challenge_p99_ms: quantile(asked, 0.99),
      verify_p50_ms: median(paid.map(({ verify_ms }) => verify_ms)),
      settle_p50_ms: median(paid.map(({ settle_ms }) => settle_ms)),
      paid_p50_ms: median(unsettled),
      paid_p99_ms: quantile(unsettled, 0.99),
      payments_a_second,
      free_p50_ms: median(legs.map(({ ms }) => ms)),
    })
  }
  await app.close()
  await lake.close()
  await chains.close()
  return measured
}
