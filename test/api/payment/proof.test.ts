import { encodePaymentSignatureHeader } from '@x402/core/http'
import { beforeAll, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import { readPayment } from '../../../api/payment/credential.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Rails } from '../../../api/payment/rails.ts'
import type { Service } from '../../support/http.ts'
import { cheap, createPayer, type Headers, networks, type Payer, paymentFor, servePaid, startChains } from './paying.ts'

const SECRET = 'that both the service and the test know'
/** A Solana transaction begins with the number of its signatures: those of the fee payer and of the payer. */
const PAYER_SIGNATURE = 1 + 64

let chains: Embedded
let service: Service
let payer: Payer
let rails: Rails

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  service = await servePaid(chains, { SHELFMARK_MPP_SECRET: SECRET })
  const { payTo, rpc, facilitator } = chains
  rails = {
    networks: testnets,
    accounts: {
      base: { payTo: payTo.evm, rpc: rpc.base },
      solana: { payTo: payTo.solana, rpc: rpc.solana },
      tempo: { payTo: payTo.tempo, rpc: rpc.tempo },
    },
    facilitator,
    secrets: [SECRET],
    settle_ms: 10_000,
  }
})

const isProven = async (headers: Headers): Promise<boolean | undefined> => {
  const raw = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  return (await readPayment(raw, rails))?.isProven()
}

test.each(networks)('a payment on %s that its payer has just signed proves who pays', async (network) => {
  expect(await isProven(await paymentFor(service, payer, cheap, network))).toBe(true)
})

test('an authorization on Base that somebody else signed proves nothing', async () => {
  const unpaid = await service.get(cheap)
  const other = await createPayer({ ...chains, payers: { ...chains.payers, base: `0x${'42'.repeat(32)}` } })
  const [mine, theirs] = await Promise.all([payer.payload(unpaid, 'base'), other.payload(unpaid, 'base')])
  const forged = { ...mine, payload: { ...mine.payload, signature: theirs.payload.signature } }
  expect(await isProven({ 'payment-signature': encodePaymentSignatureHeader(forged) })).toBe(false)
})

test('a transaction on Solana without the signature of its payer proves nothing', async () => {
  const signed = await payer.payload(await service.get(cheap), 'solana')
  const bytes = Buffer.from(String(signed.payload.transaction), 'base64')
  for (const at of [PAYER_SIGNATURE, PAYER_SIGNATURE + 63]) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  const forged = { ...signed, payload: { transaction: bytes.toString('base64') } }
  expect(await isProven({ 'payment-signature': encodePaymentSignatureHeader(forged) })).toBe(false)
})

test('a transaction on Solana with the blockhash of another chain proves nothing', async () => {
  const elsewhere = await startChains()
  const late = await createPayer({ ...chains, rpc: { ...chains.rpc, solana: elsewhere.rpc.solana } })
  expect(await isProven(await paymentFor(service, late, cheap, 'solana'))).toBe(false)
})

test('a transaction on Tempo that was signed for another challenge proves nothing', async () => {
  const [old, fresh] = await Promise.all([
    paymentFor(service, payer, cheap, 'tempo'),
    paymentFor(service, payer, cheap, 'tempo'),
  ])
  const read = ({ authorization = '' }: Headers) =>
    JSON.parse(Buffer.from(authorization.split(' ')[1] ?? '', 'base64url').toString())
  const stolen = Buffer.from(JSON.stringify({ ...read(fresh), payload: read(old).payload })).toString('base64url')
  expect(await isProven({ authorization: `Payment ${stolen}` })).toBe(false)
})
