import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { currentSnapshotId, readPointer } from '../../engine/index.ts'
import { pull } from '../../ingest/snapshot/pull.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { compiled } from '../support/compiled.ts'
import { sized } from '../support/full-size.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { emptyLake } from './empty-lake.ts'
import { publishNth, seededRandom } from './small-lake.ts'

const KILLS = sized(2, 60)
/** Requests of a push or a pull of three new files, and the time that it then takes to publish. */
const MOST_REQUESTS = 8
const LONGEST_PAUSE_MS = 40

let objects: ObjectStore
beforeAll(async () => {
  objects = await startObjectStore()
})
beforeEach(() => {
  objects.fault = () => undefined
})

const start = (...args: string[]): ChildProcess => {
  const env = { PATH: process.env.PATH, ...objects.environment }
  const child = spawn(process.execPath, [compiled('ingest/main.ts'), ...args], { env, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs a command and kills it at a moment by chance. Returns whether it was killed before it ended. */
const killed = async (random: () => number, ...args: string[]): Promise<boolean> => {
  const last = Math.ceil(random() * MOST_REQUESTS)
  let count = 0
  const reached = new Promise<void>((resolve) => {
    objects.fault = () => {
      count += 1
      if (count === last) resolve()
      return undefined
    }
  })
  const child = start(...args)
  const ended = once(child, 'exit')
  await Promise.race([reached.then(() => pause(random() * LONGEST_PAUSE_MS)), ended])
  child.kill('SIGKILL')
  const [, signal] = await ended
  objects.fault = () => undefined
  return signal === 'SIGKILL'
}

const problemsIn = async (lake: string) => (await verifyLake(lake, { every: true })).flatMap(({ problems }) => problems)

it(`${KILLS} pulls that are killed leave the snapshot before or the new one, and the next pull completes it`, async () => {
  const [lake, replica] = [await emptyLake(), await emptyLake()]
  const store = objects.open('pulls')
  const random = seededRandom(20_262)
  await publishNth(lake, 1)
  await push(lake, store)
  await pull(store, replica)
  let cutShort = 0
  for (let n = 2; n < KILLS + 2 || cutShort === 0; n += 1) {
    const before = await currentSnapshotId(replica)
    const { snapshot_id } = await publishNth(lake, n)
    await push(lake, store)
    if (await killed(random, 'pull', '--from', store.name, '--lake', replica)) cutShort += 1
    expect([before, snapshot_id]).toContain(await currentSnapshotId(replica))
    expect(await problemsIn(replica)).toEqual([])
  }
  await pull(store, replica)
  expect(await readPointer(replica)).toEqual(await readPointer(lake))
  expect(await problemsIn(replica)).toEqual([])
  expect(await readdir(join(replica, 'staging'))).toEqual([])
})

it(`${KILLS} pushes that are killed leave the snapshot before or the new one, and the next push completes it`, async () => {
  const lake = await emptyLake()
  const store = objects.open('pushes')
  const random = seededRandom(20_263)
  let before = (await publishNth(lake, 1)).snapshot_id
  await push(lake, store)
  let cutShort = 0
  for (let n = 2; n < KILLS + 2 || cutShort === 0; n += 1) {
    const { snapshot_id } = await publishNth(lake, n)
    if (await killed(random, 'push', '--lake', lake, '--to', store.name)) cutShort += 1
    const replica = await emptyLake()
    const pulled = await pull(store, replica)
    expect([before, snapshot_id]).toContain(pulled.snapshot_id)
    expect(await problemsIn(replica)).toEqual([])
    before = pulled.snapshot_id
  }
  await push(lake, store)
  const replica = await emptyLake()
  await pull(store, replica)
  expect(await readPointer(replica)).toEqual(await readPointer(lake))
})
