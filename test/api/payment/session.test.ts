import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { readLines } from '../../../api/payment/lines.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { fromText } from '../../../api/payment/sessions/store.ts'
import { evmKeys } from '../../chains/keys.ts'
import { atEnd } from '../../support/at-end.ts'
import { sized } from '../../support/full-size.ts'
import { send } from '../../support/http.ts'
import { listedPayments } from '../../support/listed-payments.ts'
import { startPostgres } from '../../support/postgres.ts'
import { cheap, expensive, type Headers, servePaid, startChains } from './paying.ts'
import { createCredentials, createSessionClient, serveSessions, watchTempo } from './session-clients.ts'

const PRICE = 10_000n
const ANSWERS = sized(20, 1000)
const PAID = BigInt(ANSWERS) * PRICE

let chains: Embedded
let tempo: ReturnType<typeof watchTempo>
let database: string
beforeAll(async () => {
  const server = await startPostgres()
  atEnd(server.stop)
  database = server.url
  chains = await startChains()
  tempo = watchTempo(chains)
})

describe.each([
  ['a file', async () => ({})],
  ['PostgreSQL', async () => ({ SHELFMARK_JOURNAL: database })],
])('with a journal in %s', (_, environment) => {
  test('a stock client opens a session by itself, and buys many answers with two transactions', async () => {
    const { address, total, sessions, service } = await serveSessions(chains, {
      SHELFMARK_SESSION_EXPOSURE: '10',
      ...(await environment()),
    })
    const [before, transactions] = [await tempo.balance(), await tempo.transactions()]
    const client = createSessionClient(chains)
    for (let count = 0; count < ANSWERS; count += 1) {
      const response = await client.fetch(`${address}${cheap}`)
      expect(response.status, await response.clone().text()).toBe(200)
      expect(await response.json()).toHaveProperty('category')
    }
    expect(await client.close()).toMatchObject({
      spent: String(PAID),
      units: ANSWERS,
      txHash: expect.stringMatching(/^0x/),
    })
    expect((await tempo.transactions()) - transactions).toBe(2)
    expect((await tempo.balance()) - before).toBe(PAID)
    expect(await total()).toBe(PAID)
    expect(await sessions()).toMatchObject([{ finalized: true, units: ANSWERS, spent: PAID }])
    const usd = (Number(PAID) / 1e6).toFixed(6)
    expect((await listedPayments(service.config)).totals).toMatch(
      new RegExp(
        `^session 0x\\w+ of 0x\\w+: closed, vouchers ${usd}, ${ANSWERS.toLocaleString('en')} answers for ${usd}, 1 settlement of ${usd} USD$`,
        'm',
      ),
    )
  })

  test('the payer of parallel requests never owes more than the maximum', async () => {
    const { service, sessions, total, journal } = await serveSessions(chains, {
      SHELFMARK_SESSION_EXPOSURE: '0.10',
      ...(await environment()),
    })
    const [before, booked] = [await tempo.balance(), await total()]
    const pay = createCredentials(chains)
    expect((await service.get(cheap, await pay(await service.get(cheap)))).status).toBe(200)
    const payments: Headers[] = []
    for (let count = 0; count < 50; count += 1) payments.push(await pay(await service.get(cheap)))
    const replies = await Promise.all(payments.map((payment) => service.get(cheap, payment)))
    const answers = BigInt(1 + replies.filter(({ status }) => status === 200).length)
    const session = (await sessions()).find(({ finalized }) => !finalized)
    // All that was signed buys answers; the client signs its first sum twice.
    expect(answers).toBe(50n)
    expect(session).toMatchObject({ spent: answers * PRICE, highestVoucherAmount: answers * PRICE })
    if (!journal.startsWith('postgres'))
      for (const line of readLines(`${journal}.sessions`)) {
        const { spent, settledOnChain } = fromText(line)
        expect(spent - settledOnChain).toBeLessThanOrEqual(100_000n)
      }
    expect(session?.settlements?.length).toBeGreaterThanOrEqual(1)
    expect((await tempo.balance()) - before).toBe((await total()) - booked)
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })
})

