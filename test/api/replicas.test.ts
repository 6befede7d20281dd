import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findingsOf } from '../../api/cli/check.ts'
import { readConfig } from '../../api/ops/config.ts'
import { currentSnapshotId, openStore, type Store, snapshotFolder } from '../../engine/index.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { publishNth } from '../ingest/small-lake.ts'
import { sized } from '../support/full-size.ts'
import { temporaryFolder } from '../support/given.ts'
import { type Reply, send } from '../support/http.ts'
import type { ObjectStore } from '../support/object-store.ts'
import { allServe, emptyLakes, type Fleet, type Replica, ready, startFleet, until } from '../support/replicas.ts'

const REPLICAS = sized(2, 3)
/** The service that is killed, and those that clients query meanwhile. */
const KILLED = REPLICAS - 1
const others = Array.from({ length: KILLED }, (_, at) => at)
/** The days on which new snapshots are pushed under load. */
const PUSHED = sized([2], [2, 3, 4, 5, 6])
const DAYS = Array.from({ length: sized(4, 60) }, (_, i) => 30 + i)

let fleet: Fleet
let objects: ObjectStore
let store: Store
let writer: string

const metric = async ({ admin }: Replica, series: string): Promise<number> => {
  const { body } = await send(admin, '/metrics', { agent: false })
  return Number(new RegExp(`^${series}\\{store="${store.name}"[^}]*\\} (.*)$`, 'm').exec(body)?.[1])
}

const answerOf = async ({ port }: Replica, days = 30): Promise<string | null> =>
  fleet.snapshotOf(await send(port, fleet.path(days)), days)

beforeAll(async () => {
  fleet = await startFleet('replicas', 'analyst/category-summary', DAYS)
  ;({ objects, store, writer } = fleet)
})
beforeEach(() => {
  objects.fault = () => undefined
})

