import type { ServerResponse } from 'node:http'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { Challenge, Credential } from 'mppx'
import { test } from 'vitest'
import { type CallOutcome, FacilitatorError } from '../../api/payment/facilitator.ts'
import type { Embedded } from '../../api/payment/local-chains.ts'
import { DAY_SECONDS } from '../../engine/index.ts'
import {
  beforeEachRun,
  createPayer,
  type Headers,
  type Payer,
  requiredOf,
  servePaid,
  startChains,
} from '../api/payment/paying.ts'
import { serveStrictly } from '../api/payment/strict-facilitator.ts'
import { type Service, serveSample } from '../support/http.ts'
import { expectMessages, type Line } from './expect-messages.ts'

const path = '/v1/marketing/share-of-shelf?category=coffee'
const otherPath = `${path}&country=ca`
const SECRET = 'a secret of thirty-two characters'
const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

type Refused = { error: { code: string; message: string; details: { reason?: string } } }

/** What a request with these headers is refused with. */
const lineOf = async (service: Service, tried: string, headers: Headers, at = path): Promise<Line> => {
  const { status, body } = await service.get(at, headers)
  if (status === 200) return [tried, status, 'answered']
  const { code, message, details } = (JSON.parse(body) as Refused).error
  return [tried, [status, code, details.reason].filter(Boolean).join(' '), message]
}

const encoded = (value: unknown): Headers => ({
  'payment-signature': Buffer.from(JSON.stringify(value)).toString('base64'),
})

/** Payments by x402, each with one fault. */
const refusedX402 = async (service: Service, payer: Payer): Promise<Line[]> => {
  const unpaid = await service.get(path)
  const required = requiredOf(unpaid)
  const [base, solana] = required.accepts as [PaymentRequirements, PaymentRequirements]
  const seconds = Math.floor(Date.now() / 1000)
  const authorizing = (change: object) => ({
    ...{ x402Version: 2, accepted: base, resource: { url: required.resource?.url } },
    payload: {
      authorization: {
        ...{ from: STRANGER, to: base.payTo, value: base.amount, nonce: `0x${'22'.repeat(32)}` },
        ...{ validAfter: '0', validBefore: String(seconds + 60) },
        ...change,
      },
      signature: `0x${'33'.repeat(65)}`,
    },
  })
  const good = authorizing({})
  /** A payment on Solana that its payer made for another offer. */
  const onSolana = async (change: object): Promise<Headers> => {
    const made = await payer.x402.createPaymentPayload({ ...required, accepts: [{ ...solana, ...change }] })
    return { 'payment-signature': encodePaymentSignatureHeader({ ...made, accepted: solana } as PaymentPayload) }
  }
  const tries: (readonly [tried: string, headers: Headers, at?: string])[] = [
    ['no payment', {}],
    ['nonsense', { 'payment-signature': 'nonsense' }],
    ['two payments', { ...encoded(good), 'x-payment': 'nonsense' }],
    ['on another network', encoded({ ...good, accepted: { ...base, network: 'eip155:1' } })],
    ['an id that is too short', encoded({ ...good, extensions: { 'payment-identifier': { info: { id: 'short' } } } })],
    ['a key that is too long', { ...encoded(good), 'idempotency-key': 'k'.repeat(256) }],
    ['for another query', encoded(good), otherPath],
    ['of another offer', encoded({ ...good, accepted: { ...base, amount: '1' } })],
    ['Base: no authorization', encoded({ ...good, payload: {} })],
    ['Base: to another payee', encoded(authorizing({ to: STRANGER }))],
    ['Base: too little', encoded(authorizing({ value: '1' }))],
    ['Base: expired', encoded(authorizing({ validBefore: String(seconds) }))],
    ['Base: valid for a day', encoded(authorizing({ validBefore: String(seconds + DAY_SECONDS) }))],
    ['Base: not valid yet', encoded(authorizing({ validAfter: String(seconds + 60) }))],
    ['Base: not signed by its payer', encoded(good)],
    ['Solana: no transaction', encoded({ ...good, accepted: solana, payload: { transaction: 'AAAA' } })],
    ['Solana: to another payee', await onSolana({ payTo: payer.solana })],
    ['Solana: too little', await onSolana({ amount: '1' })],
  ]
  const lines: Line[] = []
  for (const [tried, headers, at] of tries) lines.push(await lineOf(service, tried, headers, at))
  return lines
}

