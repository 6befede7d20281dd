import { decodePaymentSignatureHeader } from '@x402/core/http'
import { type Hex, parseSignature, serializeSignature } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../support/http.ts'
import type { Balances } from './balances.ts'
import { bought, cheap, type Headers, type Payer, paymentFor, startPaid } from './paying.ts'

/** The order of the curve secp256k1: a signature with N - s signs the same. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let service: Service
let payer: Payer
let balances: Balances

beforeAll(async () => {
  ;({ payer, balances, service } = await startPaid())
  // Cached answers are quick, so that the presentations are concurrent in the gate.
  await service.get(cheap, await paymentFor(service, payer, cheap, 'base'))
})

const base64 = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64')
const reversed = (json: unknown): unknown =>
  json !== null && typeof json === 'object' && !Array.isArray(json)
    ? Object.fromEntries(
        Object.entries(json)
          .reverse()
          .map(([name, value]) => [name, reversed(value)]),
      )
    : json

const expectOneAnswer = async (network: 'base' | 'solana' | 'tempo', presentations: Headers[]) => {
  const before = await balances(network)
  const replies = await Promise.all(presentations.map((headers) => service.get(cheap, headers)))
  const [answer, ...others] = bought(replies)
  expect(others).toEqual([])
  const later = await Promise.all(presentations.map((headers) => service.get(cheap, headers)))
  expect(bought(later)).toEqual([])
  // Whoever has the payment has paid: it may fetch the answer again.
  for (const { status, body } of [...replies, ...later]) if (status === 200) expect(body).toBe(answer!.body)
  expect((await balances(network)) - before).toBe(10_000n)
}

test('an authorization on Base buys one answer, however it is encoded', async () => {
  const { 'payment-signature': header = '' } = await paymentFor(service, payer, cheap, 'base')
  const payment = decodePaymentSignatureHeader(header)
  const { authorization, signature } = payment.payload as { authorization: Record<string, string>; signature: Hex }
  const { r, s, yParity } = parseSignature(signature)
  const highS = serializeSignature({
    r,
    s: `0x${(N - BigInt(s)).toString(16).padStart(64, '0')}`,
    yParity: 1 - yParity,
  })
  const changed = (payload: object) => base64({ ...payment, payload: { authorization, signature, ...payload } })
  const first = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: payment.payload }
  const { resource: _, ...unnamed } = payment
  await expectOneAnswer('base', [
    { 'PAYMENT-SIGNATURE': header },
    { 'payment-signature': header.replace(/=+$/, '') },
    { 'payment-signature': Buffer.from(header, 'base64').toString('base64url') },
    { 'payment-signature': base64(reversed(payment)) },
    { 'payment-signature': base64(unnamed) },
    { 'payment-signature': changed({ authorization: { ...authorization, from: authorization.from?.toLowerCase() } }) },
    {
      'payment-signature': changed({
        authorization: { ...authorization, nonce: authorization.nonce?.toUpperCase().replace('0X', '0x') },
      }),
    },
    { 'payment-signature': changed({ signature: highS }) },
    { 'payment-signature': changed({ signature: `${signature.slice(0, -2)}0${yParity}` }) },
    { 'x-payment': base64(first) },
    { 'X-Payment': base64(reversed(first)) },
  ])
})

test('a transaction on Solana buys one answer, whatever is in the fee payer’s signature', async () => {
  const { 'payment-signature': header = '' } = await paymentFor(service, payer, cheap, 'solana')
  const payment = decodePaymentSignatureHeader(header)
  const wire = Buffer.from(String(payment.payload.transaction), 'base64')
  const signed = (byte: number) => {
    const other = Buffer.from(wire)
    other.fill(byte, 1, 65)
    return { 'payment-signature': base64({ ...payment, payload: { transaction: other.toString('base64') } }) }
  }
  const first = { x402Version: 1, scheme: 'exact', network: 'solana-devnet', payload: payment.payload }
  await expectOneAnswer('solana', [
    { 'payment-signature': header },
    signed(1),
    signed(255),
    { 'payment-signature': base64(reversed(payment)) },
    { 'x-payment': base64(first) },
  ])
})

test('a credential on Tempo buys one answer, however it is encoded', async () => {
  const { authorization = '' } = await paymentFor(service, payer, cheap, 'tempo')
  const text = authorization.replace(/^Payment /, '')
  const credential = JSON.parse(Buffer.from(text, 'base64url').toString())
  const written = (json: unknown) => `Payment ${Buffer.from(JSON.stringify(json)).toString('base64url')}`
  await expectOneAnswer('tempo', [
    { authorization },
    { Authorization: `PAYMENT ${text}` },
    { authorization: `payment   ${text}` },
    { 'payment-authorization': authorization },
    { authorization: written(reversed(credential)) },
    { authorization: written({ ...credential, source: undefined }) },
    {
      authorization: written({
        ...credential,
        payload: { ...credential.payload, signature: credential.payload.signature.toUpperCase().replace('0X', '0x') },
      }),
    },
  ])
})

test('a request with two payments is refused without spending either', async () => {
  const [first, second] = [
    await paymentFor(service, payer, cheap, 'base'),
    await paymentFor(service, payer, cheap, 'tempo'),
  ]
  const both = await service.get(cheap, { ...first, ...second })
  expect(both.status).toBe(400)
  expect(JSON.parse(both.body).error.code).toBe('INVALID_PARAMS')
  expect((await service.get(cheap, { ...first, 'x-payment': 'e30=' })).status).toBe(400)
  expect((await service.get(cheap, { authorization: `${second.authorization}, ${second.authorization}` })).status).toBe(
    400,
  )
  expect((await service.get(cheap, { ...first, authorization: 'Bearer of-another-kind' })).status).toBe(200)
  expect((await service.get(cheap, second)).status).toBe(200)
})
