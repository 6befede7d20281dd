import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Base64EncodedWireTransaction, createSolanaRpc, type Signature } from '@solana/kit'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import { createTestClient, http, publicActions } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../../api/ops/config.ts'
import { createLogger } from '../../../api/ops/log.ts'
import { testnets } from '../../../api/ops/networks.ts'
import { openFileJournal } from '../../../api/payment/file-journal.ts'
import { type Embedded, startEmbeddedChains } from '../../../api/payment/local-chains.ts'
import { openPayments } from '../../../api/payment/payments.ts'
import { readTestWallet, writeTestWallet } from '../../../api/payment/test-wallet.ts'
import { evmKeys } from '../../chains/keys.ts'
import { balanceOf } from './balances.ts'
import { createPayer, type Payer, startChains } from './paying.ts'

const AT_ONCE = 100
const AMOUNT = '10000'

let chains: Embedded
let payer: Payer
const requirements = {} as Record<'base' | 'solana', PaymentRequirements>

beforeAll(async () => {
  chains = await startChains()
  payer = await createPayer(chains)
  const { kinds } = await chains.facilitator.supported()
  const { base, solana } = testnets
  const feePayer = kinds.find(({ network }) => network === solana.caip2)?.extra?.feePayer
  const exact = { scheme: 'exact', amount: AMOUNT, maxTimeoutSeconds: 60 }
  const { name, version } = base
  requirements.base = {
    ...exact,
    network: base.caip2,
    asset: base.asset,
    payTo: chains.payTo.evm,
    extra: { name, version },
  }
  requirements.solana = {
    ...exact,
    network: solana.caip2,
    asset: solana.asset,
    payTo: chains.payTo.solana,
    extra: { feePayer },
  }
})

const baseClient = () => createTestClient({ mode: 'anvil', transport: http(chains.rpc.base) }).extend(publicActions)

/** A payment of what is required, signed and not yet sent. */
const sign = (network: 'base' | 'solana'): Promise<PaymentPayload> => {
  const required = { x402Version: 2, resource: { url: 'https://api.example.com/' }, accepts: [requirements[network]] }
  const headers = { 'payment-required': encodePaymentRequiredHeader(required) }
  return payer.payload({ status: 402, headers, body: '' }, network)
}

describe.each(['base', 'solana'] as const)('the facilitator on %s', (network) => {
  test('verifies and settles a payment, and refuses to do either again', async () => {
    const payment = await sign(network)
    const { facilitator } = chains
    const before = await balanceOf(chains)(network)
    expect(await facilitator.verify(payment, requirements[network])).toMatchObject({ isValid: true })
    expect(await facilitator.settle(payment, requirements[network])).toMatchObject({ success: true })
    expect(await facilitator.verify(payment, requirements[network])).toMatchObject({ isValid: false })
    expect(await facilitator.settle(payment, requirements[network])).toMatchObject({ success: false })
    expect((await balanceOf(chains)(network)) - before).toBe(BigInt(AMOUNT))
  })

  test(`settles ${AT_ONCE} payments at once`, async () => {
    const payments = await Promise.all(Array.from({ length: AT_ONCE }, () => sign(network)))
    const before = await balanceOf(chains)(network)
    const settled = await Promise.all(
      payments.map((payment) => chains.facilitator.settle(payment, requirements[network])),
    )
    expect(settled.filter(({ success }) => success)).toHaveLength(AT_ONCE)
    expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(AT_ONCE)
    expect((await balanceOf(chains)(network)) - before).toBe(BigInt(AT_ONCE) * BigInt(AMOUNT))
  })
})

