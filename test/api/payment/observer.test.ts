import { createSolanaRpc, type Signature } from '@solana/kit'
import { createPublicClient, decodeFunctionData, type Hex, http, parseAbi, serializeSignature, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { receiptOf } from '../../../api/payment/receipt.ts'
import type { Reply, Service } from '../../support/http.ts'
import {
  bought,
  cheap,
  type Network,
  networks,
  type Payer,
  paymentFor,
  requiredOf,
  type Headers as Sent,
  startPaid,
} from './paying.ts'

let chains: Embedded
let service: Service
let payer: Payer

beforeAll(async () => {
  ;({ chains, payer, service } = await startPaid())
})

const base64 = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64')

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

/** The x402 payload that a transaction on Base settled, from its calldata. */
const payloadOnBase = async (hash: Hex) => {
  const { input } = await createPublicClient({ transport: http(chains.rpc.base) }).getTransaction({ hash })
  const { args } = decodeFunctionData({ abi, data: input })
  const [from, to, value, validAfter, validBefore, nonce, last, r, s] = args
  const signature = typeof last === 'string' ? last : serializeSignature({ v: BigInt(last), r: r!, s: s! })
  const [after, before] = [String(validAfter), String(validBefore)]
  return {
    authorization: { from, to, value: String(value), validAfter: after, validBefore: before, nonce },
    signature,
  }
}

/** The x402 payload that a transaction on Solana settled: the same without the signature of the fee payer. */
const payloadOnSolana = async (signature: string) => {
  const options = { encoding: 'base64', maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const
  const found = await createSolanaRpc(chains.rpc.solana)
    .getTransaction(signature as Signature, options)
    .send()
  const wire = Buffer.from(found!.transaction[0], 'base64')
  return { transaction: wire.fill(0, 1, 65).toString('base64') }
}

/** Everything that somebody can present who knows a transaction and may ask for any number of 402s. */
const rebuilt = async (network: Network, transaction: string, unpaid: Reply, paid: Sent): Promise<Sent[]> => {
  if (network === 'tempo') {
    // The transaction itself is public; its challenge is not.
    const signed = JSON.parse(Buffer.from(paid.authorization!.split(' ')[1]!, 'base64url').toString()).payload
    const mine = await payer.pay(unpaid, 'tempo')
    const credential = JSON.parse(Buffer.from(mine.authorization!.split(' ')[1]!, 'base64url').toString())
    const stolen = Buffer.from(JSON.stringify({ ...credential, payload: signed })).toString('base64url')
    return [{ authorization: `Payment ${stolen}` }]
  }
  const payload = network === 'base' ? await payloadOnBase(transaction as Hex) : await payloadOnSolana(transaction)
  const { resource, accepts, extensions } = requiredOf(unpaid)
  const { caip2, v1 } = testnets[network]
  const accepted = accepts.find((offered) => offered.network === caip2)!
  const { resendSecret: _, ...extra } = accepted.extra as Record<string, unknown>
  const first = { 'x-payment': base64({ x402Version: 1, scheme: 'exact', network: v1, payload }) }
  const second = (change: object) => ({
    'payment-signature': base64({ x402Version: 2, payload, extensions, resource, accepted, ...change }),
  })
  const forms = [
    first,
    second({}),
    second({ accepted: { ...accepted, extra } }),
    second({ accepted: { ...accepted, extra: { ...extra, resendSecret: '' } } }),
  ]
  return [...forms, ...forms.map((headers) => ({ ...headers, 'idempotency-key': 'guessed' }))]
}

const attack = async (network: Network, transaction: string, paid: Sent): Promise<void> => {
  const unpaid = await service.get(cheap)
  for (const headers of await rebuilt(network, transaction, unpaid, paid)) {
    const { status, body } = await service.get(cheap, headers)
    expect(status, body).toBe(402)
    expect(body).not.toContain('share_pct')
  }
}

describe.each(networks)('who knows a settled transaction on %s, and not its payment,', (network) => {
  test('gets no answer by rebuilding the payment, while its payer fetches it again', async () => {
    const paid = await paymentFor(service, payer, cheap, network)
    const answer = await service.get(cheap, paid)
    expect(answer.status).toBe(200)
    await attack(network, receiptOf(new Headers(answer.headers as Record<string, string>)).transaction!, paid)
    const again = await service.get(cheap, paid)
    expect(again).toMatchObject({ status: 200, body: answer.body, headers: { 'idempotent-replayed': 'true' } })
  })
})

describe('a payment of x402 version 1, all of which is on the chain,', () => {
  const paidOnce = async (headers: Sent = {}): Promise<Sent> => {
    const { payload } = await payer.payload(await service.get(cheap), 'base')
    const payment = { x402Version: 1, scheme: 'exact', network: testnets.base.v1, payload }
    return { 'x-payment': base64(payment), ...headers }
  }

  test('is answered once without an Idempotency-Key', async () => {
    const paid = await paidOnce()
    expect((await service.get(cheap, paid)).status).toBe(200)
    expect((await service.get(cheap, paid)).status).toBe(402)
  })

  test('is answered again with the Idempotency-Key that it was sent with', async () => {
    const paid = await paidOnce({ 'idempotency-key': toHex('a name of 16 bytes or more') })
    const answer = await service.get(cheap, paid)
    expect(await service.get(cheap, paid)).toMatchObject({ status: 200, body: answer.body })
    expect((await service.get(cheap, { ...paid, 'idempotency-key': 'of somebody else altogether' })).status).toBe(402)
    expect(bought([await service.get(cheap, paid)])).toEqual([])
  })
})