/** Payments by MPP, each with one fault. */
const refusedMpp = async (service: Service, payer: Payer): Promise<Line[]> => {
  const issued = Challenge.deserialize(String((await service.get(path)).headers['www-authenticate']))
  const { id: _, ...terms } = issued
  /** A challenge with other terms, signed by this service or by another. */
  const challengeWith = (change: object, secretKey = SECRET) =>
    Challenge.from({ ...terms, ...change, secretKey } as never)
  const headersOf = (challenge: Challenge.Challenge, payload: unknown): Headers => ({
    authorization: Credential.serialize({ challenge, payload }),
  })
  /** The payload that a payer makes for the challenge with other terms. */
  const payloadFor = async (request: object = {}): Promise<unknown> => {
    const challenge = challengeWith({ request: { ...issued.request, ...request } })
    const headers = { 'www-authenticate': Challenge.serialize(challenge) }
    const { authorization = '' } = await payer.pay({ status: 402, headers, body: '' }, 'tempo')
    return Credential.deserialize(authorization).payload
  }
  const transaction = { type: 'transaction', signature: '0x7600' }
  const expired = challengeWith({ expires: new Date(0).toISOString() })
  const changed = challengeWith({ request: { ...issued.request, amount: '1' } })
  const tries: (readonly [tried: string, headers: Headers, at?: string])[] = [
    ['Tempo: nonsense', { authorization: 'Payment nonsense' }],
    ['Tempo: a challenge of another service', headersOf(challengeWith({}, SECRET.toUpperCase()), transaction)],
    ['Tempo: no transaction', headersOf(issued, { type: 'proof', signature: '0x00' })],
    ['Tempo: a transaction that cannot be read', headersOf(issued, transaction)],
    ['Tempo: an expired challenge', headersOf(expired, await payloadFor())],
    ['Tempo: for another query', headersOf(issued, await payloadFor()), otherPath],
    ['Tempo: another price', headersOf(changed, await payloadFor())],
    ['Tempo: to another payee', headersOf(issued, await payloadFor({ recipient: STRANGER }))],
    ['Tempo: too little', headersOf(issued, await payloadFor({ amount: '1' }))],
    [
      'Tempo: another token',
      headersOf(issued, await payloadFor({ currency: '0x20c0000000000000000000000000000000000001' })),
    ],
  ]
  const lines: Line[] = []
  for (const [tried, headers, at] of tries) lines.push(await lineOf(service, tried, headers, at))
  return lines
}

