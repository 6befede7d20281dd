import { decodePaymentSignatureHeader } from '@x402/core/http'
import { createPublicClient, createTestClient, http, parseEther } from 'viem'
import { setBalance } from 'viem/actions'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { sized } from '../../support/full-size.ts'
import type { Reply, Service } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import { interposeRpc } from './interposed.ts'
import {
  bought,
  cheap,
  createPayer,
  type Headers,
  type Network,
  networks,
  type Payer,
  paymentFor,
  servePaid,
  startChains,
  tally,
} from './paying.ts'

let chains: Embedded
let service: Service
let payer: Payer
let balances: Balances
/** What settling goes through on each network. */
let settling: (send: () => Promise<unknown>) => Promise<unknown>

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  const facilitator: Facilitator = {
    ...chains.facilitator,
    settle: (...payment) => settling(() => chains.facilitator.settle(...payment)) as ReturnType<Facilitator['settle']>,
  }
  // On Tempo only the call that settles is delayed.
  let resume = () => {}
  const tempo = await interposeRpc(chains.rpc.tempo, {
    before: (method) =>
      method === 'eth_sendRawTransactionSync'
        ? new Promise((sent, lost) => {
            settling(async () => {
              sent()
              await new Promise<void>((answered) => {
                resume = answered
              })
            }).catch(lost)
          })
        : Promise.resolve(),
    after: async (method) => {
      if (method === 'eth_sendRawTransactionSync') resume()
    },
  })
  // Chains of one process settle hundreds of payments one after another.
  const patient = { SHELFMARK_SETTLE_MS: '120000' }
  service = await servePaid({ ...chains, facilitator, rpc: { ...chains.rpc, tempo } }, patient)
})

beforeEach(() => {
  settling = (send) => send()
})

/** Different payments at once. */
const DISTINCT = sized(20, 100)

/** Brings a payment to its chain as anybody could who sees it. */
const settleAsStranger = async (headers: Headers, network: Network): Promise<void> => {
  if (network !== 'tempo') {
    const payment = decodePaymentSignatureHeader(headers['payment-signature'] ?? '')
    expect(await chains.facilitator.settle(payment, payment.accepted)).toMatchObject({ success: true })
    return
  }
  const credential = JSON.parse(Buffer.from(headers.authorization!.split(' ')[1]!, 'base64url').toString())
  const client = createPublicClient({ transport: http(chains.rpc.tempo) })
  const params = [credential.payload.signature]
  await client.request({ method: 'eth_sendRawTransactionSync' as never, params: params as never })
}

describe.each(networks)('settlement on %s', (network) => {
  test('by a stranger before the payer presents the payment counts, and the answer is delivered once', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    await settleAsStranger(headers, network)
    const replies = await Promise.all(Array.from({ length: 20 }, () => service.get(cheap, headers)))
    expect(bought(replies)).toHaveLength(1)
    expect(bought([await service.get(cheap, headers)])).toEqual([])
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('by a stranger while the answer is computed counts too', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    settling = async (send) => {
      await settleAsStranger(headers, network)
      return send()
    }
    expect((await service.get(cheap, headers)).status).toBe(200)
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('that was never sent is in doubt, and the same payment buys the answer once', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    settling = () => Promise.reject(new Error('connection refused'))
    const first = await service.get(cheap, headers)
    expect(first.status).toBe(503)
    expect(first.headers['retry-after']).toBe('2')
    expect(first.headers).not.toHaveProperty('www-authenticate')
    expect((await service.get(`${cheap}&country=ca`, headers)).status).toBe(402)
    settling = (send) => send()
    expect((await service.get(cheap, headers)).status).toBe(200)
    expect(bought([await service.get(cheap, headers)])).toEqual([])
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('whose result was lost is found on the chain, with one charge and one answer', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    settling = async (send) => {
      await settleAsStranger(headers, network)
      await send().catch(() => {})
      throw new Error('connection reset')
    }
    const first = await service.get(cheap, headers)
    // It may be found at once, or by the next request.
    const answer = first.status === 200 ? first : await service.get(cheap, headers)
    expect(answer.status, answer.body).toBe(200)
    expect(bought([await service.get(cheap, headers)])).toEqual([])
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test('that takes too long is in doubt rather than refused', async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    let release = () => {}
    let slow: Promise<Reply> | undefined
    await new Promise<void>((arrived) => {
      settling = async (send) => {
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        arrived()
        await released
        return send()
      }
      slow = service.get(cheap, headers)
    })
    const meanwhile = await service.get(cheap, headers)
    expect(meanwhile.status).toBe(503)
    expect(meanwhile.headers['retry-after']).toBe('1')
    release()
    const first = await slow!
    expect([200, 503]).toContain(first.status)
    if (first.status === 503) expect((await service.get(cheap, headers)).status).toBe(200)
    expect((await balances(network)) - before).toBe(10_000n)
  })

  test(`succeeds for each of ${DISTINCT} concurrent payments`, async () => {
    const payments = await Promise.all(
      Array.from({ length: DISTINCT }, () => paymentFor(service, payer, cheap, network)),
    )
    const before = await balances(network)
    const buy = async (headers: Headers) => {
      const reply = await service.get(cheap, headers)
      // A slow machine may leave one in doubt for a while: the same payment is sent again, as the answer says.
      return reply.status === 503 ? service.get(cheap, headers) : reply
    }
    const replies = await Promise.all(payments.map(buy))
    expect(tally(replies)).toEqual({ 200: DISTINCT })
    expect((await balances(network)) - before).toBe(BigInt(DISTINCT) * 10_000n)
  })
})

test('a payment is not refused while the relayer is out of gas, and is valid afterwards', async () => {
  const { signers } = await chains.facilitator.supported()
  const relayer = signers['eip155:*']?.[0] as `0x${string}`
  const client = createTestClient({ mode: 'anvil', transport: http(chains.rpc.base) })
  const headers = await paymentFor(service, payer, cheap, 'base')
  const before = await balances('base')
  await setBalance(client, { address: relayer, value: 0n })
  const first = await service.get(cheap, headers)
  expect(first.status, first.body).toBe(503)
  expect(first.headers['retry-after']).toBe('2')
  await setBalance(client, { address: relayer, value: parseEther('100') })
  expect((await service.get(cheap, headers)).status).toBe(200)
  expect((await balances('base')) - before).toBe(10_000n)
})
