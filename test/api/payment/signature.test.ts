import { encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import { createTestClient, type Hex, http } from 'viem'
import { setCode } from 'viem/actions'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Service } from '../../support/http.ts'
import { interposeRpc } from './interposed.ts'
import { cheap, createPayer, type Headers, type Payer, servePaid, startChains } from './paying.ts'

/** Returns the magic value of ERC-1271 for any signature. */
const ACCEPTS_ALL = '0x631626ba7e60e01b60005260206000f3'
const WALLET = '0x00000000000000000000000000000000000c0de5'
/** A Solana transaction begins with the number of its signatures: those of the fee payer and of the payer. */
const PAYER_SIGNATURE = 1 + 64

let chains: Embedded
let service: Service
let payer: Payer
let verified = 0
/** The calls to the node of Base. */
let calls: string[] = []

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  const facilitator: Facilitator = {
    ...chains.facilitator,
    verify: (...payment) => {
      verified += 1
      return chains.facilitator.verify(...payment)
    },
  }
  const base = await interposeRpc(chains.rpc.base, { before: async (method) => void calls.push(method) })
  service = await servePaid(
    { ...chains, rpc: { ...chains.rpc, base }, facilitator },
    { SHELFMARK_RATE: '60', SHELFMARK_BURST: '100' },
  )
})

beforeEach(() => {
  verified = 0
  calls = []
})

const header = (payment: PaymentPayload): Headers => ({ 'payment-signature': encodePaymentSignatureHeader(payment) })

/** An authorization on Base with a signature of the right form by somebody else. */
const forgedOnBase = async (from: string = payer.evm.address, digit = '1'): Promise<Headers> => {
  const payment = await payer.payload(await service.get(cheap), 'base')
  const { authorization } = payment.payload as { authorization: object }
  const nonce: Hex = `0x${digit.repeat(64)}`
  return header({ ...payment, payload: { ...payment.payload, authorization: { ...authorization, from, nonce } } })
}

const forgedOnSolana = async (): Promise<Headers> => {
  const payment = await payer.payload(await service.get(cheap), 'solana')
  const bytes = Buffer.from(String(payment.payload.transaction), 'base64')
  bytes.writeUInt8(bytes.readUInt8(PAYER_SIGNATURE) ^ 1, PAYER_SIGNATURE)
  return header({ ...payment, payload: { transaction: bytes.toString('base64') } })
}

const leftOf = (headers: Record<string, unknown>): number => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])

test.each([
  ['Base', forgedOnBase],
  ['Solana', forgedOnSolana],
])(
  'a forged signature on %s is refused without the facilitator, and costs its client ten requests',
  async (_, forge) => {
    const forged = await forge()
    const before = leftOf((await service.get(cheap)).headers)
    const refused = await service.get(cheap, forged)
    expect(refused.status, refused.body).toBe(402)
    expect(refused.body).toContain('not signed by its payer')
    expect(verified).toBe(0)
    expect(before - leftOf(refused.headers)).toBeGreaterThanOrEqual(10)
  },
)

test('an account is looked up at the node once, however many forged signatures name it', async () => {
  const account = '0x00000000000000000000000000000000000e0a01'
  for (const digit of ['1', '2', '3'])
    expect((await service.get(cheap, await forgedOnBase(account, digit))).status).toBe(402)
  expect(calls).toEqual(['eth_getCode'])
})

test('a wallet that is a contract goes on to its node, and from there to the facilitator', async () => {
  await setCode(createTestClient({ mode: 'anvil', transport: http(chains.rpc.base) }), {
    address: WALLET,
    bytecode: ACCEPTS_ALL,
  })
  await service.get(cheap, await forgedOnBase(WALLET))
  expect(verified).toBe(1)
})

test('a signature of the payer’s own key costs one request', async () => {
  const paid = header(await payer.payload(await service.get(cheap), 'base'))
  const before = leftOf((await service.get(cheap)).headers)
  expect((await service.get(cheap, paid)).status).toBe(200)
  const after = leftOf((await service.get(cheap)).headers)
  expect(before - after).toBeLessThanOrEqual(2)
})
