import { decodePaymentResponseHeader } from '@x402/core/http'
import { Challenge } from 'mppx'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Reply, Service } from '../../support/http.ts'
import { balanceOf } from './balances.ts'
import {
  cheap,
  createPayer,
  expensive,
  type Network,
  networks,
  type Payer,
  paymentFor,
  requiredOf,
  startPaid,
} from './paying.ts'

let chains: Embedded
let service: Service
let payer: Payer

beforeAll(async () => {
  ;({ chains, payer, service } = await startPaid())
})

/** The networks that a 402 offers, in its order: those of x402, then that of MPP. */
const offeredIn = (reply: Reply): string[] => {
  const x402 = reply.headers['payment-required'] === undefined ? [] : requiredOf(reply).accepts
  const names = x402.map(({ network }) => (network.startsWith('eip155:') ? 'base' : 'solana'))
  return [...names, ...(reply.headers['www-authenticate'] === undefined ? [] : ['tempo'])]
}

describe('a payment that is refused', () => {
  const expectRefusal = (reply: Reply, network: string, errorReason: unknown) => {
    expect(reply.status).toBe(402)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(reply.body)).toMatchObject({
      ...{ type: 'https://paymentauth.org/problems/payment-required', title: 'Payment Required', status: 402 },
      ...{ success: false, errorReason, x402Version: 1, error: { code: 'PAYMENT_REQUIRED' } },
    })
    for (const name of ['payment-response', 'x-payment-response'] as const)
      expect(decodePaymentResponseHeader(String(reply.headers[name]))).toMatchObject({
        ...{ success: false, errorReason, transaction: '', network },
      })
    expect(offeredIn(reply).sort()).toEqual([...networks].sort())
  }

  test.each([
    ['base', 'eip155:84532', 'verification_failed'],
    ['solana', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'verification_failed'],
    ['tempo', 'eip155:42431', 'invalid_challenge'],
  ] as const)(
    'on %s for a different query is reported in the form of every protocol',
    async (network, caip2, reason) => {
      expectRefusal(await service.get(expensive, await paymentFor(service, payer, cheap, network)), caip2, reason)
    },
  )

  test('on tempo after its time is reported as expired', async () => {
    const unpaid = await service.get(cheap)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 })
    const late = await payer.pay(unpaid, 'tempo').finally(() => vi.useRealTimers())
    const before = await balanceOf(chains)('tempo')
    const reply = await service.get(cheap, late)
    expectRefusal(reply, 'eip155:42431', 'payment_expired')
    expect(JSON.parse(reply.body).error.message).toMatch(/expired.*nothing was charged: pay again/)
    expect(await balanceOf(chains)('tempo')).toBe(before)
  })

  test.each(['payment-signature', 'x-payment'])('in %s without being a payment names no network', async (name) => {
    expectRefusal(await service.get(cheap, { [name]: 'nonsense' }), '', 'invalid_payload')
  })

  test('for lack of funds is answered with the other networks first', async () => {
    const poor = await createPayer({ ...chains, payers: { ...chains.payers, base: `0x${'11'.repeat(32)}` } })
    const before = await balanceOf(chains)('base')
    const reply = await service.get(cheap, await paymentFor(service, poor, cheap, 'base'))
    expectRefusal(reply, 'eip155:84532', expect.stringContaining('insufficient'))
    expect(offeredIn(reply)).toEqual(['solana', 'base', 'tempo'])
    expect(await balanceOf(chains)('base')).toBe(before)
  })

  test('has a different response from a request without payment', async () => {
    const { headers, body } = await service.get(cheap)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(headers['payment-response']).toBeUndefined()
    expect(JSON.parse(body)).not.toHaveProperty('success')
  })
})

describe('the header Accept-Payment', () => {
  test.each([
    ['tempo/charge', ['tempo']],
    ['evm/charge', ['base']],
    ['solana/*', ['solana']],
    ['evm/charge;q=0.1, solana/charge', ['solana', 'base']],
    ['*/*, evm/charge;q=0', ['solana', 'tempo']],
    ['*/*', ['base', 'solana', 'tempo']],
    ['stripe/charge', ['base', 'solana', 'tempo']],
    ['nonsense', ['base', 'solana', 'tempo']],
    ['', ['base', 'solana', 'tempo']],
  ])('of %s is offered %j', async (accepted, expected) => {
    const reply = await service.get(cheap, { 'accept-payment': accepted })
    expect(reply.status).toBe(402)
    expect(offeredIn(reply)).toEqual(expected)
  })

  test('does not exclude a payment on a network that it omits', async () => {
    const headers = await paymentFor(service, payer, cheap, 'base')
    expect((await service.get(cheap, { ...headers, 'accept-payment': 'tempo/charge' })).status).toBe(200)
  })

  test('omits the challenge from the body when it omits Tempo', async () => {
    const body = async (accepted: string) =>
      JSON.parse((await service.get(cheap, { 'accept-payment': accepted })).body) as { challengeId?: string }
    const { headers } = await service.get(cheap, { 'accept-payment': 'tempo/charge' })
    expect(Challenge.deserialize(String(headers['www-authenticate'])).method).toBe('tempo')
    expect(await body('tempo/charge')).toHaveProperty('challengeId')
    expect(await body('evm/charge')).not.toHaveProperty('challengeId')
  })
})

test.each<Network>(networks)('an answer paid on %s is not reused by a browser for another payment', async (network) => {
  const { status, headers } = await service.get(cheap, await paymentFor(service, payer, cheap, network))
  expect(status).toBe(200)
  expect(headers.vary?.toLowerCase()).toContain('payment-signature')
  expect(headers.vary?.toLowerCase()).toContain('authorization')
  expect(headers['cache-control']).toContain('private')
})
