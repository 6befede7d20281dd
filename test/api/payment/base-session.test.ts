import { beforeAll, describe, expect, test } from 'vitest'
import { readLines } from '../../../api/payment/lines.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { fromText } from '../../../api/payment/sessions/store.ts'
import { evmKeys } from '../../chains/keys.ts'
import { atEnd } from '../../support/at-end.ts'
import { sized } from '../../support/full-size.ts'
import { samplePaths } from '../../support/http.ts'
import { listedPayments } from '../../support/listed-payments.ts'
import { startPostgres } from '../../support/postgres.ts'
import {
  type BaseClient,
  baseHeader,
  createBaseClient,
  createSigner,
  sessionOfferOf,
  watchBase,
} from './base-session-clients.ts'
import { cheap, expensive, requiredOf, servePaid, startChains } from './paying.ts'
import { serveSessions } from './session-clients.ts'

const PRICE = 10_000n
const ANSWERS = sized(30, 1000)
const PAID = BigInt(ANSWERS) * PRICE
const OUT_OF_SYNC = 'invalid_batch_settlement_evm_cumulative_amount_mismatch'

let chains: Embedded
let base: ReturnType<typeof watchBase>
let database: string
beforeAll(async () => {
  const server = await startPostgres()
  atEnd(server.stop)
  database = server.url
  chains = await startChains()
  base = watchBase(chains)
})

let salts = 0
/** A client with a channel of its own. */
const newClient = (): BaseClient => {
  salts += 1
  return createBaseClient(chains, { salt: `0x${String(salts).padStart(64, '0')}` })
}

/** What payee and payer have. */
const moneyOf = async ({ payer }: BaseClient) => ({ payee: await base.balance(), payer: await base.balance(payer) })

const buy = async (client: BaseClient, url: string): Promise<void> => {
  const response = await client.fetch(url)
  expect(response.status, await response.clone().text()).toBe(200)
}

describe.each([
  ['a file', 50, async () => ({})],
  ['PostgreSQL', 15, async () => ({ SHELFMARK_JOURNAL: database })],
])('with a journal in %s', (_, parallel, environment) => {
  test('a stock client opens a channel by itself, buys many answers, and gets the rest back', async () => {
    const { address, total, sessions, service } = await serveSessions(chains, {
      SHELFMARK_SESSION_EXPOSURE: '10',
      ...(await environment()),
    })
    const client = newClient()
    const before = await moneyOf(client)
    const transactions = await base.transactions()
    for (let count = 0; count < ANSWERS; count += 1) await buy(client, `${address}${cheap}`)
    expect((await base.transactions()) - transactions).toBe(1)
    expect(await client.refund(`${address}${cheap}`)).toMatchObject({ success: true, transaction: expect.any(String) })
    // The deposit, the claim with the refund, and the transfer to the payee.
    expect((await base.transactions()) - transactions).toBe(3)
    const after = await moneyOf(client)
    expect([after.payee - before.payee, before.payer - after.payer]).toEqual([PAID, PAID])
    expect(await total()).toBe(PAID)
    expect(await sessions()).toMatchObject([{ finalized: true, units: ANSWERS, spent: PAID, settledOnChain: PAID }])
    const usd = (Number(PAID) / 1e6).toFixed(6)
    const { lines, totals } = await listedPayments(service.config)
    expect(totals).toMatch(
      new RegExp(
        `^session 0x\\w+ of 0x\\w+: closed, vouchers ${usd}, ${ANSWERS.toLocaleString('en')} answers for ${usd}, 1 settlement of ${usd} USD$`,
        'm',
      ),
    )
    expect(lines).toEqual([expect.stringMatching(/ base .* verified .*session 0x/)])
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])

    // The same channel again: its sums go on.
    await buy(client, `${address}${cheap}`)
    await client.refund(`${address}${cheap}`)
    expect(await sessions()).toMatchObject([{ finalized: true, units: ANSWERS + 1, spent: PAID + PRICE }])
    expect(await total()).toBe(PAID + PRICE)
    expect((await base.balance()) - before.payee).toBe(PAID + PRICE)
  })

  test('the payer of parallel requests never owes more than the maximum, and pays for each answer once', async () => {
    const { service, address, sessions, total, journal } = await serveSessions(chains, {
      SHELFMARK_SESSION_EXPOSURE: '0.10',
      SHELFMARK_RATE: '1000000',
      SHELFMARK_BURST: '1000000',
      ...(await environment()),
    })
    const client = newClient()
    const [before, booked] = [await moneyOf(client), await total()]
    await buy(client, `${address}${cheap}`)
    // All sign the same sums: each buys one of the answers.
    let refused = 0
    const buyOnce = async (url: string): Promise<void> => {
      while ((await client.fetch(url)).status !== 200) refused += 1
    }
    await Promise.all(Array.from({ length: parallel }, (_, count) => buyOnce(`${address}${cheap}&days=${60 + count}`)))
    expect(refused).toBeGreaterThan(0)
    const session = (await sessions()).find(({ finalized }) => !finalized)
    const states = journal.startsWith('postgres') ? [] : [...readLines(`${journal}.sessions`)].map(fromText)
    for (const { spent, settledOnChain } of states) expect(spent - settledOnChain).toBeLessThanOrEqual(100_000n)
    expect(session?.settlements?.length).toBeGreaterThanOrEqual(1)
    expect((await base.balance()) - before.payee).toBe((await total()) - booked)
    await client.refund(`${address}${cheap}`)
    const after = await moneyOf(client)
    const closed = (await sessions()).find(({ channelId }) => channelId === session?.channelId)
    expect(closed).toMatchObject({ finalized: true, units: 1 + parallel, spent: BigInt(1 + parallel) * PRICE })
    expect(after.payee - before.payee).toBe(closed?.spent)
    expect(before.payer - after.payer).toBe(closed?.spent)
    expect((await total()) - booked).toBe(closed?.spent)
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })
})