/** Payments that are good, but were used, are in use, or have a name that was used. */
const refusedAgain = async (chains: Embedded, payer: Payer): Promise<Line[]> => {
  let isComputing = () => {}
  let release = () => {}
  const computing = new Promise<void>((resolve) => {
    isComputing = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const service = await servePaid(chains, { SHELFMARK_CACHE_MIB: '0' }, (lake) =>
    beforeEachRun(lake, () => {
      isComputing()
      return released
    }),
  )
  const unpaid = await service.get(path)
  const first = await payer.payload(unpaid, 'base')
  const v1 = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: first.payload }
  const paid = { 'x-payment': Buffer.from(JSON.stringify(v1)).toString('base64') }
  const answer = service.get(path, { ...paid, 'idempotency-key': 'a name' })
  await computing
  const busy = await lineOf(service, 'while another request has it', paid)
  release()
  await answer
  const id = 'a_name_of_a_purchase'
  await service.get(path, await payer.payAs(id, unpaid, 'solana'))
  const other = await service.get(otherPath)
  return [
    busy,
    await lineOf(service, 'for a second query', paid, otherPath),
    await lineOf(
      service,
      'a new one under a used Idempotency-Key, for a second query',
      {
        ...(await payer.pay(other, 'base')),
        'idempotency-key': 'a name',
      },
      otherPath,
    ),
    await lineOf(
      service,
      'a new one under a used payment id, for a second query',
      await payer.payAs(id, other, 'solana'),
      otherPath,
    ),
  ]
}

/** A service whose facilitator answers some calls itself. */
const refusedByFacilitator = async (chains: Embedded, payer: Payer): Promise<Line[]> => {
  let answers: Partial<Record<string, (response: ServerResponse) => unknown>> = {}
  const url = await serveStrictly(chains.facilitator, {
    fail: (call, response) => {
      answers[call]?.(response)
      return answers[call] !== undefined
    },
  })
  const json = (value: object) => (response: ServerResponse) => response.writeHead(200).end(JSON.stringify(value))
  const down = (response: ServerResponse) => response.writeHead(503).end()
  const onBase = {
    SHELFMARK_PAYMENTS: 'facilitator',
    SHELFMARK_NETWORKS: 'testnet',
    SHELFMARK_BASE_URL: 'http://127.0.0.1',
    SHELFMARK_FACILITATOR_URL: url,
    SHELFMARK_PAY_TO_EVM: chains.payTo.evm,
    SHELFMARK_BASE_RPC_URL: chains.rpc.base,
    SHELFMARK_MPP_SECRET: SECRET,
    SHELFMARK_MAX_SETTLEMENTS: '1',
    SHELFMARK_SETTLE_MS: '3000',
  }
  answers = { supported: down }
  const unpayable = await serveSample(onBase)
  const lines: Line[] = [await lineOf(unpayable, 'while the facilitator is down', {})]
  answers = {}
  const service = await serveSample(onBase)
  const { facilitator } = chains
  const { kinds, ...supported } = await facilitator.supported()
  const withoutSolana = { ...supported, kinds: kinds.filter(({ network }) => !network.startsWith('solana')) }
  answers = { supported: json(withoutSolana) }
  const solana = { SHELFMARK_PAY_TO_SOLANA: chains.payTo.solana, SHELFMARK_SOLANA_RPC_URL: chains.rpc.solana }
  const unserved = await serveSample({ ...onBase, ...solana })
  answers = {}
  const embedded = await servePaid(chains, { SHELFMARK_MPP_SECRET: SECRET })
  const unpaid = await embedded.get(path)
  lines.push(
    await lineOf(unserved, 'on a network that the facilitator does not serve', await payer.pay(unpaid, 'solana')),
    await lineOf(service, 'on a network that is not accepted', await payer.pay(unpaid, 'tempo')),
  )
  const pay = async (): Promise<Headers> => payer.pay(await service.get(path), 'base')
  answers = { verify: json({ isValid: false, invalidReason: 'insufficient_funds' }) }
  lines.push(await lineOf(service, 'without the funds', await pay()))
  answers = { verify: down }
  lines.push(await lineOf(service, 'while it cannot be verified', await pay()))
  answers = { settle: json({ success: false, errorReason: 'invalid_transaction_state', transaction: '', network: '' }) }
  lines.push(await lineOf(service, 'that the facilitator does not settle', await pay()))
  answers = { settle: down }
  lines.push(
    await lineOf(service, 'while it cannot be settled', await pay()),
    await lineOf(service, 'of the same payer, while the first is in doubt', await pay()),
    await lineOf(
      service,
      'for another query, while the first is in doubt',
      await payer.pay(await service.get(otherPath), 'base'),
      otherPath,
    ),
  )
  return lines
}

const outcomes: readonly Exclude<CallOutcome, 'ok'>[] = [
  ...(['401', '402', '404', '429', '307', '500'] as const),
  ...(['unreachable', 'timeout', 'truncated', 'malformed', 'failed'] as const),
]

test('refusals of payments', async () => {
  const chains = await startChains()
  const payer = await createPayer(chains)
  const service = await servePaid(chains, { SHELFMARK_MPP_SECRET: SECRET })
  await expectMessages('payments', {
    'payments by x402: status, code and reason': await refusedX402(service, payer),
    'payments by MPP': await refusedMpp(service, payer),
    'payments that are presented again': await refusedAgain(chains, payer),
    'payments that the facilitator or a chain does not take': await refusedByFacilitator(chains, payer),
    'log and /readyz: a failed call to the facilitator': outcomes.map((kind) => [
      kind,
      'FacilitatorError',
      new FacilitatorError('verify', kind).message,
    ]),
  })
})
