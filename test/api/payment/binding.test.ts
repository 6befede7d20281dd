import { randomBytes } from 'node:crypto'
import { decodePaymentSignatureHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentRequirements } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import { PaymentRequest } from 'mppx'
import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { openapi } from '../../../api/contract/openapi.ts'
import { mainnets, testnets } from '../../../api/ops/networks.ts'
import { prices } from '../../../api/ops/prices.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { queries } from '../../../engine/index.ts'
import { pathTo, type Reply, type Service } from '../../support/http.ts'
import type { Balances } from './balances.ts'
import { cheap, expensive, type Headers, networks, type Payer, paymentFor, requiredOf, startPaid } from './paying.ts'

const sibling = '/v1/marketing/competitive-landscape?category=coffee'
const other = '/v1/marketing/share-of-shelf?category=laptops'

// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
type Node = any

let chains: Embedded
let service: Service
let payer: Payer
let balances: Balances

beforeAll(async () => {
  ;({ chains, payer, balances, service } = await startPaid())
})

const isFresh = ({ headers }: Reply): boolean =>
  'www-authenticate' in headers && 'payment-required' in headers && headers['cache-control'] === 'no-store'

/** A payment that is not taken: a fresh challenge, and nothing moves. */
const expectRefused = async (path: string, headers: Headers, reason: string) => {
  const before = await Promise.all(networks.map(balances))
  const reply = await service.get(path, headers)
  expect(reply.status, reply.body).toBe(402)
  expect(isFresh(reply)).toBe(true)
  expect(JSON.parse(reply.body).error).toMatchObject({ code: 'PAYMENT_REQUIRED', details: { reason } })
  expect(await Promise.all(networks.map(balances))).toEqual(before)
}

describe.each(networks)('a payment on %s', (network) => {
  const reason = network === 'tempo' ? 'invalid-challenge' : 'verification-failed'

  test.each([
    ['another route', sibling],
    ['another query', other],
    ['a more expensive route', expensive],
  ])('is refused for %s and remains valid for its own query', async (_, elsewhere) => {
    const headers = await paymentFor(service, payer, cheap, network)
    await expectRefused(elsewhere, headers, reason)
    expect((await service.get(cheap, headers)).status).toBe(200)
    await expectRefused(elsewhere, headers, 'invalid-challenge')
  })

  test('is valid for its query in any order of parameters and any percent-encoding', async () => {
    const unpaid = '/v1/marketing/share-of-shelf?country=us&category=coffee'
    const headers = await paymentFor(service, payer, unpaid, network)
    const again = await service.get('/v1/marketing/share-of-shelf?category=%63offee&country=us', headers)
    expect(again.status).toBe(200)
  })
})

describe('an authorization on Base', () => {
  /** One signed as it should be, but for what is changed. */
  const signed = async (change: Record<string, unknown>, domain: Record<string, unknown> = {}): Promise<Headers> => {
    const [accepted] = requiredOf(await service.get(cheap)).accepts
    const now = Math.floor(Date.now() / 1000)
    const message = {
      from: payer.evm.address,
      to: chains.payTo.evm,
      value: '10000',
      validAfter: '0',
      validBefore: String(now + 60),
      nonce: `0x${randomBytes(32).toString('hex')}`,
      ...change,
    }
    const { name, version, chain_id: chainId, asset: verifyingContract } = testnets.base
    const signature = await payer.evm.signTypedData({
      domain: { name, version, chainId, verifyingContract, ...domain },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...message,
        value: BigInt(message.value),
        validAfter: BigInt(message.validAfter),
        validBefore: BigInt(message.validBefore),
        nonce: message.nonce as Hex,
      },
    })
    const payment = { x402Version: 2, payload: { authorization: message, signature }, accepted: accepted! }
    return { 'payment-signature': encodePaymentSignatureHeader(payment) }
  }
  const now = () => Math.floor(Date.now() / 1000)

  test('buys the answer if it is valid', async () => {
    expect((await service.get(cheap, await signed({}))).status).toBe(200)
  })

  test.each<[string, string, () => Record<string, unknown>, Record<string, unknown>?]>([
    ['to another payee', 'verification-failed', () => ({ to: payer.evm.address })],
    ['of a unit less', 'payment-insufficient', () => ({ value: '9999' })],
    ['of a unit more', 'payment-insufficient', () => ({ value: '10001' })],
    ['of nothing', 'payment-insufficient', () => ({ value: '0' })],
    ['that has expired', 'payment-expired', () => ({ validBefore: String(now() - 1) })],
    ['that is about to expire', 'payment-expired', () => ({ validBefore: String(now() + 2) })],
    ['that is not valid yet', 'verification-failed', () => ({ validAfter: String(now() + 60) })],
    ['that is valid for a week', 'verification-failed', () => ({ validBefore: String(now() + 604_800) })],
    ['signed for another chain', 'verification-failed', () => ({}), { chainId: mainnets.base.chain_id }],
    ['signed for another token', 'verification-failed', () => ({}), { verifyingContract: mainnets.base.asset }],
    ['in the name of another', 'verification-failed', () => ({ from: chains.payTo.evm })],
  ])('%s is refused', async (_, reason, change, domain) => {
    await expectRefused(cheap, await signed(change(), domain), reason)
  })
})