test('a voucher buys one answer, of one query, and gets that again', async () => {
  const { service, address, sessions } = await serveSessions(chains)
  const client = newClient()
  await buy(client, `${address}${cheap}`)
  const { voucher, payloadFor } = createSigner(chains, client)
  const unpaid = await service.get(cheap)
  const second = await voucher(unpaid, 2n * PRICE)
  const both = await Promise.all([service.get(cheap, second), service.get(`${cheap}&country=ca`, second)])
  expect(both.map(({ status }) => status)).toEqual([200, 402])
  const again = await service.get(cheap, second)
  expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  const other = await service.get(`${cheap}&country=ca`)
  const otherwise = await service.get(`${cheap}&country=ca`, await voucher(other, 2n * PRICE))
  expect(otherwise.status).toBe(402)
  expect(requiredOf(otherwise)).toMatchObject({ error: OUT_OF_SYNC })
  expect(sessionOfferOf(otherwise).extra).toMatchObject({
    channelState: { chargedCumulativeAmount: '20000' },
    voucherState: { signedMaxClaimable: '20000' },
  })
  for (const sum of [1n, PRICE, 4n * PRICE, 100_000_000n])
    expect((await service.get(cheap, await voucher(unpaid, sum))).status, String(sum)).toBe(402)

  const { voucher: signed, ...rest } = await payloadFor(unpaid, 3n * PRICE)
  const changed = async (payload: object, others: object = {}) =>
    service.get(cheap, baseHeader(unpaid, { ...rest, voucher: signed, ...payload }, others))
  const forged = {
    ...signed,
    signature: `${signed.signature.slice(0, 20)}${'0'.repeat(8)}${signed.signature.slice(28)}`,
  }
  const refusals = await Promise.all([
    changed({ voucher: forged }),
    changed({ channelConfig: { ...rest.channelConfig, salt: `0x${'f'.repeat(64)}` } }),
    changed({ channelConfig: { ...rest.channelConfig, receiver: client.payer } }),
    changed({ channelConfig: { ...rest.channelConfig, withdrawDelay: 901 } }),
    changed({ channelConfig: { ...rest.channelConfig, payerAuthorizer: `0x${'0'.repeat(40)}` } }),
    changed({ channelConfig: null }),
    changed({}, { resource: { url: `${address}${expensive}` } }),
    changed({}, { accepted: { ...sessionOfferOf(unpaid), network: 'eip155:1' } }),
  ])
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 402))
  expect(await sessions()).toMatchObject([{ units: 2, spent: 2n * PRICE }])
  expect((await changed({})).status).toBe(200)
  expect(await sessions()).toMatchObject([{ units: 3, spent: 3n * PRICE, highestVoucherAmount: 3n * PRICE }])
})

test('a stock client fills a channel whose deposit is used up, and pays for each answer once', async () => {
  // Five times the exposure is deposited: ten answers.
  const { address, sessions, total } = await serveSessions(chains, { SHELFMARK_SESSION_EXPOSURE: '0.02' })
  const client = newClient()
  const before = await moneyOf(client)
  for (let count = 0; count < 25; count += 1) await buy(client, `${address}${cheap}`)
  await client.refund(`${address}${cheap}`)
  expect(await sessions()).toMatchObject([{ finalized: true, units: 25, spent: 25n * PRICE }])
  const after = await moneyOf(client)
  expect([after.payee - before.payee, before.payer - after.payer, await total()]).toEqual(Array(3).fill(25n * PRICE))
})

