import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentSnapshotId } from '../../../engine/index.ts'
import { push } from '../../../ingest/snapshot/push.ts'
import { verifyLake } from '../../../ingest/snapshot/snapshots.ts'
import { sized } from '../../support/full-size.ts'
import { type Reply, send } from '../../support/http.ts'
import { startPostgres } from '../../support/postgres.ts'
import { allServe, emptyLakes, type Fleet, type Replica, ready, startFleet, until } from '../../support/replicas.ts'
import { type Balances, balanceOf } from './balances.ts'
import { facilitated } from './killed.ts'
import { bought, createPayer, type Headers, type Network, networks, type Payer, startChains } from './paying.ts'

const PRICE = 10_000n
const REPLICAS = 3
const KILLED = 2
/** The days on which new snapshots are pushed under load; a service is killed before each. */
const PUSHED = sized([2], [2, 3, 4, 5, 6])
/** Numbers of days that payments are for in turn: payers of one network pay for one query at a time. */
const DAYS = Array.from({ length: 16 }, (_, i) => 30 + i)

let fleet: Fleet
let postgres: Awaited<ReturnType<typeof startPostgres>>
let payer: Payer
let balances: Balances
let environment: Record<string, string>
const replicas: Replica[] = []

beforeAll(async () => {
  const chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  postgres = await startPostgres()
  environment = {
    ...(await facilitated(chains, {})),
    SHELFMARK_JOURNAL: postgres.url,
    SHELFMARK_SETTLE_MS: '2000',
    SHELFMARK_TIMEOUT_MS: '3000',
  }
  fleet = await startFleet('paid', 'marketing/share-of-shelf', DAYS)
  await fleet.publishDay(1)
  await push(fleet.writer, fleet.store)
  const lakes = await emptyLakes(REPLICAS)
  replicas.push(...(await Promise.all(lakes.map((lake) => fleet.start(lake, environment)))))
  await allServe(replicas, (await currentSnapshotId(fleet.writer))!)
})
afterAll(async () => {
  for (const { served } of replicas) {
    served.child.kill('SIGKILL')
    await served.exited
  }
  await postgres.stop()
})

let queries = 0
/** A query that no payment under way is for. */
const nextQuery = (): { count: number; path: string } => {
  const count = DAYS[queries++ % DAYS.length]!
  return { count, path: fleet.path(count) }
}

const get = (at: number, path: string, headers: Headers = {}): Promise<Reply | null> =>
  send(replicas[at]!.port, path, { headers, agent: false }).catch(() => null)

/** A payment for a path, offered by any service that answers. */
const paymentFor = async (at: number, path: string, network: Network): Promise<Headers> => {
  for (let i = at; ; i += 1) {
    const offer = await get(i % REPLICAS, path)
    if (offer?.headers['payment-required']) return payer.pay(offer, network)
    await sleep(100)
  }
}

const isAnswered = (reply: Reply | null): reply is Reply => reply !== null && reply.status !== 503

/** Presents a payment until the answer is not a retry: to one service, and where that is gone to the next. */
const present = async (first: number, path: string, headers: Headers): Promise<Reply> => {
  for (let at = first; ; ) {
    const reply = await get(at, path, headers)
    if (isAnswered(reply)) return reply
    if (reply === null) at = (at + 1) % REPLICAS
    await sleep(100)
  }
}

const totals = async (): Promise<bigint[]> => Promise.all(networks.map(balances))

