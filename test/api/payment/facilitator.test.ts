import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../api/ops/config.ts'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { openPayments } from '../../../api/payment/payments.ts'
import { type LogLine, type Service, serveSample } from '../../support/http.ts'
import { balanceOf } from './balances.ts'
import { cheap, createPayer, type Headers, type Payer, paymentFor, startChains } from './paying.ts'
import { admitByCdp, serveStrictly } from './strict-facilitator.ts'

type Payments = Awaited<ReturnType<typeof openPayments>>

const KEY_ID = 'organizations/1/apiKeys/2'
let chains: Embedded
let payer: Payer

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
})

/** A service that takes payments on Base, with these settings of its facilitator. */
const serveWith = async (environment: Record<string, string>) => {
  let payments: Payments | undefined
  const service = await serveSample(
    {
      SHELFMARK_PAYMENTS: 'facilitator',
      SHELFMARK_NETWORKS: 'testnet',
      SHELFMARK_BASE_URL: 'http://127.0.0.1',
      SHELFMARK_PAY_TO_EVM: chains.payTo.evm,
      SHELFMARK_BASE_RPC_URL: chains.rpc.base,
      ...environment,
    },
    undefined,
    async (config, log) => {
      payments = await openPayments(config, log)
      return payments
    },
  )
  return { service, health: () => payments?.facilitator() }
}

const failures = ({ log }: Service): LogLine[] => log.filter(({ failure }) => failure !== undefined)

const ed25519 = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.concat([d, x].map((half) => Buffer.from(half, 'base64url'))).toString('base64')
  return { secret, publicKey }
}
const p256 = (type: 'pkcs8' | 'sec1', lines = (pem: string) => pem) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { secret: lines(privateKey.export({ type, format: 'pem' }) as string), publicKey }
}

describe('a facilitator of Coinbase', () => {
  const keys: [string, () => { secret: string; publicKey: KeyObject }][] = [
    ['an Ed25519 key', ed25519],
    ['a P-256 key', () => p256('pkcs8')],
    ['a P-256 key in its older form', () => p256('sec1')],
    ['a P-256 key on one line', () => p256('sec1', (pem) => pem.replaceAll('\n', '\\n'))],
  ]
  test.each(keys)('accepts the service with %s, by a new token for each call', async (_, make) => {
    const { secret, publicKey } = make()
    const { service, health } = await serveWith({
      SHELFMARK_FACILITATOR_URL: await serveStrictly(chains.facilitator, { admit: admitByCdp(KEY_ID, publicKey) }),
      SHELFMARK_CDP_KEY_ID: KEY_ID,
      SHELFMARK_CDP_KEY_SECRET: secret,
    })
    const before = await balanceOf(chains)('base')
    for (let i = 0; i < 2; i++)
      expect((await service.get(cheap, await paymentFor(service, payer, cheap, 'base'))).status).toBe(200)
    expect((await balanceOf(chains)('base')) - before).toBe(20_000n)
    expect(health()).toMatchObject({ state: 'up', reason: null, calls: { verify: { ok: 2 } } })
  })

  test.each([
    ['another key', 'other', KEY_ID],
    ['another id', 'right', 'organizations/1/apiKeys/3'],
  ])('refuses %s, which is logged, counted and reported', async (_, which, id) => {
    const { secret, publicKey } = ed25519()
    const { service, health } = await serveWith({
      SHELFMARK_FACILITATOR_URL: await serveStrictly(chains.facilitator, { admit: admitByCdp(KEY_ID, publicKey) }),
      SHELFMARK_CDP_KEY_ID: id,
      SHELFMARK_CDP_KEY_SECRET: which === 'right' ? secret : ed25519().secret,
    })
    expect((await service.get(cheap)).status).toBe(503)
    const reason = expect.stringContaining('answers 401 to supported; it refuses the credentials: check SHELFMARK_')
    expect(health()).toMatchObject({ state: 'down', reason, calls: { supported: { 401: expect.any(Number) } } })
    expect(failures(service)[0]).toMatchObject({ call: 'supported', failure: '401', msg: reason })
    expect(JSON.stringify(service.log)).not.toContain(secret.slice(0, 20))
  })
})