describe.each(['base', 'solana'] as const)('an x402 payload for %s', (network) => {
  test.each<[string, Partial<PaymentRequirements>]>([
    ['another network', { network: mainnets[network].caip2 }],
    ['another asset', { asset: mainnets[network].asset }],
    ['another payee', { payTo: 'elsewhere' }],
    ['less', { amount: '9999' }],
    ['another scheme', { scheme: 'upto' }],
  ])('is refused if it accepts %s', async (_, change) => {
    const { 'payment-signature': header = '' } = await paymentFor(service, payer, cheap, network)
    const payment = decodePaymentSignatureHeader(header)
    const accepted = { ...payment.accepted, ...change }
    const reason = change.scheme ? 'malformed-credential' : 'verification-failed'
    await expectRefused(cheap, { 'payment-signature': encodePaymentSignatureHeader({ ...payment, accepted }) }, reason)
  })
})

describe('a transaction', () => {
  /** A payment of the stock client for other requirements, presented as if for the offered ones. */
  test.each([
    ['less', { amount: '9999' }],
    ['more', { amount: '10001' }],
  ])('on Solana is refused for %s than the price', async (_, change) => {
    const unpaid = await service.get(cheap)
    const required = requiredOf(unpaid)
    const solana = required.accepts.find(({ network }) => network.startsWith('solana:'))!
    const payment = await payer.x402.createPaymentPayload({ ...required, accepts: [{ ...solana, ...change }] })
    const header = encodePaymentSignatureHeader({ ...payment, accepted: solana })
    await expectRefused(cheap, { 'payment-signature': header }, 'payment-insufficient')
  })

  test.each([
    ['less', { amount: '9999' }, 'payment-insufficient'],
    ['more', { amount: '10001' }, 'payment-insufficient'],
    ['the same to another', { recipient: '0x1111111111111111111111111111111111111111' }, 'verification-failed'],
  ])('on Tempo is refused for %s', async (_, change, reason) => {
    const unpaid = await service.get(cheap)
    const challenge = String(unpaid.headers['www-authenticate'])
    const [, request = ''] = /request="([^"]+)"/.exec(challenge) ?? []
    const changed = PaymentRequest.serialize({ ...PaymentRequest.deserialize(request), ...change })
    const paid = await payer.pay(
      { ...unpaid, headers: { 'www-authenticate': challenge.replace(request, changed) } },
      'tempo',
    )
    // With the changed request the challenge is not ours; with the original one, the transaction is not for it.
    await expectRefused(cheap, paid, 'invalid-challenge')
    const credential = JSON.parse(Buffer.from(paid.authorization!.split(' ')[1]!, 'base64url').toString())
    credential.challenge.request = request
    const text = Buffer.from(JSON.stringify(credential)).toString('base64url')
    await expectRefused(cheap, { authorization: `Payment ${text}` }, reason)
  })

  test('on Tempo that has been spent is refused for another challenge', async () => {
    const first = await paymentFor(service, payer, cheap, 'tempo')
    const second = await paymentFor(service, payer, cheap, 'tempo')
    expect((await service.get(cheap, first)).status).toBe(200)
    const read = ({ authorization = '' }: Headers) =>
      JSON.parse(Buffer.from(authorization.split(' ')[1]!, 'base64url').toString())
    const mixed = Buffer.from(JSON.stringify({ ...read(second), payload: read(first).payload })).toString('base64url')
    await expectRefused(cheap, { authorization: `Payment ${mixed}` }, 'invalid-challenge')
    expect((await service.get(cheap, second)).status).toBe(200)
  })
})

describe('the price in the contract, the challenges and the body is the same', () => {
  const contract: Node = openapi({ base_url: 'http://127.0.0.1' })
  const { paths } = contract

  /** The request of a registry, from the examples of parameters in the contract document. */
  const exampleOf = (path: string): string => {
    const unpaid = new URLSearchParams()
    for (const { $ref } of paths[path].get.parameters) {
      const { name, schema } = contract.components.parameters[$ref.split('/').at(-1)]
      if (schema.example !== undefined) unpaid.set(name, schema.example)
    }
    return `${path}?${unpaid}`
  }
  const paid = queries.filter((query) => prices[query.group] > 0).map((query) => [pathTo(query), query] as const)

  test.each(paid)('for %s, with the example parameters', async (path, query) => {
    const unpaid = await service.get(exampleOf(path))
    expect(unpaid.status, unpaid.body).toBe(402)
    const amount = String(prices[query.group])
    expect(paths[path].get['x-payment-info']).toMatchObject({
      price: { mode: 'fixed', currency: 'USD', amount: (Number(amount) / 1e6).toFixed(2) },
      offers: [{ amount }],
    })
    const { accepts, resource, extensions } = requiredOf(unpaid)
    expect(accepts.map((offered) => offered.amount)).toEqual([amount, amount])
    expect(resource.url).toBe(`http://127.0.0.1:${service.port}${exampleOf(path)}`)
    const example = Object.fromEntries(new URL(resource.url).searchParams)
    expect(extensions).toHaveProperty('bazaar.info.input.queryParams', example)
    const [, request = ''] = /request="([^"]+)"/.exec(String(unpaid.headers['www-authenticate'])) ?? []
    expect(PaymentRequest.deserialize(request)).toMatchObject({ amount })
    expect(JSON.parse(unpaid.body)).toMatchObject({
      x402Version: 1,
      accepts: [{ maxAmountRequired: amount }, { maxAmountRequired: amount }],
      error: { details: { amount } },
    })
  })

  test('and absent for public queries', () => {
    for (const query of queries)
      expect('x-payment-info' in paths[pathTo(query)]!.get, query.name).toBe(query.group !== 'public')
  })
})