test('the embedded Base accepts a payment that became valid since its last block', async () => {
  const { timestamp } = await baseClient().getBlock()
  const idle = () => Date.now() / 1000 - Number(timestamp)
  await vi.waitUntil(() => idle() > 5, { timeout: 20_000 })
  const payment = await sign('base')
  const authorization = {
    ...(payment.payload.authorization as { from: `0x${string}`; to: `0x${string}`; nonce: `0x${string}` }),
    value: BigInt(AMOUNT),
    validAfter: timestamp + 1n,
    validBefore: timestamp + 600n,
  }
  const { chain_id, asset, name, version } = testnets.base
  const signature = await payer.evm.signTypedData({
    domain: { name, version, chainId: chain_id, verifyingContract: asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  const texts = Object.fromEntries(Object.entries(authorization).map(([key, value]) => [key, String(value)]))
  const late = { ...payment, payload: { signature, authorization: texts } }
  expect(await chains.facilitator.verify(late, requirements.base)).toMatchObject({ isValid: true })
})

test('the embedded Solana returns what clients need for a payment, and a new blockhash each time', async () => {
  const rpc = createSolanaRpc(chains.rpc.solana)
  const { transaction } = (await sign('solana')).payload as { transaction: Base64EncodedWireTransaction }
  const { value } = await rpc.simulateTransaction(transaction, { encoding: 'base64', sigVerify: false }).send()
  expect(value).toMatchObject({ err: null })
  expect(Number(value.unitsConsumed)).toBeGreaterThan(100)
  const first = await rpc.getLatestBlockhash().send()
  expect((await rpc.getLatestBlockhash().send()).value.blockhash).not.toBe(first.value.blockhash)
})

test('the facilitator settles nothing while the relayer is out of gas, and the same payments afterwards', async () => {
  const client = baseClient()
  const address = privateKeyToAddress(evmKeys.relayer)
  const value = await client.getBalance({ address })
  const payments = await Promise.all(Array.from({ length: 5 }, () => sign('base')))
  const settle = (payment: PaymentPayload) => chains.facilitator.settle(payment, requirements.base)
  await client.setBalance({ address, value: 0n })
  for (const { success, transaction } of await Promise.all(payments.map(settle)))
    expect({ success, transaction }).toEqual({ success: false, transaction: '' })
  await client.setBalance({ address, value })
  for (const { success } of await Promise.all(payments.map(settle))) expect(success).toBe(true)
})

test('the embedded chains identify themselves as the testnets', async () => {
  expect(await baseClient().getChainId()).toBe(testnets.base.chain_id)
  const tempo = createTestClient({ mode: 'anvil', transport: http(chains.rpc.tempo) }).extend(publicActions)
  expect(await tempo.getChainId()).toBe(testnets.tempo.chain_id)
  const { kinds } = await chains.facilitator.supported()
  const { base, solana } = testnets
  expect(new Set(kinds.map(({ network }) => network))).toEqual(new Set([base.caip2, solana.caip2]))
})

test('the embedded Solana finds settled payments and refuses methods that it does not have', async () => {
  const settled = await chains.facilitator.settle(await sign('solana'), requirements.solana)
  const rpc = createSolanaRpc(chains.rpc.solana)
  const options = { encoding: 'base64', maxSupportedTransactionVersion: 0 } as const
  const transaction = await rpc.getTransaction(settled.transaction as Signature, options).send()
  expect(transaction?.meta?.err).toBeNull()
  const [latest] = await rpc.getSignaturesForAddress(requirements.solana.payTo as never, { limit: 1 }).send()
  expect(latest).toBeUndefined()
  const [newest] = await rpc.getSignaturesForAddress(requirements.solana.extra.feePayer as never, { limit: 1 }).send()
  expect(newest?.signature).toBe(settled.transaction)
  await expect(rpc.getVersion().send()).rejects.toThrow('Unknown method getVersion')
})

test('the test wallet exists while the chains are running', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-wallet-'))
  const file = join(folder, 'test-wallet.json')
  const { rpc, payers, close } = await startEmbeddedChains(file)
  expect(await readTestWallet(file)).toEqual({ rpc, payers })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await close()
  expect(await readTestWallet(file)).toBeNull()
  for (const url of Object.values(rpc)) await expect(fetch(url)).rejects.toThrow()
  await rm(folder, { recursive: true })
})

test('a service that cannot open the journal leaves the wallet of the service that holds it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-wallet-'))
  const journal = await openFileJournal(join(folder, 'payments.jsonl'))
  const removeWallet = await writeTestWallet(join(folder, 'test-wallet.json'), chains)
  const config = readConfig({ SHELFMARK_LAKE: join(folder, 'lake') })
  await expect(openPayments(config, createLogger('silent'))).rejects.toThrow(/SHELFMARK_JOURNAL: process \d+ has/)
  const { rpc, payers } = chains
  expect(await readTestWallet(join(folder, 'test-wallet.json'))).toEqual({ rpc, payers })
  await removeWallet()
  await journal.close()
  await rm(folder, { recursive: true })
})
