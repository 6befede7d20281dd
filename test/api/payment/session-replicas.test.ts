import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { fromText } from '../../../api/payment/sessions/store.ts'
import { evmKeys } from '../../chains/keys.ts'
import { atEnd } from '../../support/at-end.ts'
import { type Reply, send } from '../../support/http.ts'
import { startPostgres } from '../../support/postgres.ts'
import { portOf, startService } from '../../support/process.ts'
import { facilitated } from './killed.ts'
import { cheap, type Headers, startChains } from './paying.ts'
import { booksOf, createCredentials, createSessionClient, watchTempo } from './session-clients.ts'

const PRICE = 10_000n
const EXPOSURE = 100_000n
const PARALLEL = 50

/** Every state that a session has had. */
const HISTORY = `
CREATE TABLE history (number SERIAL, session TEXT);
CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history (session) VALUES (NEW.session);
  RETURN NEW;
END $$;
CREATE TRIGGER remember AFTER INSERT OR UPDATE ON shelfmark_sessions FOR EACH ROW EXECUTE FUNCTION remember();`

let chains: Embedded
let tempo: ReturnType<typeof watchTempo>
let books: ReturnType<typeof booksOf>
let database: Client
let ports: number[]

beforeAll(async () => {
  const postgres = await startPostgres()
  atEnd(postgres.stop)
  chains = await startChains()
  tempo = watchTempo(chains)
  books = booksOf(postgres.url)
  const environment = {
    ...(await facilitated(chains, {})),
    SHELFMARK_JOURNAL: postgres.url,
    SHELFMARK_SESSION_KEY: evmKeys.relayer,
    SHELFMARK_SESSION_EXPOSURE: '0.10',
    SHELFMARK_RATE: '10000000',
    SHELFMARK_BURST: '1000000',
  }
  const services = [0, 1, 2].map(() => startService(environment))
  ports = await Promise.all(services.map(portOf))
  database = new Client({ connectionString: postgres.url })
  await database.connect()
  atEnd(() => database.end())
  await database.query(HISTORY)
})

/** Sends each request to the next service: the 402 comes from one, its voucher is spent at another. */
const balance = async (): Promise<string> => {
  let requests = 0
  const server = createServer(async ({ method = 'GET', url = '/', headers }, response) => {
    const { authorization } = headers
    const sent = { method, headers: authorization === undefined ? {} : { authorization } }
    const reply = await send(ports[requests++ % ports.length]!, url, sent)
    response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
    response.end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const get = (at: number, headers: Headers = {}): Promise<Reply> =>
  send(ports[at % ports.length]!, cheap, { headers, agent: false })

test('a session that one service opened buys answers at all of them, and is closed at any', async () => {
  const before = await tempo.balance()
  const address = await balance()
  const client = createSessionClient(chains)
  for (let count = 0; count < 20; count += 1) {
    const response = await client.fetch(`${address}${cheap}`)
    expect(response.status, await response.clone().text()).toBe(200)
  }
  expect(await client.close()).toMatchObject({ spent: String(20n * PRICE), units: 20 })
  expect(await books.sessions()).toMatchObject([{ finalized: true, units: 20, spent: 20n * PRICE }])
  expect((await tempo.balance()) - before).toBe(20n * PRICE)
  expect(await books.total()).toBe(20n * PRICE)
})

test('parallel requests at three services owe no more than the maximum, and no voucher buys two answers', async () => {
  const [before, booked] = [await tempo.balance(), await books.total()]
  const pay = createCredentials(chains)
  expect((await get(0, await pay(await get(0)))).status).toBe(200)
  const payments: Headers[] = []
  for (let count = 0; count < PARALLEL; count += 1) payments.push(await pay(await get(count)))
  // Each at two services at once.
  const replies = await Promise.all(
    payments.flatMap((payment, count) => [get(count, payment), get(count + 1, payment)]),
  )
  const statuses = new Set(replies.map(({ status }) => status))
  expect([...statuses].filter((status) => status !== 200 && status !== 402)).toEqual([])
  const session = (await books.sessions()).find(({ finalized }) => !finalized)!
  // All that was signed buys answers; the client signs its first sum twice.
  expect(session).toMatchObject({ units: PARALLEL, spent: BigInt(PARALLEL) * PRICE })
  expect(session.highestVoucherAmount).toBe(session.spent)

  const { rows } = await database.query('SELECT session FROM history ORDER BY number')
  const states = rows.map(({ session }) => fromText(session))
  expect(states.length).toBeGreaterThan(PARALLEL)
  for (const { spent, settledOnChain, highestVoucherAmount } of states) {
    expect(spent - settledOnChain).toBeLessThanOrEqual(EXPOSURE)
    expect(spent).toBeLessThanOrEqual(highestVoucherAmount)
  }
  expect((await tempo.balance()) - before).toBe((await books.total()) - booked)

  // Each of the credentials gets its answer again, anywhere, and costs nothing.
  const again = await Promise.all(payments.map((payment, count) => get(count + 2, payment)))
  expect(again.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(PARALLEL - 1)
  const later = (await books.sessions()).find(({ channelId }) => channelId === session.channelId)
  expect(later).toMatchObject({ units: PARALLEL, spent: session.spent })
})
