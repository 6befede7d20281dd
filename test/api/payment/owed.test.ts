import { decodePaymentResponseHeader } from '@x402/core/http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clients } from '../../../api/pay/clients.ts'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { type Service, send } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import { interposeRpc } from './interposed.ts'
import {
  bought,
  cheap,
  createPayer,
  expensive,
  type Headers,
  type Network,
  networks,
  type Payer,
  paymentFor,
  servePaid,
  startChains,
  tally,
} from './paying.ts'
import { fundStranger } from './stranger.ts'

const SETTLE_MS = 1500

let chains: Embedded
let service: Service
let payer: Payer
let balances: Balances
/** What a call that settles waits for, by network. */
let gate: Promise<void>
let open: () => void
/** Says that a call that settles has come. */
let arrive: () => void
/** What a facilitator says in the place of its answer. */
let refusal: { success: false; errorReason: string } | null

const shut = (): void => {
  gate = new Promise((opened) => {
    open = opened
  })
}

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  const settle: Facilitator['settle'] = async (payload, accepted) => {
    const refused = refusal
    arrive()
    await gate
    if (refused) return { ...refused, transaction: '', network: accepted.network }
    return chains.facilitator.settle(payload, accepted)
  }
  const tempo = await interposeRpc(chains.rpc.tempo, {
    before: async (method) => {
      if (method !== 'eth_sendRawTransactionSync') return
      arrive()
      await gate
    },
  })
  const facilitator = { ...chains.facilitator, settle }
  const settings = { SHELFMARK_SETTLE_MS: String(SETTLE_MS), SHELFMARK_MAX_SETTLEMENTS: '3' }
  service = await servePaid({ ...chains, facilitator, rpc: { ...chains.rpc, tempo } }, settings)
})

beforeEach(() => {
  gate = Promise.resolve()
  arrive = () => {}
  refusal = null
})

/** Presents a payment until the answer is not a retry, waiting as Retry-After says. */
const present = async (path: string, headers: Headers) => {
  for (;;) {
    const reply = await service.get(path, headers)
    if (reply.status !== 503) return reply
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(reply.headers['retry-after'])))
  }
}

const fresh = (path: string, network: Network): Promise<Headers> => paymentFor(service, payer, path, network)

/** A payment that the client gave up on while it was being settled. */
const leaveInDoubt = async (path: string, network: Network, more: Headers = {}): Promise<Headers> => {
  const headers = { ...(await fresh(path, network)), ...more }
  shut()
  const reply = await service.get(path, headers)
  expect(reply.status, reply.body).toBe(503)
  expect(reply.headers['retry-after']).toBe('2')
  return headers
}

const replayed = { 'idempotent-replayed': 'true' }

