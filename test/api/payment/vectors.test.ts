import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Challenge, Credential } from 'mppx'
import { beforeAll, describe, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import { readMpp } from '../../../api/payment/mpp.ts'
import type { Rails } from '../../../api/payment/rails.ts'
import { receiptOf } from '../../../api/payment/receipt.ts'
import { send } from '../../support/http.ts'
import { cheap, servePaid, startChains } from './paying.ts'

/** Reference values of MPP that lie beside the repository, made by its official library and checked by hand. */
const file = new URL('../../../../shared/vectors/payments.json', import.meta.url)
const isAbsent = !existsSync(file)
const because = isAbsent ? ' (skipped: there is no ../shared/vectors)' : ''
const vectors: Record<
  'secretKey' | 'header' | 'id' | 'hmacInput' | 'requestDecoded' | 'opaqueDecoded' | 'receipt',
  string
> = isAbsent ? {} : JSON.parse(readFileSync(file, 'utf8'))

/** The parameters of a challenge, read as draft-httpauth-payment-00 writes them. */
const parametersOf = (header: string): Record<string, string> => {
  expect(header).toMatch(/^Payment /)
  return Object.fromEntries([...header.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]))
}

const bound = ['realm', 'method', 'intent', 'request', 'expires', 'digest', 'opaque']

/** The id of a challenge: an HMAC over what it binds, in that draft's order, absent ones empty. */
const idOf = (parameters: Record<string, string>, secret: string): string =>
  createHmac('sha256', secret)
    .update(bound.map((name) => parameters[name] ?? '').join('|'))
    .digest('base64url')

const decode = (base64url: string) => Buffer.from(base64url, 'base64url').toString()

describe.skipIf(isAbsent)(`the reference challenge${because}`, () => {
  test('has the id that the oracle of this test computes', () => {
    const parameters = parametersOf(vectors.header)
    expect(bound.map((name) => parameters[name] ?? '').join('|')).toBe(vectors.hmacInput)
    expect(idOf(parameters, vectors.secretKey)).toBe(vectors.id)
    expect(parameters.id).toBe(vectors.id)
    expect(decode(parameters.request)).toBe(vectors.requestDecoded)
    expect(decode(parameters.opaque)).toBe(vectors.opaqueDecoded)
  })

  test.each([
    ['the current secret', (secret: string) => [secret, 'f'.repeat(32)], 'malformed-credential'],
    ['the previous secret', (secret: string) => ['f'.repeat(32), secret], 'malformed-credential'],
    ['an unknown secret', () => ['f'.repeat(32)], 'invalid-challenge'],
  ])('is checked with %s', async (_, secrets, fault) => {
    const challenge = Challenge.deserialize(vectors.header)
    // A payload that is none: what is said of it shows whether the challenge was taken.
    const header = Credential.serialize({ challenge, payload: { type: 'proof', signature: '0x00' } })
    const rpc = { base: 'http://127.0.0.1:1', solana: 'http://127.0.0.1:1', tempo: 'http://127.0.0.1:1' }
    const rails = { networks: testnets, rpc, secrets: secrets(vectors.secretKey), settle_ms: 1000 } as unknown as Rails
    await expect(readMpp(header, rails)).rejects.toMatchObject({ fault })
  })

  test('has a receipt that the service can read', () => {
    const headers = new Headers({ 'payment-receipt': vectors.receipt })
    const timestamp = '2030-01-01T00:00:01.000Z'
    expect(receiptOf(headers)).toEqual({ method: 'tempo', transaction: '0xabc', status: 'success', timestamp })
  })
})

describe('a challenge of the service', () => {
  const secret = '0123456789abcdef0123456789abcdef'
  let header: string
  let required: string
  beforeAll(async () => {
    const settings = { SHELFMARK_MPP_SECRET: secret, SHELFMARK_BASE_URL: 'https://api.example.com' }
    const service = await servePaid(await startChains(), settings)
    // Whatever host the client names, the public address counts.
    const { headers } = await send(service.port, cheap, { headers: { host: 'evil.example' } })
    header = String(headers['www-authenticate'])
    required = String(headers['payment-required'])
  })

  test('is bound by its id to the canonical query', () => {
    const parameters = parametersOf(header)
    expect(parameters.id).toBe(idOf(parameters, secret))
    expect(parameters).toMatchObject({ realm: 'api.example.com', method: 'tempo', intent: 'charge' })
    expect(JSON.parse(decode(parameters.opaque))).toEqual({ scope: `GET ${cheap}`, nonce: expect.stringMatching(/./) })
    const request = JSON.parse(decode(parameters.request))
    expect(Object.keys(request)).toEqual(['amount', 'currency', 'methodDetails', 'recipient'])
    expect(request).toMatchObject({ amount: '10000', methodDetails: { chainId: 42_431 } })
    const left = Date.parse(parameters.expires) - Date.now()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(300_000)
  })

  test('is written as the official library reads and writes it', () => {
    expect(Challenge.serialize(Challenge.deserialize(header))).toBe(header)
    const json = Buffer.from(required, 'base64').toString()
    expect(Buffer.from(json).toString('base64')).toBe(required)
    expect(JSON.parse(json)).toMatchObject({ x402Version: 2, resource: { url: `https://api.example.com${cheap}` } })
  })
})