test('an idle channel is closed, and its client opens it again by itself', async () => {
  const { address, sessions, total } = await serveSessions(chains, { SHELFMARK_SESSION_IDLE_MINUTES: '0.03' })
  const client = newClient()
  const before = await moneyOf(client)
  await buy(client, `${address}${cheap}`)
  await expect.poll(sessions, { timeout: 60_000, interval: 200 }).toMatchObject([{ finalized: true }])
  const after = await moneyOf(client)
  expect([after.payee - before.payee, before.payer - after.payer, await total()]).toEqual([PRICE, PRICE, PRICE])
  // It has not heard of that, and signs the next sum first.
  await buy(client, `${address}${cheap}`)
  expect(await sessions()).toMatchObject([{ finalized: false, units: 2, spent: 2n * PRICE }])
})

test('a client that lost what it knew goes on where it was', async () => {
  const { address, sessions } = await serveSessions(chains)
  const client = newClient()
  await buy(client, `${address}${cheap}`)
  await buy(client, `${address}${expensive}`)
  const forgetful = createBaseClient(chains, { salt: `0x${String(salts).padStart(64, '0')}` })
  await buy(forgetful, `${address}${cheap}`)
  expect(await sessions()).toMatchObject([{ units: 3 }])
  // The first client missed that.
  await buy(client, `${address}${cheap}&country=ca`)
  expect(await sessions()).toMatchObject([{ units: 4 }])
})

test('a payer has one session', async () => {
  const { address, sessions, total } = await serveSessions(chains)
  const [one, other] = [newClient(), newClient()]
  await buy(one, `${address}${cheap}`)
  await buy(other, `${address}${cheap}`)
  expect((await sessions()).map(({ finalized }) => finalized).sort()).toEqual([false, true])
  expect(await total()).toBe(PRICE)
})

test('a session is offered with a key, where the facilitator serves the scheme', async () => {
  const plain = await servePaid(chains)
  expect(sessionOfferOf(await plain.get(cheap))).toBeUndefined()
  const offering = await servePaid(chains, { SHELFMARK_SESSION_KEY: evmKeys.relayer })
  const unpaid = await offering.get(cheap)
  expect(sessionOfferOf(unpaid)).toMatchObject({
    network: 'eip155:84532',
    amount: '10000',
    payTo: chains.payTo.evm,
    extra: { withdrawDelay: 900, minDeposit: '5000000', name: 'USDC', version: '2' },
  })
  expect(requiredOf(unpaid).accepts[0]).toMatchObject({ scheme: 'exact' })
  expect(JSON.parse(unpaid.body).accepts).toHaveLength(2)
  const { facilitator } = chains
  const exact: Embedded['facilitator'] = {
    ...facilitator,
    supported: async () => {
      const { kinds, ...others } = await facilitator.supported()
      return { ...others, kinds: kinds.filter(({ scheme }) => scheme === 'exact') }
    },
  }
  const unserved = await servePaid({ ...chains, facilitator: exact }, { SHELFMARK_SESSION_KEY: evmKeys.relayer })
  expect(sessionOfferOf(await unserved.get(cheap))).toBeUndefined()
})

test('a 402 with the offers and the state of a session has less than 8 KiB of headers, and so has its payment', async () => {
  const bytesOf = (headers: object): number =>
    Object.entries(headers).reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0)
  const { service, address } = await serveSessions(chains, { SHELFMARK_RATE: '100000', SHELFMARK_BURST: '100000' })
  const client = newClient()
  await buy(client, `${address}${cheap}`)
  const { payloadFor } = createSigner(chains, client)
  const offered = await service.get(cheap)
  const longest = `/v1/shopper/best-price?q=coffee${encodeURIComponent(' ｃｏｆｆｅｅ'.repeat(15))}`
  const paid = samplePaths().filter(({ query }) => query.group !== 'public')
  let examples = 0
  for (const path of [...paid.map((sample) => sample.path), longest]) {
    const unpaid = await service.get(path)
    expect(unpaid.status, path).toBe(402)
    const payment = baseHeader(offered, await payloadFor(offered, 1n), { resource: requiredOf(unpaid).resource })
    const refused = await service.get(path, payment)
    expect(refused.status, path).toBe(402)
    expect(sessionOfferOf(refused).extra, path).toMatchObject({ voucherState: { signedMaxClaimable: '10000' } })
    for (const headers of [unpaid.headers, refused.headers, payment]) expect(bytesOf(headers), path).toBeLessThan(8192)
    const { bazaar } = requiredOf(unpaid).extensions as { bazaar: { info: { output: { example?: object } } } }
    if (bazaar.info.output.example) examples += 1
  }
  expect(examples).toBeGreaterThan(paid.length / 2)
})