describe.each(networks)('on %s, the answer that a slow settlement buys', (network) => {
  test('is sent to the next new payment of its payer, which is not charged', async () => {
    const before = await balances(network)
    const first = await leaveInDoubt(cheap, network)
    const second = await fresh(cheap, network)
    const waiting = await service.get(cheap, second)
    expect(waiting.status, waiting.body).toBe(503)
    expect(waiting.headers['retry-after']).toBe('2')
    expect((await balances(network)) - before).toBe(0n)
    open()
    const handed = await present(cheap, second)
    expect(handed).toMatchObject({ status: 200, headers: replayed })
    const name = network === 'tempo' ? 'payment-receipt' : 'payment-response'
    // By then the first payment and the second get the same bytes, under the receipt of the first.
    for (const headers of [first, second]) {
      const again = await service.get(cheap, headers)
      expect(again).toMatchObject({ status: 200, body: handed.body, headers: replayed })
      expect(again.headers[name]).toBe(handed.headers[name])
    }
    expect((await balances(network)) - before).toBe(10_000n)
    const third = await service.get(cheap, await fresh(cheap, network))
    expect(bought([third])).toHaveLength(1)
    expect((await balances(network)) - before).toBe(20_000n)
  })

  test('is settled in the background without a retry', async () => {
    const before = await balances(network)
    await leaveInDoubt(cheap, network)
    open()
    await expect.poll(() => balances(network), { timeout: 30_000 }).toBe(before + 10_000n)
    const handed = await present(cheap, await fresh(cheap, network))
    expect(handed).toMatchObject({ status: 200, headers: replayed })
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('is not charged twice if the client disconnected before any answer', async () => {
    const before = await balances(network)
    const headers = await fresh(cheap, network)
    shut()
    const leaving = new AbortController()
    arrive = () => leaving.abort()
    await expect(send(service.port, cheap, { headers, agent: false, signal: leaving.signal })).rejects.toThrow()
    const second = await fresh(cheap, network)
    const unpaid = present(cheap, second)
    open()
    expect(await unpaid).toMatchObject({ status: 200, headers: replayed })
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('does not pay for a different query', async () => {
    const before = await balances(network)
    await leaveInDoubt(cheap, network)
    open()
    const other = await present(expensive, await fresh(expensive, network))
    expect(bought([other])).toHaveLength(1)
    expect(await present(cheap, await fresh(cheap, network))).toMatchObject({ status: 200, headers: replayed })
    expect((await balances(network)) - before).toBe(30_000n)
  })
})

describe.each(networks)('on %s, an Idempotency-Key', (network) => {
  const key = `order ${network}`

  test('buys one answer to one query, whatever payments are sent with it', async () => {
    const keyed = async (path = cheap) => ({ ...(await fresh(path, network)), 'idempotency-key': key })
    const before = await balances(network)
    const first = await service.get(cheap, await keyed())
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    const second = await service.get(cheap, await keyed())
    expect(second).toMatchObject({ status: 200, body: first.body, headers: replayed })
    const reused = await keyed(expensive)
    const refused = await service.get(expensive, reused)
    expect(refused.status).toBe(422)
    expect(refused.headers['content-type']).toMatch('application/problem+json')
    expect(JSON.parse(refused.body).error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { parameter: 'Idempotency-Key' },
    })
    expect((await balances(network)) - before).toBe(10_000n)
    expect((await service.get(expensive, { ...reused, 'idempotency-key': `${key} 2` })).status).toBe(200)
    expect((await balances(network)) - before).toBe(30_000n)
  })

  test('buys one answer with twenty concurrent payments', async () => {
    const payments = await Promise.all(Array.from({ length: 20 }, () => fresh(cheap, network)))
    const before = await balances(network)
    const replies = await Promise.all(
      payments.map((headers) => service.get(cheap, { ...headers, 'idempotency-key': `${key} at once` })),
    )
    expect(bought(replies)).toHaveLength(1)
    const { 200: answered = 0, 503: busy = 0 } = tally(replies)
    expect(answered + busy).toBe(20)
    expect((await balances(network)) - before).toBe(10_000n)
  })
})

describe.each(['base', 'solana'] as const)('on %s, a settlement that fails', (network) => {
  test('leaves the next payment to be charged', async () => {
    const before = await balances(network)
    refusal = { success: false, errorReason: 'invalid_payload' }
    await leaveInDoubt(cheap, network)
    open()
    const second = await present(cheap, await fresh(cheap, network).finally(() => (refusal = null)))
    expect(bought([second])).toHaveLength(1)
    expect((await balances(network)) - before).toBe(10_000n)
  })
})

describe('an answer that a payer bought', () => {
  test('is not sent to another payer of the same query, in doubt or under the same key', async () => {
    const stranger = await fundStranger(chains, payer, await service.get(cheap))
    const mine = { 'idempotency-key': 'a key that somebody guesses' }
    const before = await balances('base')
    const first = await leaveInDoubt(cheap, 'base', mine)
    open()
    const theirs = { ...(await stranger.pay(await service.get(cheap), 'base')), ...mine }
    const bare = await stranger.pay(await service.get(cheap), 'base')
    for (const headers of [theirs, bare]) {
      const reply = await present(cheap, headers)
      expect(bought([reply])).toHaveLength(1)
      const { payer: charged } = decodePaymentResponseHeader(String(reply.headers['payment-response']))
      expect(charged?.toLowerCase()).toBe(stranger.evm.address.toLowerCase())
    }
    expect((await present(cheap, first)).status).toBe(200)
    expect((await balances('base')) - before).toBe(30_000n)
  })

  test('is not sent to a payment in the payer’s name without its signature', async () => {
    const before = await balances('base')
    const first = await leaveInDoubt(cheap, 'base')
    const payload = await payer.payload(await service.get(cheap), 'base')
    const stranger = await createPayer({ ...chains, payers: { ...chains.payers, base: `0x${'42'.repeat(32)}` } })
    const other = await stranger.payload(await service.get(cheap), 'base')
    const forged = { ...payload, payload: { ...payload.payload, signature: other.payload.signature } }
    const header = Buffer.from(JSON.stringify(forged)).toString('base64')
    open()
    expect((await service.get(cheap, { 'payment-signature': header })).status).toBe(402)
    expect((await present(cheap, first)).status).toBe(200)
    expect((await service.get(cheap, { 'payment-signature': header })).status).toBe(402)
    expect((await balances('base')) - before).toBe(10_000n)
  })
})

describe('a settlement beyond the limit of slow ones', () => {
  test('is refused before it is charged, and accepted once the others have ended', async () => {
    const paths = [cheap, `${cheap}&country=ca`, expensive, `${expensive}&country=ca`]
    const payments = await Promise.all(paths.map((path) => fresh(path, 'base')))
    const before = await balances('base')
    shut()
    const inDoubt = await Promise.all(paths.slice(0, 3).map((path, i) => service.get(path, payments[i])))
    expect(tally(inDoubt)).toEqual({ 503: 3 })
    const refused = await service.get(paths[3]!, payments[3])
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(JSON.parse(refused.body).detail).toMatch(/not used/)
    open()
    for (const [i, path] of paths.entries()) expect((await present(path, payments[i]!)).status).toBe(200)
    expect((await balances('base')) - before).toBe(60_000n)
  })
})

describe.each(networks)('the official client of %s, after a 503', (network) => {
  test('gets the answer of its first payment when it retries with another one', async () => {
    const fetchPaid = await clients[network](chains, () => {})
    const url = `http://127.0.0.1:${service.port}${cheap}`
    const before = await balances(network)
    shut()
    expect((await fetchPaid(url)).status).toBe(503)
    open()
    let answer = await fetchPaid(url)
    while (answer.status === 503) answer = await fetchPaid(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    expect((await balances(network)) - before).toBe(10_000n)
  })
})
