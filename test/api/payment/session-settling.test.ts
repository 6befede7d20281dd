import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Escrow } from '../../../api/payment/sessions/escrow.ts'
import { openSessionFile } from '../../../api/payment/sessions/file-store.ts'
import { type Session, snapshotOf, spend, type TempoSession } from '../../../api/payment/sessions/session.ts'
import { createSettling } from '../../../api/payment/sessions/settling.ts'
import { temporaryFolder } from '../../support/given.ts'

const account = '0x00000000000000000000000000000000000000aa'
const idOf = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`

/** A session that was last used long ago. */
const sessionOf = (digit: string): TempoSession => ({
  channelId: idOf(digit),
  chainId: 1,
  escrowContract: account,
  descriptor: {
    payer: account,
    payee: account,
    operator: account,
    token: account,
    salt: idOf(digit),
    authorizedSigner: account,
    expiringNonceHash: idOf(digit),
  },
  payer: `0x${digit.repeat(40)}`,
  deposit: 100n,
  highestVoucherAmount: 50n,
  highestVoucher: { cumulativeAmount: 50n, signature: '0x' },
  spent: 40n,
  settledOnChain: 0n,
  units: 4,
  closeRequestedAt: 0n,
  finalized: false,
  createdAt: new Date(0).toISOString(),
})

/** A chain on which closing some sessions fails or hangs for a while. */
const createChain = (fail: (id: string, attempt: number) => Promise<void>) => {
  const closed = new Set<string>()
  const attempts = new Map<string, number>()
  const escrow = {
    stateOf: async ({ channelId, deposit }: Session) => ({
      settled: 0n,
      deposit: closed.has(channelId) ? 0n : deposit,
      closeRequestedAt: 0,
      isEmpty: closed.has(channelId),
    }),
    settlementsOf: async ({ channelId, spent, payer }: Session) => ({
      settlements: closed.has(channelId)
        ? [{ at: 1, network: 'tempo', transaction: '0x1', amount: String(spent), payer, is_verified: true }]
        : [],
      total: closed.has(channelId) ? spent : 0n,
      isClosed: closed.has(channelId),
    }),
    close: async ({ channelId }: Session) => {
      const attempt = (attempts.get(channelId) ?? 0) + 1
      attempts.set(channelId, attempt)
      await fail(channelId, attempt)
      closed.add(channelId)
    },
  } as unknown as Escrow
  return { escrow, attempts }
}

const log = { info: () => {}, warn: () => {} }

const openStore = async (...sessions: Session[]) => {
  const store = await openSessionFile(join(await temporaryFolder(), 'sessions'))
  for (const session of sessions) await store.put(session.channelId, session)
  return store
}

test('a session whose closing fails is closed later, and keeps no other waiting', async () => {
  const store = await openStore(sessionOf('a'), sessionOf('b'), sessionOf('c'))
  const { escrow, attempts } = createChain(async (id, attempt) => {
    if (id === idOf('a') && attempt < 3) throw new Error('the node is away')
    if (id === idOf('b')) await new Promise(() => {})
  })
  const settling = createSettling({ store, escrowOf: () => escrow, idle_ms: 1000, log })
  onTestFinished(() => void settling)
  const openIds = async () => (await store.open()).map(({ channelId }) => channelId)
  await expect.poll(openIds, { timeout: 4000 }).not.toContain(idOf('c'))
  expect(await openIds()).toEqual([idOf('a'), idOf('b')])
  await expect.poll(openIds, { timeout: 20_000 }).toEqual([idOf('b')])
  expect(attempts.get(idOf('a'))).toBe(3)
  expect(await store.get(idOf('a'))).toMatchObject({ settledOnChain: 40n, settlements: [{ amount: '40' }] })
})

test('a session that was closed by a process that has died is booked from the chain', async () => {
  const store = await openStore({ ...sessionOf('a'), closeRequestedAt: 1n })
  const { escrow, attempts } = createChain(async () => {})
  await escrow.close(sessionOf('a'))
  createSettling({ store, escrowOf: () => escrow, idle_ms: 1000, log })
  await expect.poll(() => store.open(), { timeout: 10_000 }).toEqual([])
  expect(attempts.get(idOf('a'))).toBe(1)
  expect(await store.get(idOf('a'))).toMatchObject({ finalized: true, settlements: [{ amount: '40' }] })
})

test('a deposit that was withdrawn while the service was away is not spent', async () => {
  const store = await openStore(sessionOf('a'))
  const { escrow } = createChain(async () => {})
  const withdrawn: Escrow = {
    ...escrow,
    stateOf: async () => ({ settled: 0n, deposit: 45n, closeRequestedAt: 0, isEmpty: false }),
    settlementsOf: async () => ({ settlements: [], total: 0n, isClosed: false, deposit: 45n }),
  }
  const settling = createSettling({ store, escrowOf: () => withdrawn, idle_ms: 1e15, log })
  onTestFinished(() => settling.end())
  await settling.covers(sessionOf('a'), 50n)
  expect(await store.get(idOf('a'))).toMatchObject({ deposit: 45n })
})

test('a voucher on Base is for the next sum', () => {
  const { descriptor: _, ...channel } = sessionOf('a')
  const config = {
    payer: account,
    payerAuthorizer: account,
    receiver: account,
    receiverAuthorizer: account,
    token: account,
    withdrawDelay: 900,
    salt: idOf('a'),
  } as const
  const session = { ...channel, config, highestVoucherAmount: 40n }
  const resultOf = (sum: bigint) =>
    spend(session, { amount: 10n, id: 'x', voucher: { cumulativeAmount: sum, signature: '0x' }, exposure: 100n })
  expect([40n, 49n, 51n, 60n].map(resultOf)).toEqual(Array(4).fill('insufficient'))
  expect(resultOf(50n)).toMatchObject({ spent: 50n, highestVoucherAmount: 50n, units: 5 })
})

test.each([
  ['whose challenge has bought an answer', { paid: ['x'] }, 'same'],
  ['that is being closed', { closeRequestedAt: 1n }, 'closed'],
  ['that is closed', { finalized: true }, 'closed'],
  ['whose vouchers do not cover it', { highestVoucherAmount: 49n }, 'insufficient'],
  ['that owes the maximum', { spent: 41n, highestVoucherAmount: 60n }, 'exposed'],
  ['whose voucher is on the chain', { settledOnChain: 45n, published: [45n] }, 'insufficient', 45n],
  ['whose voucher exceeds the deposit', {}, 'insufficient', 101n],
  ['whose voucher is too low', { spent: 50n }, 'insufficient', 55n],
])('a session %s is not charged', (_, changes, expected, sum: bigint | null = null) => {
  const session = { ...sessionOf('a'), ...changes }
  const voucher = sum === null ? null : { cumulativeAmount: sum, signature: '0x' as const }
  const result = spend(session, { amount: 10n, id: 'x', voucher, exposure: 50n })
  expect(result).toBe(expected === 'same' ? session : expected)
})

test('a voucher raises the sum and is charged in one change, and of parallel ones the lower may come later', () => {
  const purchase = (sum: bigint) => ({
    amount: 10n,
    id: String(sum),
    voucher: { cumulativeAmount: sum, signature: '0x' as const },
    exposure: 100n,
  })
  const first = spend({ ...sessionOf('a'), settledOnChain: 45n, published: [45n] }, purchase(70n))
  expect(first).toMatchObject({ spent: 50n, highestVoucherAmount: 70n, units: 5 })
  const second = spend(first as Session, purchase(60n))
  expect(second).toMatchObject({ spent: 60n, highestVoucherAmount: 70n, units: 6 })
})

test('the sum that a client must sign next is none that its chain shows', () => {
  const session = { ...sessionOf('a'), settledOnChain: 50n, published: [50n] }
  expect(snapshotOf(session, 10n).requiredCumulative).toBe('60')
  expect(snapshotOf({ ...session, spent: 45n }, 10n).requiredCumulative).toBe('55')
})

test('the file of sessions survives a line that was cut off', async () => {
  const path = join(await temporaryFolder(), 'sessions')
  const store = await openSessionFile(path)
  await store.put(idOf('a'), sessionOf('a'))
  await Promise.all(
    Array.from({ length: 100 }, () =>
      store.update(idOf('a'), (session) => ({
        op: 'set',
        value: { ...sessionOf('a'), ...session, units: (session?.units ?? 0) + 1 },
        result: null,
      })),
    ),
  )
  const { appendFileSync } = await import('node:fs')
  appendFileSync(path, '{"channelId":"0x')
  const again = await openSessionFile(path)
  expect(await again.get(idOf('a'))).toMatchObject({ units: 104, deposit: 100n })
})