describe('the settings', () => {
  const findingOf = async (change: Record<string, string>) => {
    const common = { SHELFMARK_PAYMENTS: 'off', SHELFMARK_PORT: '0', SHELFMARK_LAKE: '/nowhere' }
    return (await findingsOf({ ...common, ...change })).filter(({ setting }) => /STORE|LAKE/.test(setting))
  }

  test('are checked: the store must answer and have a snapshot; the lake may be empty', async () => {
    const folder = join(await temporaryFolder(), 'store')
    const lake = { setting: 'SHELFMARK_LAKE', is_ok: null, message: expect.stringContaining('pulls one') }
    expect(await findingOf({ SHELFMARK_STORE: folder })).toEqual([
      lake,
      { setting: 'SHELFMARK_STORE', is_ok: false, message: expect.stringContaining(`no snapshot in ${folder}`) },
    ])
    const { snapshot_id } = await publishNth(`${folder}-lake`, 1)
    await push(`${folder}-lake`, openStore(folder))
    expect(await findingOf({ SHELFMARK_STORE: folder })).toEqual([
      lake,
      { setting: 'SHELFMARK_STORE', is_ok: true, message: `${folder} has ${snapshot_id}` },
    ])
    expect((await findingOf({ SHELFMARK_STORE: 's3://nowhere', ...objects.environment }))[1]).toMatchObject({
      is_ok: false,
      message: expect.stringContaining('404 NoSuchBucket'),
    })
  })

  test.each([
    ['s3://bucket', 's3://bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    ['https://example.com', 'expected a folder or s3://BUCKET/PREFIX, got "https://example.com"'],
  ])('refuse the store %s', (SHELFMARK_STORE, message) => {
    expect(() => readConfig({ SHELFMARK_STORE })).toThrow(`SHELFMARK_STORE: ${message}`)
  })
})

describe(`${REPLICAS} services over one store`, () => {
  const replicas: Replica[] = []

  test('start without a lake, say what they wait for, and serve what is pushed', async () => {
    const lakes = await emptyLakes(REPLICAS)
    replicas.push(...(await Promise.all(lakes.map((lake) => fleet.start(lake)))))
    await until(async () => (await ready(replicas[0]!)).store.error !== null)
    expect(await ready(replicas[0]!)).toMatchObject({
      status: 'not ready',
      reasons: [expect.stringMatching(/^snapshot: none yet: there is no snapshot in s3:\/\/lakes\/replicas\./)],
      store: { name: store.name, snapshot_id: null, is_pulling: false, last_success: null },
    })
    const id = await fleet.publishDay(1)
    await push(writer, store)
    await allServe(replicas, id)
    for (const replica of replicas) expect(await answerOf(replica)).toBe(id)
    expect(await ready(replicas[0]!)).toMatchObject({ status: 'ready', store: { lag_seconds: 0, error: null } })
    expect(await metric(replicas[0]!, 'shelfmark_store_failing')).toBe(0)
    expect(await metric(replicas[0]!, 'shelfmark_store_pulled_bytes_total')).toBeGreaterThan(0)
  })

  test('answer every request from one whole snapshot while new ones are pushed and a service is killed', async () => {
    const seen = new Map<number, Set<string>>()
    const wrong: Reply[] = []
    let isOver = false
    const client = async (at: number): Promise<void> => {
      for (let i = 0; !isOver; i += 1) {
        const days = DAYS[i % DAYS.length]!
        const reply = await send(replicas[at]!.port, fleet.path(days))
        const id = fleet.snapshotOf(reply, days)
        if (id === null) wrong.push(reply)
        else seen.set(at, (seen.get(at) ?? new Set()).add(id))
        await sleep(50)
      }
    }
    const clients = [...others, ...others].map(client)
    for (const day of PUSHED) {
      const id = await fleet.publishDay(day)
      // A service is killed when it, or the process that pulls for it, reads from the store.
      const before = objects.requests.length
      await push(writer, store)
      await until(() => objects.requests.slice(before).filter((line) => line.startsWith('GET')).length > 3)
      replicas[KILLED]!.served.child.kill('SIGKILL')
      await replicas[KILLED]!.served.exited
      replicas[KILLED] = await fleet.start(replicas[KILLED]!.lake)
      await allServe(replicas, id)
      await until(() => others.every((at) => seen.get(at)?.has(id)))
    }
    isOver = true
    await Promise.all(clients)
    expect(wrong).toEqual([])
    expect([...seen.values()].map((ids) => ids.size)).toEqual(others.map(() => PUSHED.length + 1))
    for (const { lake } of replicas) expect((await verifyLake(lake)).flatMap(({ problems }) => problems)).toEqual([])
    // What one service does when its store fails, the others do too.
    for (const { served } of replicas.splice(1)) served.child.kill('SIGTERM')
  })

  test('keep serving while the store fails or its objects are damaged, and say so', async () => {
    const [replica] = replicas as [Replica]
    const before = (await currentSnapshotId(replica.lake))!
    objects.fault = (method) => (method === 'GET' ? 403 : undefined)
    await until(async () => (await ready(replica)).store.error !== null)
    const state = await ready(replica)
    expect(state).toMatchObject({
      status: 'ready',
      snapshot: { snapshot_id: before },
      store: { error: expect.stringMatching(/: 403 .*AWS_ACCESS_KEY_ID/) },
    })
    expect(await answerOf(replica)).toBe(before)
    expect(await metric(replica, 'shelfmark_store_failing')).toBe(1)
    expect(replica.served.log).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'cannot pull from the store', store: store.name }),
    )

    objects.fault = () => undefined
    const id = await fleet.publishDay(7)
    await push(writer, store)
    objects.fault = (method, object) => (method === 'GET' && object.includes('files/') ? 'flip' : undefined)
    await until(async () => /SHA-256 not as published/.test((await ready(replica)).store.error ?? ''))
    expect(await ready(replica)).toMatchObject({
      status: 'ready',
      snapshot: { snapshot_id: before, fallback_for: null },
      store: { snapshot_id: id },
    })
    expect(await answerOf(replica)).toBe(before)
  })

  test('end when they are stopped during a pull, and pull again when they are started', async () => {
    const [replica] = replicas as [Replica]
    objects.fault = (method, object) => (method === 'GET' && object.includes('files/') ? 'stall' : undefined)
    await until(async () => (await ready(replica)).store.is_pulling)
    replica.served.child.kill('SIGTERM')
    expect(await replica.served.exited).toBe(0)
    objects.fault = () => undefined
    replicas[0] = await fleet.start(replica.lake)
    await allServe(replicas, (await currentSnapshotId(writer))!)
  })

  test('repair their own damaged files from the store', async () => {
    const [replica] = replicas as [Replica]
    const id = (await currentSnapshotId(replica.lake))!
    await writeFile(join(snapshotFolder(replica.lake, id), 'categories.parquet'), 'damaged')
    await until(() => replica.served.log.some(({ msg }) => msg.startsWith('damaged snapshot')))
    await until(async () => (await verifyLake(replica.lake))[0]?.problems.length === 0)
    await until(async () => (await ready(replica)).snapshot.fallback_for === null)
    expect(await answerOf(replica)).toBe(id)
  })
})