test('a facilitator with a bearer token accepts only that token, and no token is ever logged', async () => {
  const url = await serveStrictly(chains.facilitator, {
    admit: ({ headers }) => headers.authorization === 'Bearer canary-1',
  })
  const right = await serveWith({ SHELFMARK_FACILITATOR_URL: url, SHELFMARK_FACILITATOR_TOKEN: 'canary-1' })
  const reply = await right.service.get(cheap, await paymentFor(right.service, payer, cheap, 'base'))
  expect(reply.status).toBe(200)
  const wrong = await serveWith({ SHELFMARK_FACILITATOR_URL: url, SHELFMARK_FACILITATOR_TOKEN: 'canary-2' })
  expect((await wrong.service.get(cheap)).status).toBe(503)
  expect(wrong.health()).toMatchObject({ state: 'down', calls: { supported: { 401: expect.any(Number) } } })
  expect(JSON.stringify([right.service.log, wrong.service.log])).not.toContain('canary')
})

describe('a facilitator that fails', () => {
  type Fail = (response: ServerResponse) => unknown
  const answer =
    (status: number, body: string): Fail =>
    (response) =>
      response.writeHead(status).end(body)
  const ways: [kind: string, fail: Fail][] = [
    ['401', answer(401, '{"errorType":"unauthorized"}')],
    ['402', answer(402, '{"error":"quota"}')],
    ['403', answer(403, 'Forbidden')],
    ['404', answer(404, '<html>')],
    ['429', (response) => response.writeHead(429, { 'retry-after': '3600' }).end()],
    ['307', (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
    ['500', answer(500, '{"success":false,"isValid":false,"invalidReason":"unexpected_verify_error"}')],
    ['503', answer(503, '')],
    ['timeout', () => {}],
    [
      'truncated',
      (response) =>
        response.writeHead(200, { 'content-length': '500' }).write('{"isValid":true', () => response.destroy()),
    ],
    ['truncated', (response) => response.writeHead(200).write('{"isValid":true', () => response.destroy())],
    ['malformed', answer(200, '{"isValid":tr')],
    ['malformed', answer(200, '<html>Welcome</html>')],
    ['malformed', answer(200, '{"valid":true}')],
    ['malformed', answer(200, `{"isValid":true,"more":"${'x'.repeat(2_000_000)}"}`)],
    ['unreachable', (response) => response.destroy()],
  ]
  let broken: { call: keyof Facilitator; fail: Fail } | null = null
  let served: Awaited<ReturnType<typeof serveWith>>

  beforeAll(async () => {
    const url = await serveStrictly(chains.facilitator, {
      fail: (call, response) => {
        if (broken?.call !== call) return false
        broken.fail(response)
        return true
      },
    })
    served = await serveWith({
      SHELFMARK_FACILITATOR_URL: url,
      // Longer than this facilitator takes on a busy machine.
      SHELFMARK_SETTLE_MS: '3000',
      SHELFMARK_ADMIN_PORT: '0',
    })
  })
  beforeEach(() => {
    broken = null
  })

  /** How often a call ended in a way, by the metrics. */
  const countOf = async (operation: string, outcome: string): Promise<number> => {
    const { body } = await served.service.watch('/metrics')
    const labels = `operation="${operation}",network="base",outcome="${outcome}"`
    const line = body.split('\n').find((text) => text.startsWith(`shelfmark_facilitator_calls_total{${labels}}`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const stateOf = async (): Promise<string | undefined> => {
    const { body } = await served.service.watch('/metrics')
    return /^shelfmark_facilitator_state\{state="(\w+)"\} 1$/m.exec(body)?.[1]
  }

  /** Fails one call of a payment, then presents the payment again: it buys the answer, once. Returns its headers. */
  const failOnce = async (
    call: 'verify' | 'settle',
    kind: string,
    fail: (typeof ways)[number][1],
  ): Promise<Headers> => {
    const { service, health } = served
    const headers = await paymentFor(service, payer, cheap, 'base')
    const before = await balanceOf(chains)('base')
    const failuresBefore = await countOf(call, kind)
    const logged = failures(service).length
    broken = { call, fail }
    const first = await service.get(cheap, headers)
    expect(first.status, first.body).toBe(503)
    expect(failures(service).slice(logged)).toMatchObject([{ call, failure: kind, level: 40 }])
    expect(await countOf(call, kind)).toBe(failuresBefore + 1)
    expect(await stateOf()).toBe('down')
    broken = null
    const settledBefore = await countOf('settle', 'ok')
    expect((await service.get(cheap, headers)).status).toBe(200)
    expect(await countOf('settle', 'ok')).toBe(settledBefore + 1)
    expect({ metric: await stateOf(), health: health()?.state }).toEqual({ metric: 'up', health: 'up' })
    expect((await balanceOf(chains)('base')) - before).toBe(10_000n)
    return headers
  }

  test.each(ways)(
    'to verify, by %s, charges nothing and is logged, and the payment is valid afterwards',
    async (kind, fail) => {
      await failOnce('verify', kind, fail)
    },
  )

  test.each(ways)(
    'to settle, by %s, leaves the payment in doubt and is logged, and the payment buys the answer afterwards',
    async (kind, fail) => {
      const headers = await failOnce('settle', kind, fail)
      const { service } = served
      const [signed = ''] = Object.values(headers)
      expect(JSON.stringify(service.log)).not.toContain(signed.slice(0, 40))
    },
  )

  test('to verify an invalid payment except by a status of 400 makes the service answer 402, not 503', async () => {
    const { service, health } = served
    const headers = await paymentFor(service, payer, cheap, 'base')
    broken = { call: 'verify', fail: answer(400, '{"isValid":false,"invalidReason":"insufficient_funds"}') }
    const refused = await service.get(cheap, headers)
    expect(refused.status).toBe(402)
    expect(refused.body).toContain('insufficient_funds')
    expect(health()?.state).toBe('up')
  })
})

test('a facilitator that never answers does not prevent the service from offering the other networks', async () => {
  const { service, health } = await serveWith({
    SHELFMARK_FACILITATOR_URL: await serveStrictly(chains.facilitator, { fail: () => true }),
    SHELFMARK_SETTLE_MS: '120000',
    SHELFMARK_PAY_TO_TEMPO: chains.payTo.tempo,
    SHELFMARK_TEMPO_RPC_URL: chains.rpc.tempo,
    SHELFMARK_MPP_SECRET: 'a secret of thirty-two characters',
  })
  const unpaid = await service.get(cheap)
  expect(unpaid.status).toBe(402)
  expect(unpaid.headers).toHaveProperty('www-authenticate')
  expect(unpaid.headers).not.toHaveProperty('payment-required')
  expect(health()?.state).toBe('unknown')
})

test('a network that lacks one setting is reported at the start', async () => {
  const { service } = await serveWith({
    SHELFMARK_FACILITATOR_URL: await serveStrictly(chains.facilitator),
    SHELFMARK_PAY_TO_SOLANA: chains.payTo.solana,
  })
  expect(service.log.map(({ msg }) => msg)).toContain(
    'SHELFMARK_SOLANA_RPC_URL: required with SHELFMARK_PAY_TO_SOLANA; until it is set, Solana is not accepted',
  )
})

describe('credentials of a facilitator', () => {
  const base = {
    SHELFMARK_PAYMENTS: 'facilitator',
    SHELFMARK_BASE_URL: 'https://prices.example.com',
    SHELFMARK_FACILITATOR_URL: 'https://facilitator.example.com',
    SHELFMARK_PAY_TO_EVM: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    SHELFMARK_BASE_RPC_URL: 'https://base.example.com',
  }
  const { secret } = ed25519()
  test.each([
    [{ SHELFMARK_CDP_KEY_ID: KEY_ID }, 'SHELFMARK_CDP_KEY_SECRET: required, since SHELFMARK_CDP_KEY_ID is set'],
    [{ SHELFMARK_CDP_KEY_SECRET: secret }, 'SHELFMARK_CDP_KEY_ID: required, since SHELFMARK_CDP_KEY_SECRET is set'],
    [
      { SHELFMARK_CDP_KEY_ID: KEY_ID, SHELFMARK_CDP_KEY_SECRET: 'canary' },
      'SHELFMARK_CDP_KEY_SECRET: expected the secret as',
    ],
    [{ SHELFMARK_FACILITATOR_TOKEN: 'Bearer canary' }, 'SHELFMARK_FACILITATOR_TOKEN: expected only the token'],
    [
      { SHELFMARK_FACILITATOR_TOKEN: 'canary', SHELFMARK_CDP_KEY_ID: KEY_ID, SHELFMARK_CDP_KEY_SECRET: secret },
      'SHELFMARK_FACILITATOR_TOKEN: expected either',
    ],
    [
      { SHELFMARK_FACILITATOR_TOKEN: 'canary', SHELFMARK_FACILITATOR_URL: 'http://facilitator.example.com' },
      'SHELFMARK_FACILITATOR_URL: expected an https address',
    ],
  ])('that are incomplete or contradictory are refused, without being repeated', (given, expected) => {
    try {
      readConfig({ ...base, ...given })
      expect.unreachable('these settings fit')
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      const { message } = error as Error
      expect(message).toContain(expected)
      expect(message).not.toContain('canary')
      expect(message).not.toContain(secret)
    }
  })

  test('of an EC key on another curve are refused', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    expect(() => readConfig({ ...base, SHELFMARK_CDP_KEY_ID: KEY_ID, SHELFMARK_CDP_KEY_SECRET: pem })).toThrow(/P-256/)
  })
})
