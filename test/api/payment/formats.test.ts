import { beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../../support/http.ts'
import type { Balances } from './balances.ts'
import { networks, type Payer, paymentFor, requiredOf, startPaid } from './paying.ts'

const path = '/v1/marketing/share-of-shelf?category=coffee'
const CSV = { accept: 'text/csv' }
const PARQUET = { accept: 'application/vnd.apache.parquet' }

let service: Service
let payer: Payer
let balances: Balances
beforeAll(async () => {
  ;({ payer, balances, service } = await startPaid())
})

test('the 402 is JSON and the same in every format', async () => {
  const unpaid = await service.get(path)
  // But for the secret of each 402.
  const secret = expect.stringMatching(/^[\w-]{22}$/)
  const offers = requiredOf(unpaid).accepts.map((offer) => ({
    ...offer,
    extra: { ...offer.extra, resendSecret: secret },
  }))
  for (const accept of [CSV, PARQUET]) {
    const reply = await service.get(`${path}&table=brands`, accept)
    expect(reply.status).toBe(402)
    expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(reply.headers['content-disposition']).toBeUndefined()
    expect(requiredOf(reply).accepts).toEqual(offers)
    expect(requiredOf(reply).resource).toEqual(requiredOf(unpaid).resource)
  }
})

test('what has no such table or type is refused before the 402', async () => {
  expect((await service.get(`${path}&table=prices`, CSV)).status).toBe(400)
  expect((await service.get(path, { accept: 'image/png' })).status).toBe(406)
  const retailers = '/v1/marketing/promo-intelligence?category=coffee&table=retailers'
  expect((await service.get(retailers, CSV)).status).toBe(400)
  expect((await service.get(`${retailers}&aggregate_by=retailer`, CSV)).status).toBe(402)
})

describe.each(networks)('a payment on %s', (network) => {
  test('buys the answer in one format, and gets it again in any, without another charge', async () => {
    const payment = await paymentFor(service, payer, path, network)
    const before = await balances(network)
    const csv = await service.get(path, { ...payment, ...CSV })
    expect(csv.status).toBe(200)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['idempotent-replayed']).toBeUndefined()
    const again = await service.get(path, { ...payment, ...CSV })
    expect(again).toMatchObject({ status: 200, body: csv.body, headers: { 'idempotent-replayed': 'true' } })
    const json = await service.get(path, payment)
    expect(json).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    const { brands } = JSON.parse(json.body)
    expect(csv.body.split('\r\n').length - 2).toBe(brands.length)
    const values = await service.get(`${path}&table=share-of-shelf`, { ...payment, ...CSV })
    expect(values).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    expect(values.body).toContain('total_products')
    const parquet = await service.get(path, { ...payment, ...PARQUET })
    expect(parquet).toMatchObject({ status: 200, headers: { 'content-type': PARQUET.accept } })
    expect(parquet.body.slice(0, 4)).toBe('PAR1')
    expect((await balances(network)) - before).toBe(10_000n)
  })
})
