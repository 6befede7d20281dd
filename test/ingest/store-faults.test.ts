import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { currentSnapshotId, openStore, type Store, snapshotIds } from '../../engine/index.ts'
import { pull } from '../../ingest/snapshot/pull.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { sized } from '../support/full-size.ts'
import { type Fault, type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { emptyLake } from './empty-lake.ts'
import { publishNth } from './small-lake.ts'

let objects: ObjectStore
let stores = 0
beforeAll(async () => {
  objects = await startObjectStore()
})

type Given = { lake: string; replica: string; store: Store; hasty: Store; first: string; second: string }

/**
 * A lake, its replica with the first snapshot, and a bucket with the second one; `hasty` is that bucket too, given up
 * soon, and at once where requests stall.
 */
const given = async (fault?: Fault): Promise<Given> => {
  objects.fault = () => undefined
  stores += 1
  const [lake, replica] = [await emptyLake(), await emptyLake()]
  const store = objects.open(`faults-${stores}`)
  const hasty = objects.open(`faults-${stores}`, { attempts: 3, ...(fault === 'stall' ? { idle_ms: 500 } : {}) })
  const first = (await publishNth(lake, 1)).snapshot_id
  await push(lake, store)
  await pull(store, replica)
  const second = (await publishNth(lake, 2)).snapshot_id
  await push(lake, store)
  return { lake, replica, store, hasty, first, second }
}

/** A fault in the first request of a kind for each object. */
const firstOfEach = (fault: Fault, kind: string) => {
  const seen = new Set<string>()
  return (method: string, object: string) => {
    if (method !== kind || seen.has(object)) return undefined
    seen.add(object)
    return fault
  }
}

const isWhole = async (lake: string): Promise<boolean> =>
  (await verifyLake(lake, { every: true })).every(({ problems }) => problems.length === 0)

const passing = sized<Fault[]>([503, 'close', 'break'], [500, 503, 409, 429, 'close', 'stall', 'break'])

describe('a fault that passes', () => {
  it.each(passing)('%s: a pull succeeds', async (fault) => {
    const { replica, hasty, second } = await given(fault)
    objects.fault = firstOfEach(fault, 'GET')
    expect(await pull(hasty, replica)).toMatchObject({ snapshot_id: second, fetched: { files: 2 } })
    expect(await isWhole(replica)).toBe(true)
  })

  it.each(passing)('%s: a push succeeds', async (fault) => {
    const { lake, replica, store, hasty } = await given(fault)
    const third = await publishNth(lake, 3)
    objects.fault = firstOfEach(fault, 'PUT')
    expect(await push(lake, hasty)).toMatchObject({ snapshot_id: third.snapshot_id, is_conditional: true })
    objects.fault = () => undefined
    await pull(store, replica)
    expect(await isWhole(replica)).toBe(true)
  })
})

const lasting: [fault: Fault, reason: RegExp, advice: RegExp][] = [
  [500, /^500 Fault500 \(as the test wants\)$/, /the store fails or is overloaded; retry later$/],
  [503, /^503/, /retry later$/],
  [409, /^409/, /retry later$/],
  [412, /^412/, /check AWS_ENDPOINT_URL and AWS_REGION$/],
  [403, /^403/, /check AWS_ACCESS_KEY_ID, .* and the clock$/],
  [301, /^301/, /set AWS_REGION to the region of the bucket$/],
  [400, /^400/, /check AWS_ENDPOINT_URL and AWS_REGION$/],
  ['close', /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, /check the network and AWS_ENDPOINT_URL$/],
  ['stall', /^no answer within 0.5 s$/, /check the network and AWS_ENDPOINT_URL$/],
  ['break', /^UND_ERR_|terminated|ECONNRESET|aborted/, /check the network/],
  ['shorten', /^\d bytes instead of \d+$/, /then push the snapshot again/],
  ['flip', /^SHA-256 not as published$/, /then push the snapshot again/],
]

const faultsOfPush = sized<Fault[]>([500, 412, 'stall'], [500, 503, 409, 412, 403, 301, 400, 'close', 'stall'])

describe('a fault that lasts', () => {
  it.each(lasting)('%s: a pull publishes nothing, and the next one fetches the rest', async (fault, reason, advice) => {
    const { replica, store, hasty, first, second } = await given(fault)
    objects.fault = (method, object) => (method === 'GET' && object.includes('files/') ? fault : undefined)
    const failure = await pull(hasty, replica).catch((cause: unknown) => cause)
    expect(failure).toMatchObject({
      code: 'NOT_READY',
      details: { store: store.name, object: expect.stringMatching(/^files\//), reason: expect.stringMatching(reason) },
      message: expect.stringMatching(advice),
    })
    expect([await currentSnapshotId(replica), await snapshotIds(replica)]).toEqual([first, [first]])
    objects.fault = () => undefined
    expect(await pull(store, replica)).toMatchObject({ snapshot_id: second, fetched: { files: 2 } })
    expect(await isWhole(replica)).toBe(true)
  })

  it.each(lasting.filter(([fault]) => faultsOfPush.includes(fault)))(
    '%s: a push leaves the pointer, and the next one sends the rest',
    async (...args) => {
      const [fault, reason, advice] = args
      const { lake, store, hasty, second } = await given(fault)
      const third = await publishNth(lake, 3)
      let puts = 0
      objects.fault = (method, object) => {
        if (method !== 'PUT' || !object.includes('files/')) return undefined
        puts += 1
        return puts === 1 ? undefined : fault
      }
      await expect(push(lake, hasty)).rejects.toMatchObject({
        details: { reason: expect.stringMatching(reason) },
        message: expect.stringMatching(advice),
      })
      objects.fault = () => undefined
      expect(await pull(store, await emptyLake())).toMatchObject({ snapshot_id: second })
      expect(await push(lake, store)).toMatchObject({ snapshot_id: third.snapshot_id, present: { files: 2 } })
    },
  )
})

it('a bucket that does not exist is reported as such', async () => {
  const store = openStore('s3://nowhere/lake', objects.environment)
  await expect(pull(store, await emptyLake())).rejects.toThrow(
    's3://nowhere/lake: current: 404 NoSuchBucket (The specified bucket does not exist); check the name of the bucket',
  )
})

it('wrong keys are reported as such', async () => {
  const store = openStore('s3://lakes/lake', { ...objects.environment, AWS_SECRET_ACCESS_KEY: 'wrong' })
  await expect(pull(store, await emptyLake())).rejects.toThrow(/: current: 403 .*; check AWS_ACCESS_KEY_ID/)
})

it('a pull that is cancelled ends at once, and the next one continues it', async () => {
  const { replica, store, second } = await given()
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const cancelled = openStore(store.name, objects.environment, { signal: controller.signal })
  let gets = 0
  objects.fault = (method, object) => {
    if (method !== 'GET' || !object.includes('files/')) return undefined
    gets += 1
    return gets === 1 ? undefined : 'stall'
  }
  const pulling = pull(cancelled, replica, { signal: controller.signal }).catch((cause: unknown) => cause)
  while (gets < 2) await sleep(5)
  controller.abort(reason)
  expect(await pulling).toBe(reason)
  objects.fault = () => undefined
  expect(await pull(store, replica)).toMatchObject({ snapshot_id: second })
  expect(await isWhole(replica)).toBe(true)
})
