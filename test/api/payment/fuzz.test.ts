import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import { PaymentError } from '../../../api/payment/payment.ts'
import type { Rails } from '../../../api/payment/rails.ts'
import { readX402 } from '../../../api/payment/x402.ts'
import { type Reply, type Service, send } from '../../support/http.ts'
import type { Balances } from './balances.ts'
import { cheap, networks, type Payer, startPaid } from './paying.ts'

const REQUESTS = 400
const AT_ONCE = 20
const PRICE = 10_000n

let service: Service
let payer: Payer
let balances: Balances

beforeAll(async () => {
  ;({ payer, balances, service } = await startPaid())
})

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString('hex')}`)
const seconds = fc.nat().map(String)

const authorization = fc.record({
  from: hex(20),
  to: hex(20),
  value: fc.bigInt({ min: 0n, max: 2n ** 200n }).map(String),
  validAfter: seconds,
  validBefore: seconds,
  nonce: hex(32),
})

/** The same JSON with its members in another order. */
const reorder = (value: unknown, isReversed: boolean): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, reorder(inner, isReversed)] as const)
  return Object.fromEntries(isReversed ? entries.reverse() : entries)
}

const encodings: ((json: string) => string)[] = [
  (json) => Buffer.from(json).toString('base64'),
  (json) => Buffer.from(json).toString('base64').replace(/=+$/, ''),
  (json) => Buffer.from(json).toString('base64url'),
]

const rpc = { base: 'http://127.0.0.1:1', solana: 'http://127.0.0.1:1', tempo: 'http://127.0.0.1:1' }
const payTo = `0x${'1'.repeat(40)}` as const
const accounts = {
  base: { payTo, rpc: rpc.base },
  solana: { payTo, rpc: rpc.solana },
  tempo: { payTo, rpc: rpc.tempo },
}
const rails: Rails = {
  networks: testnets,
  accounts,
  // It is never called: payments are read without it.
  facilitator: {} as Facilitator,
  secrets: ['s'.repeat(32)],
  settle_ms: 1000,
}

test('a payment in any encoding is read as the same key and payer', () => {
  fc.assert(
    fc.property(
      authorization,
      hex(65),
      fc.boolean(),
      fc.constantFrom(0, 2),
      fc.constantFrom(...encodings),
      fc.boolean(),
      (authorization, signature, isReversed, indent, encode, isFirst) => {
        const payload = { authorization, signature }
        const { caip2, v1, asset } = testnets.base
        const payment = isFirst
          ? { x402Version: 1, scheme: 'exact', network: v1, payload }
          : { x402Version: 2, accepted: { scheme: 'exact', network: caip2 }, payload }
        const read = readX402(encode(JSON.stringify(reorder(payment, isReversed), null, indent)), rails)
        const { from, nonce } = authorization
        expect(read).toMatchObject({ key: `${caip2}/${asset}/${from}/${nonce}`.toLowerCase(), payer: from })
      },
    ),
  )
})

test('headers that are not payments are refused as such', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json().map(encodings[0]!)), (header) => {
      expect(() => readX402(header, rails)).toThrow(PaymentError)
    }),
  )
})

/** JSON with one of its leaves, or one of its members, turned into something else. */
const tampered = (json: unknown): fc.Arbitrary<unknown> => {
  if (typeof json !== 'object' || json === null) return fc.jsonValue()
  const names = Object.keys(json)
  if (names.length === 0) return fc.jsonValue()
  return fc.constantFrom(...names).chain((name) => {
    const inner = (json as Record<string, unknown>)[name]
    const changed = fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 4, arbitrary: tampered(inner) })
    return changed.map((value) =>
      Array.isArray(json) ? Object.assign([...json], { [name]: value }) : { ...json, [name]: value },
    )
  })
}

const visible = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 200,
})

/** Sends it, and holds what comes back to what is promised: a fault of ours is never the answer. */
const present = async (headers: Record<string, string>): Promise<number | 'replayed'> => {
  const { status, headers: sent, body } = await send(service.port, cheap, { headers })
  expect([200, 400, 402, 503], `${status} ${body}`).toContain(status)
  if (status === 402)
    expect(sent).toMatchObject({ 'cache-control': 'no-store', 'www-authenticate': expect.stringMatching(/^Payment /) })
  return sent['idempotent-replayed'] ? 'replayed' : status
}

const presentAll = async (one: fc.Arbitrary<Record<string, string>>) => {
  const seen = new Map<number | 'replayed', number>()
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE, size: 'max' }), async (all) => {
      for (const status of await Promise.all(all.map(present))) seen.set(status, (seen.get(status) ?? 0) + 1)
    }),
    { numRuns: REQUESTS / AT_ONCE },
  )
  return seen
}

describe('hostile payment headers', () => {
  const names = fc.constantFrom('payment-signature', 'x-payment', 'authorization', 'payment-authorization')

  test('with arbitrary content buy nothing and break nothing', async () => {
    const values = fc.oneof(
      visible,
      fc.json().map(encodings[0]!),
      visible.map((text) => `Payment ${text}`),
      fc.json().map((json) => `Payment ${encodings[2]!(json)}`),
    )
    const seen = await presentAll(fc.tuple(names, values).map(([name, value]) => ({ [name]: value.trim() })))
    expect(seen.get(402)).toBeGreaterThan(REQUESTS / 2)
    expect(seen.has(200)).toBe(false)
  })

  test.each(networks)('derived from a payment on %s buy at most what it pays for', async (network) => {
    const before = await balances(network)
    const unpaid: Reply = await service.get(cheap)
    const [[name, value]] = Object.entries(await payer.pay(unpaid, network))
    const [scheme, encoded] = network === 'tempo' ? ['Payment ', value.slice(8)] : ['', value]
    const payment: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString())
    const encode = network === 'tempo' ? encodings[2]! : encodings[0]!
    const seen = await presentAll(
      tampered(payment).map((json) => ({ [name]: `${scheme}${encode(JSON.stringify(json))}` })),
    )
    expect(seen.get(402)).toBeGreaterThan(REQUESTS / 4)
    expect((await balances(network)) - before).toBe(BigInt(seen.get(200) ?? 0) * PRICE)
    expect(seen.get(200) ?? 0).toBeLessThanOrEqual(1)
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })

  test('of more than 16 KB are refused before they are read', async () => {
    for (const name of ['payment-signature', 'authorization']) {
      const { status } = await send(service.port, cheap, {
        headers: { [name]: `Payment ${'A'.repeat(17_000)}` },
        agent: false,
      })
      expect(status).toBe(431)
    }
  })
})