test('a voucher buys one answer, of its query, and its credential gets that again', async () => {
  const { service, sessions } = await serveSessions(chains)
  const pay = createCredentials(chains)
  const opened = await pay(await service.get(cheap))
  expect((await service.get(cheap, opened)).status).toBe(200)
  const voucher = await pay(await service.get(cheap))
  const other = await service.get(expensive, voucher)
  expect(other.status, other.body).toBe(402)
  expect((await service.get(cheap, voucher)).headers['idempotent-replayed']).toBeUndefined()
  const again = await service.get(cheap, voucher)
  expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  expect(await sessions()).toMatchObject([{ units: 2, spent: 2n * PRICE }])

  // A voucher that was spent, with a new challenge.
  const fresh = await pay(await service.get(cheap))
  const read = ({ authorization = '' }) => JSON.parse(Buffer.from(authorization.slice(8), 'base64url').toString())
  const write = (credential: object) => ({
    authorization: `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`,
  })
  const spent = await service.get(cheap, write({ ...read(fresh), payload: read(voucher).payload }))
  expect(spent.status, spent.body).toBe(402)
  const { payload } = read(fresh)
  const forged = { ...payload, cumulativeAmount: '900000' }
  expect((await service.get(cheap, write({ ...read(fresh), payload: forged }))).status).toBe(402)
  expect((await service.get(cheap, fresh)).status).toBe(200)
  expect(await sessions()).toMatchObject([{ units: 3, spent: 3n * PRICE }])
})

test('a batch is bought by a voucher too, and closes the session that it was the last answer of', async () => {
  const { address, sessions, service } = await serveSessions(chains, { SHELFMARK_SESSION_EXPOSURE: '0.05' })
  const client = createSessionClient(chains)
  const body = JSON.stringify([cheap, cheap].map((path) => ({ path })))
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const response = await client.fetch(`${address}/v1/batch`, sent)
  expect(response.status, await response.clone().text()).toBe(200)
  expect(await response.json()).toHaveLength(2)
  expect(await client.close()).toMatchObject({ spent: String(2n * PRICE), units: 1 })
  expect(await sessions()).toMatchObject([{ finalized: true, spent: 2n * PRICE }])
  expect((await send(service.port, '/v1/batch', { method: 'POST' })).status).toBe(400)
})

test('a stock client fills a session whose deposit is used up, and pays for each answer once', async () => {
  // Five times the exposure is deposited: ten answers.
  const { address, sessions, total } = await serveSessions(chains, { SHELFMARK_SESSION_EXPOSURE: '0.02' })
  const before = await tempo.balance()
  const client = createSessionClient(chains)
  for (let count = 0; count < 25; count += 1) {
    const response = await client.fetch(`${address}${cheap}`)
    expect(response.status, await response.clone().text()).toBe(200)
  }
  expect(await client.close()).toMatchObject({ spent: String(25n * PRICE), units: 25 })
  expect(await sessions()).toMatchObject([{ finalized: true, spent: 25n * PRICE }])
  expect((await tempo.balance()) - before).toBe(25n * PRICE)
  expect(await total()).toBe(25n * PRICE)
})

test('an idle session is closed, and the rest of its deposit returned', async () => {
  const { address, sessions, total } = await serveSessions(chains, { SHELFMARK_SESSION_IDLE_MINUTES: '0.02' })
  const client = createSessionClient(chains, '2')
  const before = await tempo.balance(chains.payTo.tempo)
  await client.fetch(`${address}${cheap}`)
  await expect.poll(sessions, { timeout: 60_000, interval: 200 }).toMatchObject([{ finalized: true }])
  expect((await tempo.balance(chains.payTo.tempo)) - before).toBe(PRICE)
  expect(await total()).toBe(PRICE)
  // The client opens another by itself.
  await sleep(10)
  expect((await createSessionClient(chains, '2').fetch(`${address}${cheap}`)).status).toBe(200)
})

test('no session is offered without a key', async () => {
  const service = await servePaid(chains)
  expect((await service.get(cheap)).headers['www-authenticate']).not.toContain('session')
  const offering = await servePaid(chains, { SHELFMARK_SESSION_KEY: evmKeys.relayer })
  const { headers } = await offering.get(cheap)
  expect(headers['www-authenticate']).toMatch(/intent="charge".*, Payment .*intent="session"/)
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 0)
  expect(bytes).toBeLessThan(8192)

  // What describes the service says so, of each query that a session may pay.
  const offersOf = async (served: typeof service): Promise<string[]> => {
    const { paths } = JSON.parse((await served.get('/openapi.json')).body)
    const { offers } = paths[cheap.split('?')[0]!].get['x-payment-info']
    return offers.map(({ intent }: { intent: string }) => intent)
  }
  expect([await offersOf(service), await offersOf(offering)]).toEqual([['charge'], ['charge', 'session']])
  const guides = await Promise.all([service, offering].map((served) => served.get('/llms.txt')))
  expect(guides.map(({ body }) => body.includes('a session of MPP'))).toEqual([false, true])
})
