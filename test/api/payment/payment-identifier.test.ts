import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../../support/http.ts'
import type { Balances } from './balances.ts'
import { cheap, expensive, type Headers, type Payer, requiredOf, startPaid } from './paying.ts'

type Declared = { info: { required: boolean }; schema: { properties: Record<string, Record<string, unknown>> } }

let service: Service
let payer: Payer
let balances: Balances

beforeAll(async () => {
  ;({ payer, balances, service } = await startPaid())
})

const payAs = async (id: unknown, path: string, network: 'base' | 'solana'): Promise<Headers> =>
  payer.payAs(id, await service.get(path), network)

test('the payment-identifier extension is advertised as optional', async () => {
  const declared = requiredOf(await service.get(cheap)).extensions?.['payment-identifier'] as Declared
  expect(declared.info).toEqual({ required: false })
  expect(declared.schema.properties.id).toMatchObject({ type: 'string', minLength: 16, maxLength: 128 })
})

describe.each(['base', 'solana'] as const)('payments on %s under one id', (network) => {
  test('buy one answer to one query', async () => {
    const id = `pay_${randomUUID()}`
    const before = await balances(network)
    const first = await service.get(cheap, await payAs(id, cheap, network))
    expect(first.status, first.body).toBe(200)
    const second = await service.get(cheap, await payAs(id, cheap, network))
    expect(second).toMatchObject({ status: 200, body: first.body, headers: { 'idempotent-replayed': 'true' } })
    expect(second.headers['payment-response']).toBe(first.headers['payment-response'])
    const other = await service.get(expensive, await payAs(id, expensive, network))
    expect(other.status).toBe(409)
    expect(JSON.parse(other.body).error).toMatchObject({ code: 'PAYMENT_ID_REUSED' })
    expect((await balances(network)) - before).toBe(10_000n)
    const further = await service.get(cheap, await payAs(`pay_${randomUUID()}`, cheap, network))
    expect(further.headers).not.toHaveProperty('idempotent-replayed')
    expect((await balances(network)) - before).toBe(20_000n)
  })
})

test.each([['short'], ['x'.repeat(129)], ['sixteen or more, but with spaces'], [17]])(
  'the id %j is refused with the name of its field, and the payment is not used',
  async (id) => {
    const before = await balances('base')
    const refused = await service.get(cheap, await payAs(id, cheap, 'base'))
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.body).error).toMatchObject({
      code: 'INVALID_PARAMS',
      details: { parameter: 'extensions.payment-identifier.info.id' },
    })
    expect(await balances('base')).toBe(before)
  },
)