describe('one payment', () => {
  test.each(networks)(
    'on %s that all services get at once buys one answer, which each of them replays',
    async (network) => {
      const before = await balances(network)
      const { count, path } = nextQuery()
      const headers = await paymentFor(0, path, network)
      const at_once = [0, 1, 2, 0, 1, 2]
      const replies = await Promise.all(at_once.map((at) => get(at, path, headers)))
      const answers = replies.filter(isAnswered)
      expect(bought(answers)).toHaveLength(1)
      const [{ body }] = bought(answers) as [Reply]
      expect(fleet.snapshotOf(bought(answers)[0]!, count)).toBe(await currentSnapshotId(fleet.writer))
      for (const at of replicas.keys())
        expect(await present(at, path, headers)).toMatchObject({
          status: 200,
          body,
          headers: { 'idempotent-replayed': 'true' },
        })
      expect((await balances(network)) - before).toBe(PRICE)
      const { path: other } = nextQuery()
      for (const at of replicas.keys()) expect((await get(at, other, headers))?.status).toBe(402)
    },
  )
})

test('while snapshots are pushed and services killed, every payment buys one answer, of one whole snapshot', async () => {
  const before = await totals()
  /** Payments made by network, and the snapshots of their answers by client. */
  const paid = new Map<Network, number>()
  const seen: Set<string>[] = []
  const problems: string[] = []
  let isOver = false
  /** Payments that the killed service has not answered yet. */
  let pending = 0

  /** Pays for one query after the other, each payment to two services at once and again to the third. */
  const client = async (number: number, network: Network): Promise<void> => {
    const snapshots = new Set<string>()
    seen.push(snapshots)
    for (let i = number; !isOver; i += 1) {
      const [first, second, third] = [0, 1, 2].map((step) => (i + step) % REPLICAS) as [number, number, number]
      const { count, path } = nextQuery()
      const headers = await paymentFor(first, path, network)
      pending += Number(third !== KILLED)
      const replies = await Promise.all([first, second].map((at) => get(at, path, headers)))
      pending -= Number(third !== KILLED)
      const replay = await present(third, path, headers)
      paid.set(network, (paid.get(network) ?? 0) + 1)
      const answers = [...replies.filter(isAnswered), replay]
      const ids = new Set(answers.map((reply) => fleet.snapshotOf(reply, count)))
      if (bought(answers).length > 1) problems.push(`${network} ${path}: answered twice as bought`)
      if (ids.size !== 1 || ids.has(null))
        problems.push(
          `${network} ${path}: ${[...ids]} ${answers.map(({ status, body }) => `${status} ${body}`).join('\n')}`,
        )
      for (const id of ids) if (id !== null) snapshots.add(id)
      // Leaves time to the pulls, which run at low priority.
      await sleep(300)
    }
  }
  const clients = networks.map((network, number) => client(number, network))
  const published = [(await currentSnapshotId(fleet.writer))!]
  for (const day of PUSHED) {
    const paidBefore = new Map(paid)
    await until(() => networks.every((network) => (paid.get(network) ?? 0) > (paidBefore.get(network) ?? 0) + 1))
    await until(() => pending > 0)
    replicas[KILLED]!.served.child.kill('SIGKILL')
    await replicas[KILLED]!.served.exited
    const id = await fleet.publishDay(day)
    published.push(id)
    await push(fleet.writer, fleet.store)
    replicas[KILLED] = await fleet.start(replicas[KILLED]!.lake, environment)
    await until(async () => {
      const states = await Promise.all(replicas.map(ready))
      for (const { status, snapshot } of states)
        if (status === 'ready' && !published.includes(snapshot.snapshot_id))
          problems.push(`/readyz: ${JSON.stringify(snapshot)}`)
      return states.every(({ status, snapshot }) => status === 'ready' && snapshot.snapshot_id === id)
    })
    await until(() => seen.every((snapshots) => snapshots.has(id)))
  }
  isOver = true
  await Promise.all(clients)
  expect(problems).toEqual([])
  for (const snapshots of seen) expect([...snapshots].sort()).toEqual(published)
  const charged = (await totals()).map((total, i) => total - before[i]!)
  expect(charged).toEqual(networks.map((network) => BigInt(paid.get(network)!) * PRICE))
  for (const { lake } of replicas) expect((await verifyLake(lake)).flatMap((checked) => checked.problems)).toEqual([])
})
