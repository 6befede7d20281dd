import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type Reply, send } from '../../support/http.ts'
import { startPostgres } from '../../support/postgres.ts'
import { portOf, type Served, startService } from '../../support/process.ts'
import { type Balances, balanceOf } from './balances.ts'
import type { Interference } from './interposed.ts'
import { facilitated } from './killed.ts'
import { bought, cheap, createPayer, type Headers, type Network, networks, type Payer, startChains } from './paying.ts'

const laptops = '/v1/marketing/share-of-shelf?category=laptops'
const settling = ['settle', 'eth_sendRawTransactionSync']
/** Payments are valid for a minute, those on Tempo for 25 s: one that was not sent by then is not made. */
const LATE_MS = { base: 45_000, solana: 45_000, tempo: 20_000 }

let chains: Embedded
let payer: Payer
let balances: Balances
let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const journals = [
  ['a file', 1],
  ['PostgreSQL that three services share', 3],
] as const

describe.each(journals)('with a journal in %s, payments', (journal, count) => {
  const interference: Interference = {}
  let environment: Record<string, string>
  const services: { served: Served; port: number }[] = []

  const start = async (): Promise<{ served: Served; port: number }> => {
    const served = startService(environment)
    return { served, port: await portOf(served) }
  }
  beforeAll(async () => {
    environment = {
      ...(await facilitated(chains, interference)),
      SHELFMARK_SETTLE_MS: '2000',
      SHELFMARK_TIMEOUT_MS: '3000',
      ...(journal === 'a file' ? {} : { SHELFMARK_JOURNAL: postgres.url }),
    }
    for (let i = 0; i < count; i += 1) services.push(await start())
  })
  afterAll(async () => {
    await replaced
    for (const { served } of services) {
      served.child.kill('SIGKILL')
      await served.exited
    }
  })

  /** The query of the test under way, so that none is answered from what another one paid for. */
  let path = ''
  /** Sends a request to any of the services. */
  let turn = 0
  const get = (headers: Headers = {}): Promise<Reply> => {
    turn += 1
    return send(services[turn % services.length]!.port, path, { headers, agent: false })
  }
  /** The 402 of one of them, once its facilitator has answered it. */
  const offered = async (): Promise<Reply> => {
    for (;;) {
      const reply = await get()
      if (reply.headers['payment-required']) return reply
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  /** Presents a payment to one service after the other until the answer is not a retry. */
  const present = async (headers: Headers): Promise<Reply> => {
    for (;;) {
      const reply = await get(headers)
      if (reply.status !== 503) return reply
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(reply.headers['retry-after'])))
    }
  }
  /** Starts a service in place of the first, which was killed; others get the requests meanwhile. */
  const replace = async (): Promise<void> => {
    const killed = services.shift()
    await killed?.served.exited
    const started = start().then((service) => services.unshift(service))
    if (services.length === 0) await started
    replaced = started
  }
  let replaced: Promise<unknown> = Promise.resolve()
  /** Resolves once a number of calls that settle have come; they go no further. */
  const arrived = (at: keyof Interference, calls: number): Promise<void> => {
    let left = calls
    return new Promise((resolve) => {
      interference[at] = async (call) => {
        if (!settling.includes(call)) return
        left -= 1
        if (left === 0) resolve()
        await new Promise(() => {})
      }
    })
  }
  const free = (): void => {
    delete interference.before
    delete interference.after
  }

  /** Lets no call that settles go on. */
  const block = (): void => {
    interference.before = (call) => (settling.includes(call) ? new Promise(() => {}) : Promise.resolve())
  }

  const fresh = async (network: Network): Promise<Headers> => payer.pay(await offered(), network)

  /** Pays on every network at the first service, whose calls are then interfered with. */
  const pay = async (query: string, interfere: () => unknown, make = fresh) => {
    path = query
    free()
    await replaced
    const payments = await Promise.all(networks.map(make))
    const made = performance.now()
    const before = await Promise.all(networks.map(balances))
    interfere()
    const replies = payments.map((headers) =>
      send(services[0]!.port, path, { headers, agent: false }).catch(() => null),
    )
    return { payments, made, before, replies }
  }

  /** One charge and one answer for each payment, which goes to the next payment of its payer; the one after that pays. */
  const expectOneCharge = async ({ payments, made, before }: Awaited<ReturnType<typeof pay>>): Promise<void> => {
    for (const [i, network] of networks.entries()) {
      const isLate = performance.now() - made > LATE_MS[network]
      const second = await present(await fresh(network))
      expect(second.status, second.body).toBe(200)
      if (!isLate) {
        expect(second.headers['idempotent-replayed']).toBe('true')
        expect(await present(payments[i]!)).toMatchObject({ status: 200, body: second.body })
      }
      expect((await balances(network)) - before[i]!).toBe(10_000n)
      const third = await present(await fresh(network))
      expect(bought([third])).toHaveLength(1)
      expect((await balances(network)) - before[i]!).toBe(20_000n)
    }
  }

  test('survive kill -9 after the 503', async () => {
    const paid = await pay(cheap, block)
    for (const reply of await Promise.all(paid.replies)) expect(reply?.status, reply?.body).toBe(503)
    services[0]!.served.child.kill('SIGKILL')
    free()
    await replace()
    await expectOneCharge(paid)
  })

  test('survive kill -9 between settling and recording it', async () => {
    let reached: Promise<void> | undefined
    const paid = await pay(`${cheap}&country=us`, () => {
      reached = arrived('after', networks.length)
    })
    await reached
    services[0]!.served.child.kill('SIGKILL')
    free()
    await Promise.all(paid.replies)
    await replace()
    await expectOneCharge(paid)
  })

  test('survive kill -9 while they are settled in the background', async () => {
    const paid = await pay(laptops, block)
    for (const reply of await Promise.all(paid.replies)) expect(reply?.status, reply?.body).toBe(503)
    await arrived('before', 1)
    for (const { served } of services) served.child.kill('SIGKILL')
    free()
    for (const [i, { served }] of services.entries()) {
      await served.exited
      services[i] = await start()
    }
    await expectOneCharge(paid)
  })

  test.each<[what: string, query: string, name: (network: Network) => Promise<Headers>]>([
    [
      'an Idempotency-Key',
      `${cheap}&country=ca`,
      async (network) => ({ ...(await fresh(network)), 'idempotency-key': `${journal} ${network}` }),
    ],
    [
      'an id',
      `${laptops}&country=ca`,
      async (network) =>
        network === 'tempo'
          ? fresh(network)
          : payer.payAs(`of-one-purchase-${count}-${network}`, await offered(), network),
    ],
  ])('under %s buy one answer despite kill -9 before and after it is sent', async (what, query, keyed) => {
    let reached: Promise<void> | undefined
    const paid = await pay(
      query,
      () => {
        reached = arrived('after', networks.length)
      },
      keyed,
    )
    await reached
    services[0]!.served.child.kill('SIGKILL')
    free()
    await Promise.all(paid.replies)
    await replace()
    const again = async () => Promise.all(networks.map(async (network) => present(await keyed(network))))
    const second = await again()
    for (const reply of second) expect(reply).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    services[0]!.served.child.kill('SIGKILL')
    await replace()
    const third = await again()
    for (const [i, network] of networks.entries()) {
      // Tempo has no ids: what it is owed goes to one payment, or two where the first was not seen to be answered.
      if (what === 'an id' && network === 'tempo') continue
      expect(third[i]).toMatchObject({ status: 200, body: second[i]!.body })
      expect((await balances(network)) - paid.before[i]!).toBe(10_000n)
    }
  })

  test('survive SIGTERM during settlement, which does not delay the exit', async () => {
    const paid = await pay(`${laptops}&country=us`, block)
    for (const reply of await Promise.all(paid.replies)) expect(reply?.status, reply?.body).toBe(503)
    await arrived('before', 1)
    services[0]!.served.child.kill('SIGTERM')
    expect(await services[0]!.served.exited).toBe(0)
    free()
    await replace()
    await expectOneCharge(paid)
  })
})
