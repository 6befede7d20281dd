import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { writeTestWallet } from '../../../api/payment/test-wallet.ts'
import { isFullSize } from '../../support/full-size.ts'
import { temporaryFolder } from '../../support/given.ts'
import type { Service } from '../../support/http.ts'
import { type Host, stdioHost } from '../../support/mcp.ts'
import { type Balances, balanceOf } from '../payment/balances.ts'
import { type Network, networks, servePaid, startChains } from '../payment/paying.ts'

let chains: Embedded
let service: Service
let balances: Balances
let wallet: string

beforeAll(async () => {
  chains = await startChains()
  balances = balanceOf(chains)
  service = await servePaid(chains)
  wallet = join(await temporaryFolder(), 'wallet.json')
  await writeTestWallet(wallet, chains)
})

const host = (network: Network, ...args: string[]): Promise<Host> =>
  stdioHost(['--url', `http://127.0.0.1:${service.port}`, '--network', network, ...args], { SHELFMARK_WALLET: wallet })

/** The requests that reached the service with a payment. */
const payments = (): number => service.log.filter(({ payment }) => payment !== undefined).length

const inflation = (days: number) => ['analyst/inflation', { category: 'coffee', days }] as const

describe.each(networks)('a host that pays on %s', (network) => {
  test('returns the price, the transaction and the amount spent so far', async () => {
    const { ask } = await host(network, '--budget', '0.05')
    const before = await balances(network)
    const { answer, paid } = await ask(...inflation(365), { fields: ['lfl_change_pct'] })
    expect(answer).toEqual({ lfl_change_pct: expect.any(Number) })
    expect(paid).toEqual({
      amount_usd: 0.02,
      network,
      transaction: expect.stringMatching(network === 'solana' ? /^\w{80,90}$/ : /^0x[0-9a-f]{64}$/),
      spent_usd: 0.02,
      in_doubt_usd: 0,
      budget_usd: 0.05,
    })
    expect((await balances(network)) - before).toBe(20_000n)
    // Other fields of an answer that was paid are free.
    expect(await ask(...inflation(365), { fields: ['window'] })).not.toHaveProperty('paid')
    expect((await balances(network)) - before).toBe(20_000n)
  })

  // The budget is the same code whatever the network.
  const isTried = isFullSize || network === 'base'
  test.runIf(isTried)('pays exactly three of ten concurrent calls with a budget for three', async () => {
    const { call } = await host(network, '--budget', '0.07')
    const before = await balances(network)
    const paidBefore = payments()
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) => call('ask', { query: 'analyst/inflation', params: inflation(400 + i)[1] })),
    )
    const refusals = results.flatMap(({ isError, structuredContent }) => (isError ? [structuredContent.error] : []))
    expect(refusals).toHaveLength(7)
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'BUDGET_EXHAUSTED' })
    expect((await balances(network)) - before).toBe(60_000n)
    expect(payments() - paidBefore).toBe(3)
  })
})

test('free queries, refusals and categories cost nothing and need no wallet', async () => {
  const { ask, refused, call } = await stdioHost(['--url', `http://127.0.0.1:${service.port}/`], {
    SHELFMARK_WALLET: join(await temporaryFolder(), 'none.json'),
  })
  expect(await ask('public/stats', {})).not.toHaveProperty('paid')
  expect(await refused('analyst/inflation', { category: 'zzqq' })).toMatchObject({ code: 'INVALID_PARAMS' })
  expect((await call('find_category', { text: 'coffee' })).structuredContent).toMatchObject({
    category_path: 'grocery/beverages/coffee',
  })
  expect((await call('find_category', { text: 'zzqq' })).structuredContent.error).toMatchObject({
    code: 'INVALID_PARAMS',
  })
  expect(await refused(...inflation(365))).toMatchObject({
    code: 'NO_WALLET',
    message: expect.stringContaining('Set SHELFMARK_WALLET'),
  })
  expect((await call('list_queries', { group: 'analyst' })).structuredContent.queries).toContainEqual(
    expect.objectContaining({ query: 'analyst/inflation', price_usd: 0.02 }),
  )
})

test('a price above the limit of the process or of the call is not paid, and is named', async () => {
  const { refused } = await host('base', '--max-price', '0.015')
  const before = await balances('base')
  const paidBefore = payments()
  expect(await refused(...inflation(300))).toEqual({
    code: 'PRICE_TOO_HIGH',
    message:
      'The answer costs 0.02 USD, more than 0.015; nothing was paid. Restart shelfmark-mcp with --max-price 0.02 or more.',
    details: { price_usd: 0.02, max_price_usd: 0.015 },
  })
  const cheap = ['marketing/share-of-shelf', { category: 'coffee' }] as const
  expect(await refused(...cheap, { max_price: 0.005 })).toMatchObject({
    code: 'PRICE_TOO_HIGH',
    message: expect.stringMatching(/Raise max_price of the call\.$/),
  })
  expect(await balances('base')).toBe(before)
  expect(payments()).toBe(paidBefore)
})

test('a payment that the service refuses counts towards the budget: it could still be charged', async () => {
  const poor = join(await temporaryFolder(), 'poor.json')
  await writeTestWallet(poor, { ...chains, payers: { ...chains.payers, base: `0x${'7'.repeat(64)}` } })
  const { refused } = await stdioHost(['--url', `http://127.0.0.1:${service.port}`, '--budget', '0.03'], {
    SHELFMARK_WALLET: poor,
  })
  const { code, details } = await refused(...inflation(301))
  expect(code).toBe('PAYMENT_REQUIRED')
  expect(details).toMatchObject({
    reason: expect.stringContaining('insufficient'),
    paid: { amount_usd: 0, in_doubt_usd: 0.02 },
  })
  expect(await refused(...inflation(302))).toMatchObject({ code: 'BUDGET_EXHAUSTED' })
})

test('a service that does not answer is named, and nothing is paid', async () => {
  const { refused } = await stdioHost(['--url', 'http://127.0.0.1:9'], { SHELFMARK_WALLET: wallet })
  expect(await refused(...inflation(365))).toMatchObject({
    code: 'NOT_READY',
    message: expect.stringMatching(/^No answer from http:\/\/127\.0\.0\.1:9 .*set its address with --url\.$/),
  })
})
