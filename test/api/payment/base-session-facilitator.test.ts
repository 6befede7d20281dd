import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm'
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { isOnBase } from '../../../api/payment/sessions/session.ts'
import { atEnd } from '../../support/at-end.ts'
import { startPostgres } from '../../support/postgres.ts'
import { type BaseClient, createBaseClient, watchBase } from './base-session-clients.ts'
import { cheap, startChains } from './paying.ts'
import { serveSessions } from './session-clients.ts'

const PRICE = 10_000n
/** Answers that a payer may owe: the next one is settled first. */
const OWED = 3
const SETTINGS = { SHELFMARK_SESSION_EXPOSURE: '0.03', SHELFMARK_SETTLE_MS: '1500' }

const withdrawing = parseAbi([
  'function initiateWithdraw((address payer, address payerAuthorizer, address receiver, address receiverAuthorizer, address token, uint40 withdrawDelay, bytes32 salt) config, uint128 amount)',
])

let chains: Embedded
let base: ReturnType<typeof watchBase>
beforeAll(async () => {
  chains = await startChains()
  base = watchBase(chains)
})

let salts = 0
const newClient = (): BaseClient => {
  salts += 1
  return createBaseClient(chains, { salt: `0x${String(salts).padStart(64, 'a')}` })
}

type Settle = Facilitator['settle']

/** A service whose facilitator answers payloads of one type by `instead`, until `restore` is called. */
const serveWith = async (
  type: string,
  instead: (settle: Settle, ...call: Parameters<Settle>) => ReturnType<Settle>,
) => {
  let isBroken = true
  const { settle } = chains.facilitator
  const facilitator: Facilitator = {
    ...chains.facilitator,
    settle: (payload, requirements) =>
      isBroken && payload.payload.type === type
        ? instead(settle, payload, requirements)
        : settle(payload, requirements),
  }
  const restore = () => {
    isBroken = false
  }
  return { ...(await serveSessions({ ...chains, facilitator }, SETTINGS)), restore }
}

/** Says that it was done, with a transaction that is not on the chain. */
const pretend: Parameters<typeof serveWith>[1] = async (_, __, { network }) => ({
  success: true,
  transaction: `0x${'1'.repeat(64)}`,
  network,
})

/** Does it, and does not say so. */
const keepSilent: Parameters<typeof serveWith>[1] = async (settle, ...call) => {
  await settle(...call)
  throw new Error('the connection was lost')
}

const statusOf = async (client: BaseClient, url: string): Promise<number> => (await client.fetch(url)).status

test('a deposit that only the facilitator has seen buys nothing', async () => {
  const { address, sessions, restore } = await serveWith('deposit', pretend)
  const client = newClient()
  const before = await base.balance(client.payer)
  expect(await statusOf(client, `${address}${cheap}`)).toBe(503)
  expect(await sessions()).toMatchObject([{ units: 0, spent: 0n }])
  expect(await base.balance(client.payer)).toBe(before)
  restore()
  expect(await statusOf(client, `${address}${cheap}`)).toBe(200)
})

test.each(['deposit', 'claim', 'settle', 'refund'])(
  'a %s that was made counts, though the facilitator was not heard',
  async (type) => {
    const { address, sessions, total } = await serveWith(type, keepSilent)
    const client = newClient()
    const before = { payee: await base.balance(), payer: await base.balance(client.payer) }
    for (let count = 0; count <= OWED; count += 1) expect(await statusOf(client, `${address}${cheap}`)).toBe(200)
    expect(await sessions()).toMatchObject([{ settledOnChain: BigInt(OWED) * PRICE, spent: BigInt(OWED + 1) * PRICE }])
    await client.refund(`${address}${cheap}`)
    const paid = BigInt(OWED + 1) * PRICE
    expect((await base.balance()) - before.payee).toBe(paid)
    expect(before.payer - (await base.balance(client.payer))).toBe(paid)
    expect(await total()).toBe(paid)
    expect(await sessions()).toMatchObject([{ finalized: true, units: OWED + 1 }])
  },
)

test('nobody owes more than the maximum while the facilitator claims nothing', async () => {
  const { address, sessions, total, restore } = await serveWith('claim', pretend)
  const client = newClient()
  for (let count = 0; count < OWED; count += 1) expect(await statusOf(client, `${address}${cheap}`)).toBe(200)
  expect(await statusOf(client, `${address}${cheap}&country=us`)).toBe(503)
  expect(await sessions()).toMatchObject([{ units: OWED, settledOnChain: 0n }])
  expect(await total()).toBe(0n)
  restore()
  expect(await statusOf(client, `${address}${cheap}&country=us`)).toBe(200)
  expect(await sessions()).toMatchObject([{ units: OWED + 1, settledOnChain: BigInt(OWED) * PRICE }])
  expect(await total()).toBe(BigInt(OWED) * PRICE)
})

test('what was claimed and not transferred is booked when it is', async () => {
  const { address, sessions, total, restore } = await serveWith('settle', pretend)
  const client = newClient()
  const before = await base.balance()
  for (let count = 0; count < OWED; count += 1) expect(await statusOf(client, `${address}${cheap}`)).toBe(200)
  expect(await statusOf(client, `${address}${cheap}&country=us`)).toBe(503)
  expect(await sessions()).toMatchObject([{ units: OWED, settledOnChain: BigInt(OWED) * PRICE }])
  expect([await total(), (await base.balance()) - before]).toEqual([0n, 0n])
  // The claim ended what was owed.
  expect(await statusOf(client, `${address}${cheap}&country=us`)).toBe(200)
  restore()
  await client.refund(`${address}${cheap}`)
  const paid = BigInt(OWED + 1) * PRICE
  expect([await total(), (await base.balance()) - before]).toEqual([paid, paid])
  expect(await sessions()).toMatchObject([{ finalized: true }])
})

test('a channel whose payer announces to withdraw is closed, and pays what was spent', async () => {
  const { url, stop } = await startPostgres()
  atEnd(stop)
  const { address, sessions, total } = await serveSessions(chains, { SHELFMARK_JOURNAL: url })
  const client = newClient()
  const before = { payee: await base.balance(), payer: await base.balance(client.payer) }
  expect(await statusOf(client, `${address}${cheap}`)).toBe(200)
  const [session] = await sessions()
  if (!session || !isOnBase(session)) throw new Error('no session on Base')
  await createWalletClient({ account: client.payer, transport: http(chains.rpc.base) }).sendTransaction({
    chain: null,
    account: privateKeyToAccount(chains.payers.base),
    to: BATCH_SETTLEMENT_ADDRESS,
    data: encodeFunctionData({ abi: withdrawing, args: [session.config, session.deposit] }),
  })
  // Another process asks the chain at once, this one within a minute.
  await serveSessions(chains, { SHELFMARK_JOURNAL: url })
  await expect.poll(sessions, { timeout: 20_000 }).toMatchObject([{ finalized: true, spent: PRICE }])
  expect((await base.balance()) - before.payee).toBe(PRICE)
  expect(before.payer - (await base.balance(client.payer))).toBe(PRICE)
  expect(await total()).toBe(PRICE)
})
